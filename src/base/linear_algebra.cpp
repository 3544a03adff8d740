#include "base/linear_algebra.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/QR>
#include <Eigen/SVD>
#include <algorithm>
#include <cmath>

#include "cda/error.hpp"

namespace cda {
namespace {

void settle_signs(Matrix& vectors) {
  for (Index j = 0; j < vectors.cols(); ++j) {
    Index largest = 0;
    vectors.col(j).cwiseAbs().maxCoeff(&largest);
    if (vectors(largest, j) < 0.0) vectors.col(j) *= -1.0;
  }
}

}  // namespace

Axes principal_axes(const Matrix& symmetric) {
  if (!symmetric.allFinite())
    throw Error(Fault::numerical, "data.not_finite", "the data left the range of finite numbers",
                "check for values near the largest double");
  Axes axes = plain_axes(symmetric);
  settle_signs(axes.vectors);
  return axes;
}

Axes plain_axes(const Matrix& symmetric) {
  const Eigen::SelfAdjointEigenSolver<Matrix> solver(symmetric);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

Axes axes_of_few_rows(const Matrix& centred) {
  constexpr double nothing = 1e-13;
  const auto n = static_cast<double>(centred.rows());
  const Axes of_rows = principal_axes(centred * centred.transpose() / n);
  const Index count = of_rows.values.size();
  Index rank = 0;
  while (rank < count && of_rows.values[count - 1 - rank] > nothing * of_rows.values[count - 1]) ++rank;
  if (rank == 0) return {Vector(0), Matrix(centred.cols(), 0)};
  // Z'w for an eigenvector w of ZZ' is one of Z'Z. Products square the range of numbers, so narrow axes carry parts of
  // wide ones: they are made orthogonal, widest first.
  const Matrix rough = centred.transpose() * of_rows.vectors.rightCols(rank).rowwise().reverse();  // widest first
  const Matrix unit = rough.colwise().normalized();
  const Eigen::HouseholderQR<Matrix> qr(unit);
  Matrix vectors = qr.householderQ() * Matrix::Identity(centred.cols(), rank);
  const Vector values = ((centred * vectors).colwise().squaredNorm() / n).transpose();
  // The same vectors turned into exact axes of what they span would change values by rounding only.
  Axes axes{values.reverse(), vectors.rowwise().reverse()};
  settle_signs(axes.vectors);
  return axes;
}

Matrix orthonormal_basis(const Matrix& columns, double none) {
  Eigen::ColPivHouseholderQR<Matrix> qr(columns.rows(), columns.cols());
  qr.setThreshold(none);
  qr.compute(columns);
  const Index rank = columns.size() == 0 ? 0 : qr.rank();
  if (rank == 0) return Matrix(columns.rows(), 0);
  return qr.householderQ() * Matrix::Identity(columns.rows(), rank);
}

Matrix orthonormal_frame(const Matrix& columns) { return Eigen::HouseholderQR<Matrix>(columns).householderQ(); }

Factored orthonormal_factor(const Matrix& columns, Index size) {
  // Pivoting puts the rank into the first columns, so that `size` of them hold all of it.
  const Eigen::ColPivHouseholderQR<Matrix> qr(columns);
  const Matrix upper = qr.matrixQR().topRows(size).triangularView<Eigen::Upper>();
  return {qr.householderQ() * Matrix::Identity(columns.rows(), size), upper * qr.colsPermutation().transpose()};
}

Matrix polar_factor(const Matrix& any) {
  const SingularParts parts = singular_parts(any);
  return parts.left * parts.right.transpose();
}

LeftVectors left_vectors(const Matrix& any, Index count) {
  const Index known = std::min(any.rows(), any.cols());
  const Eigen::JacobiSVD<Matrix> svd(any, known < count ? Eigen::ComputeFullU : Eigen::ComputeThinU);
  LeftVectors left{Vector::Zero(count), svd.matrixU().leftCols(count)};
  left.values.head(std::min(known, count)) = svd.singularValues().head(std::min(known, count));
  settle_signs(left.vectors);
  return left;
}

SingularParts singular_parts(const Matrix& any) {
  constexpr unsigned thin = Eigen::ComputeThinU | Eigen::ComputeThinV;
  const auto parts = [](const auto& svd) { return SingularParts{svd.matrixU(), svd.matrixV(), svd.singularValues()}; };
  if (std::min(any.rows(), any.cols()) <= 100) return parts(Eigen::JacobiSVD<Matrix>(any, thin));
  return parts(Eigen::BDCSVD<Matrix>(any, thin));
}

Vector singular_values(const Matrix& any) { return any.jacobiSvd().singularValues(); }

Matrix skew_exponential(const Matrix& skew) {
  const Matrix unit = Matrix::Identity(skew.rows(), skew.cols());
  const double norm = skew.norm();
  const int squares = norm > 0.25 ? static_cast<int>(std::ceil(std::log2(4.0 * norm))) : 0;
  const Matrix part = skew * std::exp2(-squares);
  Matrix sum = unit;
  for (int term = 13; term > 0; --term) sum = (unit + part * sum / term).eval();  // .25^14 / 14! is below rounding
  for (int i = 0; i < squares; ++i) {
    sum = (sum * sum).eval();
    sum = (0.5 * sum * (3.0 * unit - sum.transpose() * sum)).eval();
  }
  return sum;
}

Matrix stacked(const Matrix& above, const Matrix& below) {
  Matrix both(above.rows() + below.rows(), above.cols());
  both << above, below;
  return both;
}

Matrix inverse(const Matrix& square) {
  return Eigen::PartialPivLU<Matrix>(square).solve(Matrix::Identity(square.rows(), square.cols()));
}

Vector solved(const Matrix& square, const Vector& right) { return Eigen::PartialPivLU<Matrix>(square).solve(right); }

Matrix inverse_transpose(const Matrix& lower) {
  return lower.transpose().triangularView<Eigen::Upper>().solve(Matrix::Identity(lower.rows(), lower.cols()));
}

Matrix symmetric_solve(const Matrix& symmetric, const Matrix& right) {
  const Axes axes = principal_axes(symmetric);
  const double nothing = 1e-12 * axes.values.cwiseAbs().maxCoeff();
  const Vector inverses = axes.values.unaryExpr([&](double value) { return value > nothing ? 1.0 / value : 0.0; });
  return axes.vectors * (inverses.asDiagonal() * (axes.vectors.transpose() * right));
}

}  // namespace cda
