#include "base/moments.hpp"

#include <cmath>

namespace cda {

Vector column_means(const Matrix& rows, const Executor& executor) {
  const auto count = static_cast<double>(executor.total(rows.rows()));
  const auto mean_about = [&](const Vector& origin) -> Vector {
    const Vector zero = Vector::Zero(rows.cols());
    return executor.sum_rows(rows.rows(), zero, [&](Index begin, Index end, Vector& part) {
      part += (rows.middleRows(begin, end - begin).rowwise() - origin.transpose()).colwise().sum().transpose();
    }) / count;
  };
  // Twice: the second pass removes what rounding left of a large offset.
  const Vector first = mean_about(Vector::Zero(rows.cols()));
  return first + mean_about(first);
}

Vector column_variances(const Matrix& rows, const Vector& mean, const Executor& executor) {
  const Vector zero = Vector::Zero(rows.cols());
  return executor.sum_rows(rows.rows(), zero, [&](Index begin, Index end, Vector& part) {
    part += (rows.middleRows(begin, end - begin).rowwise() - mean.transpose()).colwise().squaredNorm().transpose();
  }) / static_cast<double>(executor.total(rows.rows()));
}

Matrix covariance_about(const Matrix& rows, const Vector& mean, const Executor& executor) {
  const Matrix zero = Matrix::Zero(rows.cols(), rows.cols());
  Matrix lower = executor.sum_rows(rows.rows(), zero, [&](Index begin, Index end, Matrix& part) {
    const Matrix centred = rows.middleRows(begin, end - begin).rowwise() - mean.transpose();
    part.selfadjointView<Eigen::Lower>().rankUpdate(centred.transpose());
  });
  lower /= static_cast<double>(executor.total(rows.rows()));
  return lower.selfadjointView<Eigen::Lower>();
}

Matrix unit_columns(const Matrix& columns, const Executor& executor) {
  Vector means = columns.colwise().sum();
  executor.add_over_ranks(means);
  means /= static_cast<double>(executor.total(columns.rows()));
  Matrix centred = columns.rowwise() - means.transpose();
  Vector squares = centred.colwise().squaredNorm();
  executor.add_over_ranks(squares);
  for (Index j = 0; j < centred.cols(); ++j)
    if (squares[j] > 0.0) centred.col(j) /= std::sqrt(squares[j]);
  return centred;
}

}  // namespace cda
