// Rows where they are: a model maps numbers that somebody else holds, in either order and with any steps between them,
// without a copy of the whole.
#pragma once

#include "cda/model.hpp"

namespace cda {

// n x m numbers in memory of any order: row by row, column by column, or every so many of them. A Matrix is one, too.
using RowsView = Eigen::Ref<const Matrix, Eigen::Unaligned, Eigen::Stride<Eigen::Dynamic, Eigen::Dynamic>>;

// The values of the rows, n x pairs; columns in the order of the fit. Model::transform of a matrix is this.
Matrix transform(const Model& model, Side side, const RowsView& rows);

}  // namespace cda
