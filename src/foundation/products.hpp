// Products of columns with each other, for a block of rows that lies near the processor.
#pragma once

#include "cda/types.hpp"

namespace cda {

// products += columns' columns, below the diagonal and on it. The same operations in the same order on every machine;
// O(rows columns^2 / 2).
void add_products(const Eigen::Ref<const Matrix>& columns, Eigen::Ref<Matrix> products);

}  // namespace cda
