#include "preparation/moments.hpp"

#include <Eigen/Eigenvalues>

#include "cda/error.hpp"

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

Matrix covariance_about(const Matrix& rows, const Vector& mean, const Executor& executor) {
  const Matrix zero = Matrix::Zero(rows.cols(), rows.cols());
  Matrix lower = executor.sum_rows(rows.rows(), zero, [&](Index begin, Index end, Matrix& part) {
    const Matrix centred = rows.middleRows(begin, end - begin).rowwise() - mean.transpose();
    part.selfadjointView<Eigen::Lower>().rankUpdate(centred.transpose());
  });
  lower /= static_cast<double>(rows.rows());
  return lower.selfadjointView<Eigen::Lower>();
}

Axes principal_axes(const Matrix& symmetric) {
  if (!symmetric.allFinite())
    throw Error(Fault::numerical, "data.not_finite", "the data left the range of finite numbers",
                "check for values near the largest double");
  Eigen::SelfAdjointEigenSolver<Matrix> solver(symmetric);
  Axes axes{solver.eigenvalues(), solver.eigenvectors()};
  for (Index j = 0; j < axes.vectors.cols(); ++j) {
    Index largest = 0;
    axes.vectors.col(j).cwiseAbs().maxCoeff(&largest);
    if (axes.vectors(largest, j) < 0.0) axes.vectors.col(j) *= -1.0;
  }
  return axes;
}

}  // namespace cda
