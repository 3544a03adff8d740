#include "divergence/cells.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>
#include <unsupported/Eigen/FFT>

namespace cda {
namespace {

Index cell_count(const FrequencyGrid& grid) {
  // |w h| <= pi M / N <= 1/2.
  const double least = 2.0 * std::numbers::pi * static_cast<double>(grid.count);
  return static_cast<Index>(std::bit_ceil(static_cast<std::uint64_t>(std::ceil(least))));
}

// y_c = sum_q x_q exp(2 pi i q c / N).
ComplexVector transformed(const ComplexVector& input) {
  Eigen::FFT<double> fft;
  fft.SetFlag(Eigen::FFT<double>::Unscaled);
  ComplexVector output(input.size());
  fft.inv(output.data(), input.data(), input.size());
  return output;
}

using Two = Eigen::Array<double, 2, 1>;

}  // namespace

Cells::Cells(const FrequencyGrid& grid) : grid_(grid), count_(cell_count(grid)) {
  const double period = 2.0 * std::numbers::pi / grid.step;
  lowest_ = grid.centre - 0.5 * period;
  width_ = period / static_cast<double>(count_);
  per_value_ = 1.0 / width_;
}

bool Cells::worthwhile(Index values, const FrequencyGrid& grid) {
  // Measured: a frequency costs about a third of what a value costs here, a cell as much as eight values.
  return grid.count > 6 && values > 4 * cell_count(grid);
}

Cells::Place Cells::place(double value) const {
  const double position = (value - lowest_) * per_value_;
  const double inside = std::min(std::max(0.0, position), static_cast<double>(count_ - 1));
  const auto cell = static_cast<Index>(inside);
  return {cell, 2.0 * (position - static_cast<double>(cell)) - 1.0};
}

std::array<std::complex<double>, Cells::terms> Cells::weights(Index q) const {
  const double frequency = static_cast<double>(q) * grid_.step;
  // x_0 - centre is half a cell above minus half a period: exp(i w (x_0 - centre)) = (-1)^q exp(i w h).
  const double phase = 0.5 * frequency * width_;
  std::array<std::complex<double>, terms> all;
  all[0] = (q % 2 == 0 ? 1.0 : -1.0) * std::complex<double>(std::cos(phase), std::sin(phase));
  for (std::size_t p = 1; p < all.size(); ++p)
    all[p] = all[p - 1] * std::complex<double>(0.0, phase / static_cast<double>(p));
  return all;
}

Cells::Terms Cells::moments(const Eigen::Ref<const Vector>& values, const Executor& executor) const {
  const Terms zero = Terms::Zero(terms, count_);
  return executor.sum_blocks(values.size(), zero, [&](Index begin, Index end, Terms& part) {
    for (Index i = begin; i < end; ++i) {
      const auto [cell, t] = place(values[i]);
      double* moment = part.data() + cell * terms;
      const double square = t * t;
      Two powers(1.0, t);
      for (Index p = 0; p < terms; p += 2, powers *= square) Eigen::Map<Two>(moment + p) += powers;
    }
  });
}

ComplexVector Cells::sums(const Eigen::Ref<const Vector>& values, const Executor& executor) const {
  const Terms moment = moments(values, executor);
  Eigen::MatrixXcd of_terms(grid_.count, terms / 2);  // added in their order
  // Two real transforms in one complex one: of z = a + i b, (Z_q + conj Z_-q) / 2 and (Z_q - conj Z_-q) / 2i.
  executor.for_each(terms / 2, [&](Index two) {
    const Index p = 2 * two;
    ComplexVector both(count_);
    both.real() = moment.row(p).transpose().matrix();
    both.imag() = moment.row(p + 1).transpose().matrix();
    const ComplexVector at = transformed(both);
    for (Index q = 0; q < grid_.count; ++q) {
      const std::complex<double> here = at[q], mirrored = std::conj(at[q == 0 ? 0 : count_ - q]);
      const auto weight = weights(q);
      of_terms(q, two) = weight[static_cast<std::size_t>(p)] * 0.5 * (here + mirrored) +
                         weight[static_cast<std::size_t>(p + 1)] * std::complex<double>(0.0, -0.5) * (here - mirrored);
    }
  });
  ComplexVector result = ComplexVector::Zero(grid_.count);
  for (Index two = 0; two < terms / 2; ++two) result += of_terms.col(two);
  return result;
}

Vector Cells::evaluated(const ComplexVector& coefficients, const Eigen::Ref<const Vector>& values,
                        const Executor& executor) const {
  Terms polynomial(terms, count_);
  // Re of a transform is the transform of the Hermitian part, and two such parts fit into one transform.
  executor.for_each(terms / 2, [&](Index two) {
    const Index p = 2 * two;
    ComplexVector both = ComplexVector::Zero(count_);
    const std::complex<double> i(0.0, 1.0);
    for (Index q = 0; q < grid_.count; ++q) {
      const auto weight = weights(q);
      const std::complex<double> a = 0.5 * coefficients[q] * weight[static_cast<std::size_t>(p)];
      const std::complex<double> b = 0.5 * coefficients[q] * weight[static_cast<std::size_t>(p + 1)];
      both[q] += a + i * b;
      both[q == 0 ? 0 : count_ - q] += std::conj(a) + i * std::conj(b);
    }
    const ComplexVector at = transformed(both);
    polynomial.row(p) = at.real().transpose().array();
    polynomial.row(p + 1) = at.imag().transpose().array();
  });
  Vector result(values.size());
  executor.for_rows(values.size(), [&](Index begin, Index end) {
    for (Index row = begin; row < end; ++row) {
      const auto [cell, t] = place(values[row]);
      const double* coefficient = polynomial.data() + cell * terms;
      const double square = t * t;
      Two sum = Eigen::Map<const Two>(coefficient + terms - 2);
      for (Index p = terms - 4; p >= 0; p -= 2) sum = sum * square + Eigen::Map<const Two>(coefficient + p);
      result[row] = sum[0] + t * sum[1];
    }
  });
  return result;
}

}  // namespace cda
