// Means and covariances of rows, in fixed chunks: the same on any number of threads, and right far from zero.
#pragma once

#include "cda/extend/executor.hpp"
#include "cda/types.hpp"

namespace cda {

Vector column_means(const Matrix& rows, const Executor& executor);
Vector column_variances(const Matrix& rows, const Vector& mean, const Executor& executor);  // divided by n
Matrix covariance_about(const Matrix& rows, const Vector& mean, const Executor& executor);  // divided by n

// Columns with mean 0 and length 1 (0 where a column does not vary), so that products of them are correlations.
Matrix unit_columns(const Matrix& columns, const Executor& executor = Executor(1));

}  // namespace cda
