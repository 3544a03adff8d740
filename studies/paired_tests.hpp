// Comparing methods that were run on the same tables: mean and spread, Wilcoxon's signed-rank test of their
// differences, and Holm's correction where several are compared at once.
#pragma once

#include <vector>

#include "cda/transfer.hpp"
#include "cda/types.hpp"

namespace cda {

MeanAndSpread spread(const std::vector<double>& values);

// Two-sided p of the hypothesis that differences are symmetric about 0 (Wilcoxon 1945). Zeros are left out and ties
// share their mean rank. Exact, over all signs, for up to 50 differences; beyond, by the normal approximation with
// corrections for ties and continuity. 1 where nothing is left.
double signed_rank_p(const std::vector<double>& differences);

// p-values corrected for their number (Holm 1979): the smallest times the count, the next times one less, and so on,
// never decreasing, at most 1.
std::vector<double> holm(const std::vector<double>& p);

}  // namespace cda
