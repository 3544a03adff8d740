// Two sorted samples cut into parts that are compared one by one. Where the cuts are depends on how many values there
// are and on nothing else, and the values of parts are added in their order: so it makes no difference to the last bit
// whether all parts are compared in one place or each rank compares some of them.
#pragma once

#include <functional>
#include <vector>

#include "cda/extend/divergence.hpp"
#include "cda/extend/executor.hpp"

namespace cda {

using SortedCut = DivergenceOf<SortedValues>::Cut;
using SortedBetween = std::function<double(const SortedValues& x, const SortedValues& y, Gradient<SortedValues>* dx,
                                           Gradient<SortedValues>* dy)>;

// The value between two samples, of which every rank gives those it has, in any order; where d_x and d_y are given, the
// derivatives by every value.
double compare_in_parts(const Eigen::Ref<const Vector>& x, const Eigen::Ref<const Vector>& y, SortedCut cut,
                        const SortedBetween& between, const Executor& executor, Vector* d_x, Vector* d_y);

}  // namespace cda
