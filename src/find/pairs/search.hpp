// Finding the pairs: pose a problem, start from many places, follow the best, settle what the data decide, go on to the
// next pair.
#pragma once

#include <vector>

#include "cda/extend/formulation.hpp"
#include "cda/fit.hpp"
#include "optimise/multi_start.hpp"

namespace cda {

// One problem solved: its directions (one pair, or all of them where the formulation is joint) and how it went.
struct Solved {
  Directions directions;
  Outcome outcome;     // of the objective in its own units
  Vector divergences;  // one per pair
  std::vector<Alternative> alternatives;
  std::vector<Trace> traces;  // of the starts that were followed
  bool informative = true;
  std::optional<std::array<Index, 2>> components = {};  // that were matched, of X and of Y, from 1
  double seconds = 0.0;
};

struct SearchOptions {
  int starts = 100, refined = 12;
  Index scouting_rows = 0;  // 0: all
  Stopping stopping = {};
  std::uint64_t seed = 0;
  Index block_length = 1;
};

// Starts followed to their optima. On rows that are `spread` over ranks, where there are any, that is done one after
// the other. A choice of rows every rank has whole: each follows all of them by itself, as fast as it can, and whether
// it is enough, which ranks have to agree on, is not asked before they are done.
MultiStartResult followed(const Problem& problem, const std::vector<Vector>& starts, const Optimiser& optimiser,
                          const Executor& executor, MultiStart plan, const Observer& watch, bool spread);

// How the starts of a search fared, in units of the objective.
std::vector<Trace> traces(const MultiStartResult& search, double unit);

// What a fit ends with when its observer says no.
[[noreturn]] void interrupted();
// Asks it between the steps of preparing large tables, which by themselves report nothing.
void ask(const FitObserver& observer, const FitProgress& progress = {});

Directions no_directions(const Comparison& comparison);
void append(Directions& found, const Directions& next);

// `components` pairs beyond those already `found`; at least one, but no further ones once it is enough.
std::vector<Solved> find_pairs(const Formulation& formulation, const Comparison& comparison, const Optimiser& optimiser,
                               Index components, const SearchOptions& options, const Executor& executor,
                               const FitObserver& observer, Directions found);

// Signs by convention, the divergence and objective of a pair whose directions came from elsewhere.
void settle(const Formulation& formulation, const Comparison& comparison, Solved& solved);

// Says so where a search was told in between that it is enough: what it holds is the best so far.
void mark_if_enough(const Stopping& stopping, Outcome& outcome);

// Follows the formulation's objective from where a pair is, orthogonal to those found before.
void refine(const Formulation& formulation, const Comparison& comparison, const Optimiser& optimiser,
            const Directions& found, const SearchOptions& options, const Observer& watch, Solved& solved);

// Pairs followed from where they are, without a search: components on each side where they come first, else the
// formulation's problems in turn.
std::vector<Solved> follow_pairs(const Formulation& formulation, const Comparison& comparison,
                                 const Optimiser& optimiser, const Directions& start, const SearchOptions& options,
                                 const Executor& executor, const FitObserver& observer);

// How many rows of a table a search looks at first, then next, and so on; all of them come after that. Rungs are ten
// times as long as the one before, as long as they are a small part of the whole. Empty: all rows at once.
std::vector<Index> row_ladder(Index rows, Index first);

// The divergence of one column pair on its own.
double divergence_of_pair(const Comparison& comparison, const Directions& directions, Index pair);

}  // namespace cda
