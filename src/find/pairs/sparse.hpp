// Pairs on few columns, for people who want to read or measure them.
#pragma once

#include "cda/extend/formulation.hpp"
#include "cda/model.hpp"

namespace cda {

// Correlation of every original column with every column of values (inputs x r); 0 for columns set aside.
Matrix correlations(const Matrix& rows, const PreparedColumns& columns, const Matrix& values, const Executor& executor);

// Limits each side of each pair to its best `most` columns and records what that costs in agreement. Needs the pairs'
// directions and agreement; changes directions, divergences, and the sparse weights. Choices are no longer improved
// once it is enough.
void limit_columns(Index most, const Matrix& x_rows, const Matrix& y_rows, const Comparison& comparison,
                   const Stopping& stopping, Model& model);

}  // namespace cda
