// Sums of exponentials at many values, and sums of exponentials evaluated there, at a cost per value that does not grow
// with the number of frequencies. One period 2 pi / step of the grid is cut into N equal cells; within the cell around
// x_c, of half width h, with t = (x - x_c) / h in [-1, 1],
//
//   exp(i w (x - centre)) = exp(i w (x_c - centre)) sum_p (i w h)^p / p! t^p,    |w h| <= 1/2: 12 terms leave 5e-13
//
// so the values are needed only as moments sum t^p of each cell, and what is left is a discrete Fourier transform over
// the cells for each p. On the way back every cell gets a polynomial in t, by the same transforms, and a value looks up
// its own. O(12 n + 12 N log N), N < 13 times the number of frequencies.
// The idea is that of non-uniform fast Fourier transforms (Anderson and Dahleh 1996, by Taylor expansion).
#pragma once

#include <array>

#include "cda/extend/executor.hpp"
#include "cda/extend/statistics.hpp"

namespace cda {

class Cells {
 public:
  // All values have to lie within half a period of the grid's centre, as they do where images may not overlap.
  explicit Cells(const FrequencyGrid& grid);

  // Whether this is cheaper than going through all frequencies for each of so many values.
  static bool worthwhile(Index values, const FrequencyGrid& grid);

  // sum_i exp(i w_q (x_i - centre)) for every frequency.
  ComplexVector sums(const Eigen::Ref<const Vector>& values, const Executor& executor) const;
  // Re sum_q c_q exp(i w_q (x_i - centre)) for every value.
  Vector evaluated(const ComplexVector& coefficients, const Eigen::Ref<const Vector>& values,
                   const Executor& executor) const;

 private:
  static constexpr Index terms = 12;
  using Terms = Eigen::Array<double, terms, Eigen::Dynamic>;  // a column for each cell

  struct Place {
    Index cell;
    double t;
  };
  Place place(double value) const;
  // (i w_q h)^p / p! exp(i w_q (x_0 - centre)) for p = 0, 1, ...: what a moment of the cells weighs at frequency q.
  std::array<std::complex<double>, terms> weights(Index q) const;
  Terms moments(const Eigen::Ref<const Vector>& values, const Executor& executor) const;

  FrequencyGrid grid_;
  Index count_;                        // N, a power of two
  double lowest_, width_, per_value_;  // per_value_: cells, = 1 / width
};

}  // namespace cda
