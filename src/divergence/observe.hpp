// How each statistic is taken from projected values, and how a gradient with respect to it flows back to them.
#pragma once

#include "cda/extend/projection.hpp"
#include "cda/extend/statistics.hpp"

namespace cda {

Moments observe_moments(const Projection& projection);
void pull_back(const Gradient<Moments>& gradient, Projection& projection);

// The values in increasing order (equal ones in the order of their rows, what is not a number last), and the row that
// each came from. Of the values that are here: the executor's ranks are not asked.
using RowNumbers = Eigen::Matrix<Index, Eigen::Dynamic, 1>;
struct Sorted {
  SortedValues values;
  RowNumbers order;
};
Sorted sort_values(const Eigen::Ref<const Vector>& values, const Executor& executor = Executor(1));
Vector pull_back(const Gradient<SortedValues>& gradient, const RowNumbers& order,
                 const Executor& executor = Executor(1));

// `total` is the number of values of all ranks together.
ComplexVector fourier_sums(const Eigen::Ref<const Vector>& values, Index total, const FrequencyGrid& grid,
                           const Executor& executor);
Vector pull_back(const Gradient<FourierSums>& gradient, const Eigen::Ref<const Vector>& values, Index total,
                 const FrequencyGrid& grid, const Executor& executor);

}  // namespace cda
