#include "base/gaussian_kernels.hpp"

#include <algorithm>
#include <cstring>

#include "base/exponential.hpp"
#include "base/processor.hpp"

namespace cda {
namespace {

// squares = factor * sum over dimensions of (points - centre)^2; `points` is the first dimension, others `stride`
// apart.
CDA_FOR_EACH_PROCESSOR void scaled_squares(const double* points, Index stride, const double* centre, Index dimensions,
                                           double factor, Index rows, double* squares) {
  const Index whole = rows / 8 * 8;
  for (Index i = 0; i < whole; i += 8) {
    Four first{}, second{};
    for (Index j = 0; j < dimensions; ++j) {
      Four a, b;
      std::memcpy(&a, points + j * stride + i, sizeof a);
      std::memcpy(&b, points + j * stride + i + 4, sizeof b);
      a -= centre[j];
      b -= centre[j];
      first += a * a;
      second += b * b;
    }
    first *= factor;
    second *= factor;
    std::memcpy(squares + i, &first, sizeof first);
    std::memcpy(squares + i + 4, &second, sizeof second);
  }
  for (Index i = whole; i < rows; ++i) {
    double sum = 0.0;
    for (Index j = 0; j < dimensions; ++j) {
      const double difference = points[j * stride + i] - centre[j];
      sum += difference * difference;
    }
    squares[i] = sum * factor;
  }
}

constexpr Index at_once = 4;  // centres

// For four centres: sums += factors * weights, one after the other, and the products of their weights with `other`.
CDA_FOR_EACH_PROCESSOR void add_and_dot(const double* const weights[at_once], const double factors[at_once],
                                        const double* other, Index rows, double* sums, double dots[at_once]) {
  Four with_a{}, with_b{}, with_c{}, with_d{};
  const Index whole = rows / 4 * 4;
  for (Index i = 0; i < whole; i += 4) {
    Four a, b, c, d, value, sum;
    std::memcpy(&a, weights[0] + i, sizeof a);
    std::memcpy(&b, weights[1] + i, sizeof b);
    std::memcpy(&c, weights[2] + i, sizeof c);
    std::memcpy(&d, weights[3] + i, sizeof d);
    std::memcpy(&value, other + i, sizeof value);
    std::memcpy(&sum, sums + i, sizeof sum);
    with_a += a * value;
    with_b += b * value;
    with_c += c * value;
    with_d += d * value;
    sum += factors[0] * a;
    sum += factors[1] * b;
    sum += factors[2] * c;
    sum += factors[3] * d;
    std::memcpy(sums + i, &sum, sizeof sum);
  }
  const Four all[at_once] = {with_a, with_b, with_c, with_d};
  for (Index k = 0; k < at_once; ++k) {
    dots[k] = (all[k][0] + all[k][1]) + (all[k][2] + all[k][3]);
    for (Index i = whole; i < rows; ++i) {
      dots[k] += weights[k][i] * other[i];
      sums[i] += factors[k] * weights[k][i];
    }
  }
}

}  // namespace

void gaussian_kernels(const Eigen::Ref<const Matrix>& points, const Matrix& centres, double sigma,
                      Eigen::Ref<Matrix> kernels) {
  const double factor = -0.5 / (sigma * sigma);
  const Matrix turned = centres.transpose();  // each centre in a row of memory
  for (Index c = 0; c < centres.rows(); ++c) {
    double* kernel = kernels.col(c).data();
    scaled_squares(points.data(), points.outerStride(), turned.col(c).data(), points.cols(), factor, points.rows(),
                   kernel);
    exp_in_place(kernel, points.rows());
  }
}

KernelSums kernel_sums(const Matrix& weighted, const Matrix& points, const Matrix& centres) {
  const Index rows = points.rows(), b = centres.rows(), r = points.cols();
  KernelSums sums{Vector::Zero(rows), Vector(b), Matrix::Zero(rows, r), Matrix(b, r)};
  const Vector ones = Vector::Ones(rows), zeros = Vector::Zero(rows);
  for (Index first = 0; first < b; first += at_once) {
    const Index here = std::min(at_once, b - first);
    const double* weights[at_once];
    double factors[at_once], dots[at_once];
    // Beyond the last centre there is one without weight.
    for (Index k = 0; k < at_once; ++k) weights[k] = k < here ? weighted.col(first + k).data() : zeros.data();
    std::fill_n(factors, at_once, 1.0);
    add_and_dot(weights, factors, ones.data(), rows, sums.by_row.data(), dots);
    std::copy_n(dots, here, sums.by_centre.data() + first);
    for (Index j = 0; j < r; ++j) {
      for (Index k = 0; k < here; ++k) factors[k] = centres(first + k, j);
      add_and_dot(weights, factors, points.col(j).data(), rows, sums.toward.col(j).data(), dots);
      for (Index k = 0; k < here; ++k) sums.across(first + k, j) = dots[k];
    }
  }
  return sums;
}

}  // namespace cda
