// A task for a baseline, and the distance of subspaces.
#pragma once

#include <Eigen/QR>
#include <cmath>

#include "cda/extend/baseline.hpp"

namespace cda::test {

inline BaselineTask task_of(const Matrix& x, const Matrix& y, Index components, const Executor& executor,
                            std::uint64_t seed = 1) {
  return {x, y, components, seed, executor, [](double) {}, [] { return std::string(); }};
}

inline Matrix standardised(Matrix rows) {
  rows.rowwise() -= rows.colwise().mean().eval();
  rows.array().rowwise() /= (rows.colwise().norm() / std::sqrt(static_cast<double>(rows.rows()))).array();
  return rows;
}

inline Matrix orthonormal(const Matrix& columns) {
  return Eigen::HouseholderQR<Matrix>(columns).householderQ() * Matrix::Identity(columns.rows(), columns.cols());
}

// |UU' - WW'| relative to the largest it can be for these ranks and this dimension: 0 equal, 1 as far as possible.
inline double subspace_error(const Matrix& found, const Matrix& truth) {
  const Matrix u = orthonormal(found), w = orthonormal(truth);
  const double shared = (u.transpose() * w).squaredNorm();
  const Index dimension = u.rows();
  const auto a = static_cast<double>(u.cols()), b = static_cast<double>(w.cols());
  const double least = std::max(0.0, a + b - static_cast<double>(dimension)), most = std::min(a, b);
  return most > least ? std::sqrt(std::max(0.0, most - shared) / (most - least)) : 0.0;
}

}  // namespace cda::test
