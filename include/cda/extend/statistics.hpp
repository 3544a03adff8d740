// What a divergence may look at. Choosing one is choosing the cost:
//
//   Moments       mean and covariance; from stored p x p moments, never touches the rows again
//   SortedValues  the values in increasing order: O(n log n)
//   FourierSums   the characteristic function on a grid of frequencies: O(M n), sums only
//   Samples       every value, n x r
#pragma once

#include "cda/extend/executor.hpp"
#include "cda/types.hpp"

namespace cda {

struct Moments {
  Vector mean;        // r
  Matrix covariance;  // r x r
};

// All values, or a part of them. Only divergences that say how they can be cut (DivergenceOf<SortedValues>::cut) are
// given parts: of long samples, and of those that are spread over ranks.
struct SortedValues {
  Vector values;                       // increasing
  Index first = 0;                     // how many values of the whole come before them
  Index total = 0;                     // how many values the whole has
  double lowest = 0.0, highest = 0.0;  // of the whole
};

// a_q = mean_i exp(i w_q (x_i - centre)), w_q = q * step, q = 0 .. count - 1.
struct FrequencyGrid {
  double centre = 0.0;
  double step = 1.0;
  Index count = 1;
};
struct FourierSums {
  FrequencyGrid grid;
  ComplexVector at;          // count
  double total_scale = 1.0;  // for bandwidths that follow the scale
};

struct Samples {
  const Matrix* values = nullptr;      // n x r
  const Executor* executor = nullptr;  // sums over rows go through it: fixed chunks, any number of threads
  double total_scale = 1.0;
  Index total = 0;  // rows of all ranks together; 0: those that are here
  Index size() const { return total > 0 ? total : values->rows(); }
};

// Derivatives of the value with respect to a statistic; sized and zero when between() is called.
template <class Statistic>
struct Gradient;
template <>
struct Gradient<Moments> {
  Vector mean;
  Matrix covariance;
};
template <>
struct Gradient<SortedValues> {
  Vector values;
};
template <>
struct Gradient<FourierSums> {
  ComplexVector at;  // d value = sum_q Re(conj(at_q) d a_q)
  double total_scale = 0.0;
};
template <>
struct Gradient<Samples> {
  Matrix values;
  double total_scale = 0.0;
};

}  // namespace cda
