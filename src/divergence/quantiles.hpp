// Quantile functions as vectors. The unit interval is cut into equal blocks and a quantile function is represented by
// its means over them, so that for functions f, g the squared distance of their vectors divided by the number of blocks
// is W2^2 but for what varies within blocks. Samples of any size become comparable vectors of one length; the normal
// distribution is one of them.
#pragma once

#include "cda/extend/executor.hpp"
#include "cda/types.hpp"

namespace cda {

constexpr Index quantile_blocks = 256;

// Means over `blocks` equal parts of the step function with these increasing values. O(n + blocks).
Vector quantile_function(const Vector& increasing, Index blocks = quantile_blocks);

// The same of values in any order, of all ranks where there are several. O(n log n).
Vector quantile_function_of(Vector values, Index blocks = quantile_blocks, const Executor& executor = Executor(1));

// Means over `blocks` equal parts of the standard normal quantile function,
// z_i = blocks (phi(q_(i-1)) - phi(q_i)), q_i = Phi^-1(i / blocks). Odd about the middle.
Vector normal_quantiles(Index blocks = quantile_blocks);
Vector normal_quantiles(Index blocks, Index begin, Index end);  // those from begin to before end

// The quantile function of the mirrored values, -x.
inline Vector mirrored(const Vector& quantiles) { return -quantiles.reverse(); }

// The agreement of two shapes, given their deviations a, b from the normal quantile function:
//
//   A = 1 - |a - b|^2 / (|a|^2 + |b|^2) = 2 <a, b> / (|a|^2 + |b|^2)   in [-1, 1]
//
// 1 for the same shape, 0 for nothing in common beyond the bell curve, and 0 where neither deviates.
double agreement(const Vector& a, const Vector& b);

}  // namespace cda
