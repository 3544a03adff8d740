// Agreement and divergence on rows that were not used for fitting.
#pragma once

#include "evidence/study.hpp"

namespace cda {

// Fills agreement_held_out, agreement_at_least and the two divergences of each pair.
void hold_out(const Study& study, std::vector<PairEvidence>& pairs);

}  // namespace cda
