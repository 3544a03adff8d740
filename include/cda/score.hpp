// How good a common space is, where something about the truth is known: which rows belong together, which label a row
// has, or which directions carry what both tables share. Every figure comes with the level that chance would reach.
#pragma once

#include "cda/types.hpp"

namespace cda {

// How far the space spanned by the columns found is from the true one, both in R^m:
//
//   error = |P - Q|_F / (the most that this distance can be for spaces of these dimensions)
//
// with the orthogonal projections P and Q onto them, so lengths and dependent columns make no difference. For two
// spaces of dimension r the divisor is sqrt(2 min(r, m - r)): 0 is the same space, 1 as far apart as R^m has room for.
// For dimensions a and b it is sqrt(a + b - 2 max(0, a + b - m)), and the least that can be reached is sqrt|a - b|
// divided by it, where one contains the other. Where both are all of R^m the error is 0 by necessity and says nothing.
struct SubspaceError {
  double error = 0.0;
  double largest_angle = 0.0;  // degrees: the largest principal angle, of min(a, b); 0 where one contains the other
};
SubspaceError subspace_error(const Matrix& found, const Matrix& truth);  // m x a, m x b

// The mean of that error where a space of dimension found_rank is drawn at random: by a simulation that is the same
// every time, with a standard error below .005.
double chance_subspace_error(Index dimension, Index found_rank, Index truth_rank);

}  // namespace cda
