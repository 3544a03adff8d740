// How each statistic is taken from projected values, and how a gradient with respect to it flows back to them.
#pragma once

#include <vector>

#include "cda/projection.hpp"
#include "cda/statistics.hpp"

namespace cda {

Moments observe_moments(const Projection& projection);
void pull_back(const Gradient<Moments>& gradient, Projection& projection);

// The values in increasing order (equal ones in the order of their rows), and where each came from.
struct Sorted {
  SortedValues values;
  std::vector<Index> order;
};
Sorted sort_values(const Eigen::Ref<const Vector>& values);  // of the values that are here
Vector pull_back(const Gradient<SortedValues>& gradient, const std::vector<Index>& order);

// `total` is the number of values of all ranks together.
ComplexVector fourier_sums(const Eigen::Ref<const Vector>& values, Index total, const FrequencyGrid& grid,
                           const Executor& executor);
Vector pull_back(const Gradient<FourierSums>& gradient, const Eigen::Ref<const Vector>& values, Index total,
                 const FrequencyGrid& grid, const Executor& executor);

}  // namespace cda
