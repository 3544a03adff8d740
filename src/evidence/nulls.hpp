// The unrelated tables a match is compared with. Each test fills p, the statistic and its distribution for every pair,
// the global p, and says which hypothesis it speaks against.
#pragma once

#include "evidence/study.hpp"

namespace cda {

// The shapes of each table's informative components against random shapes of the same strength. Nothing is refitted.
void component_match_test(const Study& study, int surrogates, Evidence& evidence);

// Tables made of random shapes of the same strength, fitted like the data.
void refitting_test(const Study& study, int surrogates, Evidence& evidence);

// Gaussian tables with the same covariances, fitted like the data.
void gaussian_reference_test(const Study& study, int surrogates, Evidence& evidence);

}  // namespace cda
