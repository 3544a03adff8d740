// iCDA: each table's own informative components, matched by the agreement of their shapes. What is asked for beyond the
// informative ones is found by the joint search of the formulation, and marked.
#pragma once

#include "find/components/components.hpp"
#include "find/pairs/search.hpp"

namespace cda {

struct InformativePairs {
  std::vector<Solved> pairs;
  std::vector<Component> x, y;  // the informative components
};

// `wanted` pairs; 0: those informative components of both tables that agree, and at least one pair.
InformativePairs find_informative_pairs(const Formulation& formulation, const Comparison& comparison,
                                        const Optimiser& optimiser, Index wanted, const SearchOptions& options,
                                        const Executor& executor, const FitObserver& observer);

}  // namespace cda
