// The empirical characteristic function on an equidistant grid of frequencies,
//
//   a_q = (1/n) sum_i exp(i w_q (x_i - c)),   w_q = q h,
//
// and the way back: d/dx_i = (1/n) sum_q Re(conj(g_q) i w_q exp(i w_q (x_i - c))).
// Both walk through the powers of exp(i h (x - c)) for a block of rows at a time: one complex product per row and
// frequency, on arrays that stay in the first-level cache. Powers are taken afresh every 64 terms, so that rounding
// errors do not grow with the number of frequencies. Where values are many, cells take over (divergence/cells.hpp): one
// way or the other is chosen by how many values and frequencies there are, and nothing else.
#include <cmath>

#include "divergence/cells.hpp"
#include "divergence/observe.hpp"

namespace cda {
namespace {

constexpr Index block_rows = 128;
constexpr Index restart_every = 64;
using Block = Eigen::Array<double, block_rows, 1>;

// exp(i w_q (x - c)) of a block of rows, for q = 0, 1, 2, ... in turn.
class Powers {
 public:
  Powers(const double* values, Index rows, const FrequencyGrid& grid) : rows_(rows), step_(grid.step) {
    shifted_.setZero();
    for (Index i = 0; i < rows; ++i) shifted_[i] = values[i] - grid.centre;
    set(1, base_real_, base_imaginary_);
    real_.setZero();
    real_.head(rows).setOnes();  // rows beyond the end stay exactly zero and add nothing
    imaginary_.setZero();
  }

  const Block& real() const { return real_; }
  const Block& imaginary() const { return imaginary_; }

  void advance() {
    ++q_;
    if (q_ % restart_every == 0) {
      set(q_, real_, imaginary_);
      return;
    }
    const Block next = real_ * base_real_ - imaginary_ * base_imaginary_;
    imaginary_ = real_ * base_imaginary_ + imaginary_ * base_real_;
    real_ = next;
  }

 private:
  void set(Index q, Block& real, Block& imaginary) const {
    real.setZero();
    imaginary.setZero();
    const double frequency = static_cast<double>(q) * step_;
    for (Index i = 0; i < rows_; ++i) {
      real[i] = std::cos(frequency * shifted_[i]);
      imaginary[i] = std::sin(frequency * shifted_[i]);
    }
  }

  Index rows_;
  double step_;
  Index q_ = 0;
  Block shifted_, base_real_, base_imaginary_, real_, imaginary_;
};

}  // namespace

ComplexVector fourier_sums(const Eigen::Ref<const Vector>& values, Index total, const FrequencyGrid& grid,
                           const Executor& executor) {
  if (Cells::worthwhile(total, grid)) return Cells(grid).sums(values, executor) / static_cast<double>(total);
  const ComplexVector zero = ComplexVector::Zero(grid.count);
  ComplexVector sums = executor.sum_rows(values.size(), zero, [&](Index begin, Index end, ComplexVector& part) {
    for (Index row = begin; row < end; row += block_rows) {
      Powers powers(values.data() + row, std::min(block_rows, end - row), grid);
      for (Index q = 0; q < grid.count; ++q) {
        part[q] += std::complex<double>(powers.real().sum(), powers.imaginary().sum());
        if (q + 1 < grid.count) powers.advance();
      }
    }
  });
  return sums / static_cast<double>(total);
}

Vector pull_back(const Gradient<FourierSums>& gradient, const Eigen::Ref<const Vector>& values, Index total,
                 const FrequencyGrid& grid, const Executor& executor) {
  if (Cells::worthwhile(total, grid)) {
    ComplexVector coefficients(grid.count);
    for (Index q = 0; q < grid.count; ++q) {
      const double weight = static_cast<double>(q) * grid.step / static_cast<double>(total);
      coefficients[q] = std::conj(gradient.at[q]) * std::complex<double>(0.0, weight);
    }
    return Cells(grid).evaluated(coefficients, values, executor);
  }
  // Re(conj(g) i w e) = w (Im(g) Re(e) - Re(g) Im(e)).
  Vector for_real(grid.count), for_imaginary(grid.count);
  for (Index q = 0; q < grid.count; ++q) {
    const double weight = static_cast<double>(q) * grid.step / static_cast<double>(total);
    for_real[q] = weight * gradient.at[q].imag();
    for_imaginary[q] = -weight * gradient.at[q].real();
  }
  Vector d_values(values.size());
  executor.for_rows(values.size(), [&](Index begin, Index end) {
    for (Index row = begin; row < end; row += block_rows) {
      const Index rows = std::min(block_rows, end - row);
      Powers powers(values.data() + row, rows, grid);
      Block sum = Block::Zero();
      for (Index q = 1; q < grid.count; ++q) {
        powers.advance();
        sum += for_real[q] * powers.real() + for_imaginary[q] * powers.imaginary();
      }
      d_values.segment(row, rows) = sum.head(rows).matrix();
    }
  });
  return d_values;
}

}  // namespace cda
