// A divergence of two samples as they stand, without tables, directions or scales.
#pragma once

#include "cda/extend/divergence.hpp"
#include "cda/types.hpp"

namespace cda {

// D of the rows of x (n x r) and y (k x r); where given, dx and dy are filled with its derivative by every value. What
// the data decide (bandwidths, centres) is decided at these samples and then held fixed. The derivatives are there for
// divergences on a statistic (DivergenceOf), which all of the catalogue are; for others it throws.
double divergence_of_values(const Divergence& divergence, const Matrix& x, const Matrix& y, Matrix* dx = nullptr,
                            Matrix* dy = nullptr, const Executor& executor = Executor(1));

}  // namespace cda
