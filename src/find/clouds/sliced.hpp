// How far two aligned clouds are from each other beyond what a normal cloud has: along random directions of their first
// dimensions the squared Wasserstein distance of the two projections, over the sum of their distances from the normal,
//
//   SW = sum_w W2^2(Aw, Bw) / sum_w (C(Aw) + C(Bw)),    C = W2^2 to the normal of the same mean and variance.
//
// 0 where the clouds are the same, about 1 where only their first two moments agree. It tells mirrored alignments
// apart, which RV, a function of second moments, hardly does.
#pragma once

#include "cda/types.hpp"

namespace cda {

double sliced_ratio(const Matrix& x, const Matrix& y, Index dimensions = 3, Index directions = 50);

}  // namespace cda
