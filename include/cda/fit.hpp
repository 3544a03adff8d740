// The whole method in one call.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cda/extend/table_moments.hpp"
#include "cda/model.hpp"
#include "cda/options.hpp"
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

// The options with everything filled in that the method and its parts decide: as a model holds them.
FitOptions completed(const FitOptions& options);

// Throws where something is asked for that neither the method nor the parts in force read.
void refuse_unread(const FitOptions& options);

// The pairs of a model on other rows of the same columns: each is followed from where it is to the nearest optimum,
// without any search. Signs are kept.
Model follow(const Model& model, const Table& x, const Table& y, int threads = 0, const FitObserver& observer = {});

}  // namespace cda
