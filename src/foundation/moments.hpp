// Means and covariances of rows, in fixed chunks: the same on any number of threads, and right far from zero.
#pragma once

#include "cda/executor.hpp"
#include "cda/types.hpp"

namespace cda {

Vector column_means(const Matrix& rows, const Executor& executor);
Matrix covariance_about(const Matrix& rows, const Vector& mean, const Executor& executor);  // divided by n

}  // namespace cda
