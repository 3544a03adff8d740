// Canonical correlations of two tables whose rows belong together (Hotelling, Biometrika 28, 1936). For centred X
// (n x p) and Y (n x q), Cxx = X'X/n + k I with k = kappa * mean variance of X's columns, Cyy likewise, Cxy = X'Y/n:
//
//   Cxx^-1/2 Cxy Cyy^-1/2 = P S Q',   A = Cxx^-1/2 P,   B = Cyy^-1/2 Q,   S: the correlations
//
// so that A'CxxA = B'CyyB = I and A'CxyB = S. Axes come from the covariance, O(n p^2 + p^3), or where rows are fewer
// than columns from the products of rows, O(n^2 p), without a p x p matrix; directions along which nothing varies get
// no weight.
//
// kappa = 0 avoids products altogether: QR with column pivoting of X and Y, columns with |R_ii| < 1e-10 |R_11| left
// out, and P S Q' = Qx'Qy. Left-out columns have weight zero. A = sqrt(n) Rx^-1 P.
#pragma once

#include "cda/extend/executor.hpp"
#include "cda/types.hpp"

namespace cda {

struct CanonicalPairs {
  Matrix x, y;           // p x r, q x r: A and B; the largest entry of each column of A is positive
  Vector correlations;   // r, decreasing
  Index x_rank, y_rank;  // dimensions that took part

  Index pairs() const { return correlations.size(); }
};

// At most `components` pairs: fewer where the smaller rank is lower. Throws where the numbers of rows differ.
CanonicalPairs canonical_pairs(const Matrix& x, const Matrix& y, Index components, double kappa,
                               const Executor& executor = Executor(1));

// Correlations, column by column, of values whose rows belong together; 0 where one of them is constant.
Vector column_correlations(const Matrix& x_values, const Matrix& y_values);

}  // namespace cda
