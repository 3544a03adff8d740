// Products of matrices that lie near the processor, in wide registers where it has them.
#pragma once

#include "cda/types.hpp"

namespace cda {

// products += columns' columns, below the diagonal and on it. The same operations in the same order on every machine;
// O(rows columns^2 / 2).
void add_products(const Eigen::Ref<const Matrix>& columns, Eigen::Ref<Matrix> products);

// product = left * right, for factors that lie near the processor: some hundred rows and columns.
void multiply(const Eigen::Ref<const Matrix>& left, const Eigen::Ref<const Matrix>& right, Matrix& product);

}  // namespace cda
