// The numbers everything is written in. Rows are observations, columns are variables, everywhere.
#pragma once

#include <Eigen/Core>
#include <complex>

namespace cda {

using Index = Eigen::Index;
using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;  // column-major: a column of a table is contiguous
using ComplexVector = Eigen::VectorXcd;

}  // namespace cda
