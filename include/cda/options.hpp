// What is asked for: of a fit, and of the evidence for it. Each option is described once, in fields(): the command,
// Python, the model file, pages and documents all take it from there.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cda/extend/catalogue.hpp"
#include "cda/extend/communicator.hpp"
#include "cda/extend/fields.hpp"
#include "cda/extend/optimiser.hpp"

namespace cda {

enum class Refine { none, joint };
constexpr std::array<const char*, 2> names_of(Refine) { return {"none", "joint"}; }
enum class FewValued { drop, keep };
constexpr std::array<const char*, 2> names_of(FewValued) { return {"drop", "keep"}; }

struct FitOptions {
  std::string method = "iCDA";  // those to compare with take options: TCA:kernel=rbf
  std::optional<PartSpec> divergence = {}, formulation = {}, optimiser = {};  // instead of the method's own
  std::optional<std::vector<PartSpec>> prepare = {};
  std::optional<std::string> scale = {};      // lemma, optimised or a value
  std::optional<std::string> bandwidth = {};  // for divergences that have one
  std::optional<Refine> refine = {};          // iCDA: joint, to follow matched components together
  bool as_published = false;                  // the paper to the letter where we depart from it
  // 0: the smaller rank, at most 10; for iCDA the informative components that agree (A > 1/2), at least one pair.
  Index components = 0;
  Index max_columns = 0;                   // at most so many columns of each side in a pair; 0: all
  FewValued few_valued = FewValued::drop;  // iCDA: whether columns of 8 values or fewer are used too
  Index block_length = 1;                  // rows that follow each other in time and belong together, so count as one
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

struct EvidenceOptions {
  // Which unrelated tables a match is compared with. automatic: components where components were matched, refitting
  // where iCDA searched jointly, gaussian for the other methods.
  enum class Null { automatic, components, refitting, gaussian };
  Null null = Null::automatic;
  // Without a value 999, or 99 where each is a fit of its own; 19 where those are slow (pearson). 0: no test.
  std::optional<int> surrogates = {};
  std::optional<int> bootstraps = {};  // refits on resampled rows: 99, or 19 where they are slow; 0: none
  int threads = 0;                     // 0: as many as this process may use; the result does not depend on it
};
constexpr std::array<const char*, 4> names_of(EvidenceOptions::Null) {
  return {"automatic", "components", "refitting", "gaussian"};
}

// ---- What they are (cda/extend/fields.hpp) ----

// `parts`: for methods made of parts only.
template <class Visit, Of<FitOptions> Self>
void fields(Visit& visit, Self& self) {
  constexpr bool parts = true;
  const char* const running = "Running";
  visit({.name = "method",
         .takes = "METHOD",
         .words = "a preset of parts; those to compare with take options: TCA:kernel=rbf"},
        self.method);
  visit({.name = "pairs",
         .takes = "R",
         .words = "how many pairs (default: the informative ones for iCDA; else the smaller rank, at most 10)",
         .lowest = 1,
         .also = "components",
         .zero = "auto"},
        self.components);
  visit({.name = "max_columns",
         .takes = "K",
         .words = "at most K columns of each side in a pair",
         .lowest = 1,
         .parts = parts},
        self.max_columns);
  visit({.name = "divergence",
         .takes = "DIVERGENCE",
         .words = "how distributions are compared, e.g. extended_mallows:order=1",
         .parts = parts},
        self.divergence);
  visit({.name = "formulation", .takes = "FORMULATION", .words = "how pairs are asked for", .parts = parts},
        self.formulation);
  visit({.name = "optimiser", .takes = "OPTIMISER", .words = "how they are found", .parts = parts}, self.optimiser);
  visit({.name = "prepare",
         .takes = "PREPARATION",
         .words = "what is done to the columns first, in order; repeatable, or joined: minmax+pca:3; none"},
        self.prepare);
  visit({.name = "bandwidth",
         .takes = "median|silverman|paper|NUMBER",
         .words = "for divergences that smooth: a rule or a value",
         .parts = parts},
        self.bandwidth);
  visit({.name = "refine", .takes = "none|joint", .words = "iCDA: follow matched components together", .parts = parts},
        self.refine);
  visit({.name = "few_valued",
         .takes = "drop|keep",
         .words = "iCDA: columns of 8 values or fewer, which match easily and mean little [drop]",
         .parts = parts},
        self.few_valued);
  visit({.name = "scale",
         .takes = "lemma|optimised|NUMBER",
         .words = "of Y against X: a rule or a value",
         .also = "beta",
         .parts = parts},
        self.scale);
  visit(
      {.name = "as_published", .takes = "", .words = "the paper to the letter where we depart from it", .parts = parts},
      self.as_published);
  visit({.name = "block_length",
         .takes = "L",
         .words = "rows follow each other in time: keep runs of L of them together [1]",
         .group = "Evidence",
         .lowest = 1,
         .parts = parts},
        self.block_length);
  visit({.name = "starts",
         .takes = "NUMBER",
         .words = "random starting points looked at per problem [iCDA 150; others 100; pearson 60, 24]",
         .group = running,
         .lowest = 0,
         .parts = parts},
        self.starts);
  visit({.name = "refined",
         .takes = "NUMBER",
         .words = "of them followed to their optimum [iCDA 6; others 12; pearson 4]",
         .group = running,
         .lowest = 1,
         .parts = parts},
        self.refined);
  visit({.name = "scouting_rows",
         .takes = "NUMBER",
         .words = "rows of each table on which that is done first; 0: all [iCDA 5000; others 2000; pearson 1000, 500]",
         .group = running,
         .lowest = 0,
         .parts = parts},
        self.scouting_rows);
  visit({.name = "max_iterations",
         .takes = "NUMBER",
         .words = "of the optimiser, per start [2000]",
         .group = running,
         .lowest = 1,
         .saved = "iterations",
         .parts = parts},
        self.stopping.iterations);
  visit({.name = "tolerance",
         .takes = "NUMBER",
         .words = "stop when the gradient is this small [1e-07]",
         .group = running,
         .lowest = 0,
         .highest = 1,
         .saved = "gradient_tolerance",
         .parts = parts},
        self.stopping.gradient_tolerance);
  visit({.name = "decrease_tolerance",
         .takes = "NUMBER",
         .words = "stop when the relative decrease is this small [1e-07] ...",
         .group = running,
         .lowest = 0,
         .highest = 1,
         .parts = parts},
        self.stopping.decrease_tolerance);
  visit({.name = "decrease_times",
         .takes = "NUMBER",
         .words = "... so many times in a row [5]",
         .group = running,
         .lowest = 1,
         .parts = parts},
        self.stopping.decrease_times);
  visit({.name = "seed",
         .takes = "NUMBER",
         .words = "which random starting points; the same seed gives the same bytes [0]",
         .group = running,
         .saved = ""},
        self.seed);
}

template <class Visit, Of<EvidenceOptions> Self>
void fields(Visit& visit, Self& self) {
  const char* const evidence = "Evidence";
  visit({.name = "surrogates",
         .takes = "B",
         .words = "unrelated tables that pairs are compared with [999; where each is a fit of its own 99; pearson 19]",
         .group = evidence,
         .lowest = 0},
        self.surrogates);
  visit({.name = "bootstrap",
         .takes = "B",
         .words = "refits on resampled rows, for stability and intervals [99; pearson 19]",
         .group = evidence,
         .lowest = 0},
        self.bootstraps);
  visit({.name = "null",
         .takes = "components|refitting|gaussian",
         .words = "which unrelated tables [by method]",
         .group = evidence},
        self.null);
}

// As texts, by the names under which a model saves them; those that are not set are left out, and of methods that are
// not made of parts those for parts.
std::map<std::string, std::string> texts_of(const FitOptions& options);
// One of them read back. False where there is no such option; an Error where it cannot have this value.
bool set_from_saved(FitOptions& options, const std::string& saved, const std::string& text);
// By its name on the command line, with _ for -. `spelling` is the name for messages. Unknown names are an Error.
void set_option(FitOptions& options, const std::string& name, const std::string& text, const std::string& spelling);
void set_option(EvidenceOptions& options, const std::string& name, const std::string& text,
                const std::string& spelling);

// The name of one that is for methods made of parts and not as it is without being asked for; empty where there is
// none.
std::string asked_of_parts(const FitOptions& options);

// The words after `cda fit` that ask for what is not as in `usual`: " --starts 8".
std::string flags_between(const FitOptions& usual, const FitOptions& options);

}  // namespace cda
