// Predicting each pivot column from the others, the first step of structural correspondence learning. For standardised
// rows Z with covariance C = Z'Z/N and pivot p
//
//   w_p = (C_{-p,-p} + lambda I)^{-1} C_{-p,p},   w_pp = 0,
//
// with one lambda for all pivots, chosen by 5-fold cross-validation among 10^-4 ... 10^1. All from the columns of
// P = (C + lambda I)^{-1}, since w_p = -P_p / P_pp but for its own entry: after one pass over the rows, O(d^3) for each
// lambda and fold.
#pragma once

#include <vector>

#include "cda/extend/executor.hpp"
#include "cda/types.hpp"

namespace cda {

struct PivotPredictors {
  Matrix weights;  // d x pivots
  double lambda = 0.0;
};

// Predictors of the pivots (columns of the rows) by all other columns. Rows have mean zero.
PivotPredictors pivot_predictors(const Matrix& rows, const std::vector<Index>& pivots, const Executor& executor);

// The `count` columns whose values are distributed most alike in both tables (1-D Wasserstein distance, order 1), in
// increasing order; all of them where count is 0.
std::vector<Index> choose_pivots(const Matrix& x, const Matrix& y, Index count);

}  // namespace cda
