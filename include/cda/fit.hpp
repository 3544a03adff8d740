// The whole method in one call.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cda/extend/communicator.hpp"
#include "cda/extend/optimiser.hpp"
#include "cda/extend/table_moments.hpp"
#include "cda/model.hpp"
#include "cda/table.hpp"

namespace cda {

// A method is a preset of parts. Each may be replaced by name, with options: `extended_mallows:order=1`.
struct MethodParts {
  std::vector<PartSpec> prepare;
  PartSpec divergence, formulation, optimiser;
  std::string scale = "lemma";
};

struct MethodInfo {
  std::string name;       // the paper's spelling
  std::string summary;    // what it optimises
  MethodParts parts;      // as we recommend it
  MethodParts published;  // as printed
  // A method that is not made of parts (cda/extend/baseline.hpp): its name there; of the parts it has `prepare`.
  std::string baseline = {};
  bool compared = false;  // here to be compared with, not our own or the paper's
};
std::vector<MethodInfo> methods();
// In any case; options of its own may follow (TCA:kernel=rbf). An unknown name lists the near ones.
MethodInfo find_method(const std::string& name);
// The method by its proper name, with all of its own options filled in.
std::string complete_method(const std::string& name);

struct FitOptions {
  std::string method = "iCDA";  // those to compare with take options: TCA:kernel=rbf
  std::optional<PartSpec> divergence = {}, formulation = {}, optimiser = {};  // instead of the method's own
  std::optional<std::vector<PartSpec>> prepare = {};
  std::optional<std::string> scale = {};      // lemma, optimised or a value
  std::optional<std::string> bandwidth = {};  // for divergences that have one
  std::optional<std::string> refine = {};     // iCDA: yes, to follow matched components together
  bool as_published = false;                  // the paper to the letter where we depart from it
  // 0: the smaller rank, at most 10; for iCDA the informative components that agree (A > 1/2), at least one pair.
  Index components = 0;
  Index max_columns = 0;         // at most so many columns of each side in a pair; 0: all
  bool keep_few_valued = false;  // iCDA: use columns of 8 values or fewer too
  Index block_length = 1;        // rows that follow each other in time and belong together, so count as one
  // How hard to search. Without a value: 100, 12 and 2000, or 24, 4 and 500 where a divergence is costly (pearson);
  // for iCDA 150, 6 and 5000, or 60, 4 and 1000.
  std::optional<int> starts = {};           // random starting points screened per problem
  std::optional<int> refined = {};          // of them followed to their optimum
  std::optional<Index> scouting_rows = {};  // rows of each table on which that is done first; 0: all of them
  // Values are measured in units of a typical start's; a ten-millionth of that is far below what samples can tell.
  // With stopping.enough a fit ends early with a whole model of what was found so far, one pair at least.
  Stopping stopping{.gradient_tolerance = 1e-7, .decrease_tolerance = 1e-7, .iterations = 2000};
  bool summarise = false;  // fill the model's summary of its pairs, which a report draws
  std::uint64_t seed = 0;
  int threads = 0;  // 0: as many as this process may use; the result does not depend on it
  // Several processes that fit together, each with some of the rows of both tables (any of them, or none) and the same
  // options: cda/extend/communicator.hpp. All get the model, which is that of one process but for rounding. Not owned.
  const Communicator* ranks = nullptr;
};

// Where a fit is. Return false to stop it; it then throws an Error with code "interrupted".
struct FitProgress {
  Index pair = 1, pairs = 1;  // the one under way, from 1, of how many
  double share = 0.0;         // of the whole, 0 to 1
};
using FitObserver = std::function<bool(const FitProgress&)>;

// Finds `components` pairs of column combinations of two complete tables whose values are distributed alike.
Model fit(const Table& x, const Table& y, const FitOptions& options = {}, const FitObserver& observer = {});
// The same for tables that are not needed afterwards: each gives up its rows as soon as they have been prepared, so
// that at most half as much again as both tables is in memory. (Methods to compare with keep them.)
Model fit(Table&& x, Table&& y, const FitOptions& options = {}, const FitObserver& observer = {});

// The same from moments, for methods that look at nothing else: extended Mallows of order 2, pairs in
// turn, columns prepared by minmax, standardise or centre. The first form does so by itself where tables are long.
Model fit(const TableMoments& x, const TableMoments& y, const FitOptions& options = {},
          const FitObserver& observer = {});
// Nothing where they are enough; else why not, in words.
std::string why_not_moments(const FitOptions& options);

// The pairs of a model on other rows of the same columns: each is followed from where it is to the nearest optimum,
// without any search. Signs are kept.
Model follow(const Model& model, const Table& x, const Table& y, const FitOptions& options,
             const FitObserver& observer = {});

}  // namespace cda
