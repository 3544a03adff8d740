#include "divergence/density_ratio_line.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace cda {
namespace {

constexpr Index block_rows = 128;  // a few arrays of so many stay in the first-level cache
using Block = Eigen::Array<double, block_rows, 1>;

double half_range(double lowest, double highest) { return highest > lowest ? 0.5 * (highest - lowest) : 1.0; }

}  // namespace

PolynomialLine::PolynomialLine(double lowest, double highest)
    : middle_(0.5 * (lowest + highest)), half_(half_range(lowest, highest)) {}

Matrix PolynomialLine::features(const Eigen::Ref<const Vector>& values, Index count) const {
  Matrix polynomials(values.size(), count);
  const Vector scaled = (values.array() - middle_) / half_;
  polynomials.col(0).setOnes();
  if (count > 1) polynomials.col(1) = scaled;
  for (Index k = 2; k < count; ++k)
    polynomials.col(k) = 2.0 * scaled.cwiseProduct(polynomials.col(k - 1)) - polynomials.col(k - 2);
  return polynomials;
}

template <class Work>
void PolynomialLine::for_blocks(const Vector& values, Index begin, Index end, const Work& work) const {
  for (Index row = begin; row < end; row += block_rows) {
    const Index rows = std::min(block_rows, end - row);
    Block scaled = Block::Zero();
    scaled.head(rows) = (values.segment(row, rows).array() - middle_) / half_;
    work(row, rows, scaled);
  }
}

Vector PolynomialLine::sums(const Samples& samples, Index count) const {
  const Vector values = samples.values->col(0);
  const Vector zero = Vector::Zero(count);
  return samples.executor->sum_rows(values.size(), zero, [&](Index begin, Index end, Vector& part) {
    for_blocks(values, begin, end, [&](Index, Index rows, const Block& scaled) {
      const Block twice = 2.0 * scaled;
      Block before = Block::Zero();  // rows beyond the end stay zero throughout
      before.head(rows).setOnes();
      Block last = scaled;
      part[0] += static_cast<double>(rows);
      for (Index k = 1; k < count; ++k) {
        part[k] += last.sum();
        const Block next = twice * last - before;
        before = last;
        last = next;
      }
    });
  });
}

// Clenshaw's recurrence, a block of values at a time.
Vector PolynomialLine::evaluated(const Vector& series, const Samples& samples) const {
  const Vector values = samples.values->col(0);
  Vector result(values.size());
  samples.executor->for_rows(values.size(), [&](Index begin, Index end) {
    for_blocks(values, begin, end, [&](Index row, Index rows, const Block& scaled) {
      const Block twice = 2.0 * scaled;
      Block last = Block::Zero(), before = Block::Zero();
      for (Index k = series.size() - 1; k >= 1; --k) {
        const Block next = twice * last - before + series[k];
        before = last;
        last = next;
      }
      const Block total = scaled * last - before + series[0];
      result.segment(row, rows) = total.head(rows).matrix();
    });
  });
  return result;
}

Matrix PolynomialLine::derivative(const Matrix& series) const {
  Matrix slopes = Matrix::Zero(series.rows(), series.cols());
  for (Index k = series.rows() - 1; k >= 1; --k) {
    slopes.row(k - 1) = 2.0 * static_cast<double>(k) * series.row(k);
    if (k + 1 < series.rows()) slopes.row(k - 1) += slopes.row(k + 1);
  }
  slopes.row(0) *= 0.5;
  return slopes / half_;
}

Vector PolynomialLine::product(const Vector& a, const Vector& b) {
  Vector both = Vector::Zero(a.size() + b.size() - 1);
  for (Index i = 0; i < a.size(); ++i)
    for (Index j = 0; j < b.size(); ++j) {
      const double half = 0.5 * a[i] * b[j];
      both[i + j] += half;
      both[std::abs(i - j)] += half;
    }
  return both;
}

Index KernelOnLine::size_for(double lowest, double highest, double sigma) {
  return static_cast<Index>(std::min(1e6, std::ceil(14.0 + 3.3 * (highest - lowest) / sigma)));
}

KernelOnLine::KernelOnLine(double lowest, double highest, double sigma) {
  const Index size = size_for(lowest, highest, sigma);
  const double half = half_range(lowest, highest);
  // Interpolation at the zeros of T_P: coefficients are discrete cosine transforms of the kernel there.
  Vector nodes(size);
  Matrix transform(size, size);
  for (Index i = 0; i < size; ++i) {
    const double angle = std::numbers::pi * (static_cast<double>(i) + 0.5) / static_cast<double>(size);
    nodes[i] = half * std::cos(angle);
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

Matrix second_moments(const Vector& means, Index size) {
  Matrix second(size, size);
  for (Index i = 0; i < size; ++i)
    for (Index j = 0; j < size; ++j) second(i, j) = 0.5 * (means[i + j] + means[std::abs(i - j)]);
  return second;
}

}  // namespace cda
