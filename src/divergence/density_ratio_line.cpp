#include "divergence/density_ratio_line.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace cda {

Index KernelOnLine::size_for(double lowest, double highest, double sigma) {
  return static_cast<Index>(std::min(1e6, std::ceil(14.0 + 3.3 * (highest - lowest) / sigma)));
}

KernelOnLine::KernelOnLine(double lowest, double highest, double sigma)
    : middle_(0.5 * (lowest + highest)), half_(highest > lowest ? 0.5 * (highest - lowest) : 1.0) {
  const Index size = size_for(lowest, highest, sigma);
  // Interpolation at the zeros of T_P: coefficients are discrete cosine transforms of the kernel there.
  Vector nodes(size);
  Matrix transform(size, size);
  for (Index i = 0; i < size; ++i) {
    const double angle = std::numbers::pi * (static_cast<double>(i) + 0.5) / static_cast<double>(size);
    nodes[i] = half_ * std::cos(angle);
    for (Index j = 0; j < size; ++j)
      transform(j, i) = (j == 0 ? 1.0 : 2.0) / static_cast<double>(size) * std::cos(static_cast<double>(j) * angle);
  }
  Matrix at_nodes(size, size), slope_at_nodes(size, size);
  for (Index i = 0; i < size; ++i)
    for (Index j = 0; j < size; ++j) {
      const double squared = (nodes[i] - nodes[j]) * (nodes[i] - nodes[j]) / (sigma * sigma);
      at_nodes(i, j) = std::exp(-0.5 * squared);
      slope_at_nodes(i, j) = at_nodes(i, j) * squared / sigma;
    }
  kernel_ = transform * at_nodes * transform.transpose();
  sigma_derivative_ = transform * slope_at_nodes * transform.transpose();
}

Matrix KernelOnLine::features(const Eigen::Ref<const Vector>& values) const {
  Matrix polynomials(values.size(), size());
  const Vector scaled = (values.array() - middle_) / half_;
  polynomials.col(0).setOnes();
  polynomials.col(1) = scaled;
  for (Index k = 2; k < size(); ++k)
    polynomials.col(k) = 2.0 * scaled.cwiseProduct(polynomials.col(k - 1)) - polynomials.col(k - 2);
  return polynomials;
}

Matrix KernelOnLine::derivative(const Matrix& coefficients) const {
  Matrix slopes = Matrix::Zero(coefficients.rows(), coefficients.cols());
  for (Index k = coefficients.rows() - 1; k >= 1; --k) {
    slopes.row(k - 1) = 2.0 * static_cast<double>(k) * coefficients.row(k);
    if (k + 1 < coefficients.rows()) slopes.row(k - 1) += slopes.row(k + 1);
  }
  slopes.row(0) *= 0.5;
  return slopes / half_;
}

FeatureMoments feature_moments(const KernelOnLine& line, const Samples& samples) {
  constexpr Index block_rows = 512;
  const Index size = line.size();
  // F'F below, F'1 in one more column.
  const Matrix zero = Matrix::Zero(size, size + 1);
  const Matrix sums =
      samples.executor->sum_rows(samples.values->rows(), zero, [&](Index begin, Index end, Matrix& part) {
        for (Index row = begin; row < end; row += block_rows) {
          const Matrix features = line.features(samples.values->col(0).segment(row, std::min(block_rows, end - row)));
          part.leftCols(size).selfadjointView<Eigen::Lower>().rankUpdate(features.transpose());
          part.col(size) += features.colwise().sum().transpose();
        }
      });
  FeatureMoments moments;
  moments.second = sums.leftCols(size).selfadjointView<Eigen::Lower>();
  moments.first = sums.col(size);
  moments.rows = static_cast<double>(samples.values->rows());
  return moments;
}

}  // namespace cda
