#include "foundation/gaussian_kernels.hpp"

#include <cstring>

#include "foundation/exponential.hpp"
#include "foundation/processor.hpp"

namespace cda {
namespace {

// squares (+)= (points - centre)^2
CDA_FOR_EACH_PROCESSOR void add_squares(const double* points, double centre, Index rows, bool first, double* squares) {
  if (first)
    for (Index i = 0; i < rows; ++i) squares[i] = (points[i] - centre) * (points[i] - centre);
  else
    for (Index i = 0; i < rows; ++i) squares[i] += (points[i] - centre) * (points[i] - centre);
}

// sums += factor * weights, and weights' other.
CDA_FOR_EACH_PROCESSOR double add_and_dot(const double* weights, const double* other, double factor, Index rows,
                                          double* sums) {
  Four dots{};
  const Index whole = rows / 4 * 4;
  for (Index i = 0; i < whole; i += 4) {
    Four weight, value, sum;
    std::memcpy(&weight, weights + i, sizeof weight);
    std::memcpy(&value, other + i, sizeof value);
    std::memcpy(&sum, sums + i, sizeof sum);
    dots += weight * value;
    sum += factor * weight;
    std::memcpy(sums + i, &sum, sizeof sum);
  }
  double dot = (dots[0] + dots[1]) + (dots[2] + dots[3]);
  for (Index i = whole; i < rows; ++i) {
    dot += weights[i] * other[i];
    sums[i] += factor * weights[i];
  }
  return dot;
}

}  // namespace

void gaussian_kernels(const Eigen::Ref<const Matrix>& points, const Matrix& centres, double sigma,
                      Eigen::Ref<Matrix> kernels) {
  const double factor = -0.5 / (sigma * sigma);
  for (Index c = 0; c < centres.rows(); ++c) {
    for (Index j = 0; j < points.cols(); ++j)
      add_squares(points.col(j).data(), centres(c, j), points.rows(), j == 0, kernels.col(c).data());
    kernels.col(c) *= factor;
    exp_in_place(kernels.col(c).data(), points.rows());
  }
}

KernelSums kernel_sums(const Matrix& weighted, const Matrix& points, const Matrix& centres) {
  const Index rows = points.rows(), b = centres.rows(), r = points.cols();
  KernelSums sums{Vector::Zero(rows), Vector(b), Matrix::Zero(rows, r), Matrix(b, r)};
  const Vector ones = Vector::Ones(rows);
  for (Index c = 0; c < b; ++c) {
    const double* weights = weighted.col(c).data();
    sums.by_centre[c] = add_and_dot(weights, ones.data(), 1.0, rows, sums.by_row.data());
    for (Index j = 0; j < r; ++j)
      sums.across(c, j) = add_and_dot(weights, points.col(j).data(), centres(c, j), rows, sums.toward.col(j).data());
  }
  return sums;
}

}  // namespace cda
