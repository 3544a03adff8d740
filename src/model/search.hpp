// Finding the pairs: pose a problem, start from many places, follow the best, settle what the data decide, go on to the
// next pair.
#pragma once

#include <vector>

#include "cda/fit.hpp"
#include "cda/formulation.hpp"

namespace cda {

// One problem solved: its directions (one pair, or all of them where the formulation is joint) and how it went.
struct Solved {
  Directions directions;
  Outcome outcome;     // of the objective in its own units
  Vector divergences;  // one per pair
  std::vector<Alternative> alternatives;
  double seconds = 0.0;
};

struct SearchOptions {
  int starts, refined;
  Index scouting_rows;  // 0: all
  Stopping stopping;
  std::uint64_t seed = 0;
};

std::vector<Solved> find_pairs(const Formulation& formulation, const Comparison& comparison, const Optimiser& optimiser,
                               Index components, const SearchOptions& options, const Executor& executor,
                               const FitObserver& observer);

}  // namespace cda
