// What changes when rows are drawn anew: is each pair found again, with the same relative sign, and how much do its
// weights and loadings vary?
#pragma once

#include "evidence/study.hpp"

namespace cda {

// Fills stability, sign and intervals of each pair.
void bootstrap(const Study& study, int times, std::vector<PairEvidence>& pairs);

}  // namespace cda
