// Transfer components: directions a along which rows of two tables vary while the tables' means agree,
//
//   max_a  a'Sa / (a'(delta delta' + mu C^{-1})a),
//
// with S = Z'HZ the scatter of all N rows about their common mean, C = Z'Z, delta = mean of X - mean of Y. This is the
// linear kernel's case of min_W tr(W'KLKW) + mu tr(W'W) under W'KHKW = I, in which the coefficients W (N x r) of a
// direction a = Z'W enter by their smallest norm, |W|^2 = a'C^{-1}a. The same formula serves other kernels on features
// whose products are the kernel. With g = C^{-1/2}a it is a symmetric problem, the right side of which is a multiple of
// the identity plus one rank, so it needs no more than moments: O(N d^2 + d^3).
#pragma once

#include "cda/types.hpp"

namespace cda {

// Of the rows of both tables.
struct PooledMoments {
  Matrix products;        // d x d: C
  Vector x_mean, y_mean;  // d
  Index x_rows = 0, y_rows = 0;
};
PooledMoments pooled_moments(const Matrix& x, const Matrix& y);

struct TransferComponents {
  Matrix directions;  // d x r, each with a'Sa = 1
  Vector values;      // r: what is maximised, decreasing
};

// `coefficients_cost`: mu weighs |W|^2 as above; else |a|^2, mu I in place of mu C^{-1} (the "primal" variant).
TransferComponents transfer_components(const PooledMoments& moments, double mu, Index count, bool coefficients_cost);

}  // namespace cda
