#include "foundation/moments.hpp"

namespace cda {

Vector column_means(const Matrix& rows, const Executor& executor) {
  const auto mean_about = [&](const Vector& origin) -> Vector {
    const Vector zero = Vector::Zero(rows.cols());
    return executor.sum_rows(rows.rows(), zero, [&](Index begin, Index end, Vector& part) {
      part += (rows.middleRows(begin, end - begin).rowwise() - origin.transpose()).colwise().sum().transpose();
    }) / static_cast<double>(rows.rows());
  };
  // Twice: the second pass removes what rounding left of a large offset.
  const Vector first = mean_about(Vector::Zero(rows.cols()));
  return first + mean_about(first);
}

Vector column_variances(const Matrix& rows, const Vector& mean, const Executor& executor) {
  const Vector zero = Vector::Zero(rows.cols());
  return executor.sum_rows(rows.rows(), zero, [&](Index begin, Index end, Vector& part) {
    part += (rows.middleRows(begin, end - begin).rowwise() - mean.transpose()).colwise().squaredNorm().transpose();
  }) / static_cast<double>(rows.rows());
}

Matrix covariance_about(const Matrix& rows, const Vector& mean, const Executor& executor) {
  const Matrix zero = Matrix::Zero(rows.cols(), rows.cols());
  Matrix lower = executor.sum_rows(rows.rows(), zero, [&](Index begin, Index end, Matrix& part) {
    const Matrix centred = rows.middleRows(begin, end - begin).rowwise() - mean.transpose();
    part.selfadjointView<Eigen::Lower>().rankUpdate(centred.transpose());
  });
  lower /= static_cast<double>(rows.rows());
  return lower.selfadjointView<Eigen::Lower>();
}

Matrix unit_columns(const Matrix& columns) {
  Matrix centred = columns.rowwise() - columns.colwise().mean();
  for (Index j = 0; j < centred.cols(); ++j) {
    const double norm = centred.col(j).norm();
    if (norm > 0.0) centred.col(j) /= norm;
  }
  return centred;
}

}  // namespace cda
