#include "foundation/linear_algebra.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/QR>
#include <Eigen/SVD>
#include <array>
#include <cmath>

#include "cda/error.hpp"

namespace cda {

Axes principal_axes(const Matrix& symmetric) {
  if (!symmetric.allFinite())
    throw Error(Fault::numerical, "data.not_finite", "the data left the range of finite numbers",
                "check for values near the largest double");
  const Eigen::SelfAdjointEigenSolver<Matrix> solver(symmetric);
  Axes axes{solver.eigenvalues(), solver.eigenvectors()};
  for (Index j = 0; j < axes.vectors.cols(); ++j) {
    Index largest = 0;
    axes.vectors.col(j).cwiseAbs().maxCoeff(&largest);
    if (axes.vectors(largest, j) < 0.0) axes.vectors.col(j) *= -1.0;
  }
  return axes;
}

Matrix orthonormal_frame(const Matrix& columns) { return Eigen::HouseholderQR<Matrix>(columns).householderQ(); }

Factored orthonormal_factor(const Matrix& columns, Index size) {
  // Pivoting puts the rank into the first columns, so that `size` of them hold all of it.
  const Eigen::ColPivHouseholderQR<Matrix> qr(columns);
  const Matrix upper = qr.matrixQR().topRows(size).triangularView<Eigen::Upper>();
  return {qr.householderQ() * Matrix::Identity(columns.rows(), size), upper * qr.colsPermutation().transpose()};
}

Matrix polar_factor(const Matrix& any) {
  const Eigen::JacobiSVD<Matrix> svd(any, Eigen::ComputeThinU | Eigen::ComputeThinV);
  return svd.matrixU() * svd.matrixV().transpose();
}

Matrix exponential(const Matrix& square) {
  constexpr std::array<double, 14> b{64764752532480000.0,
                                     32382376266240000.0,
                                     7771770303897600.0,
                                     1187353796428800.0,
                                     129060195264000.0,
                                     10559470521600.0,
                                     670442572800.0,
                                     33522128640.0,
                                     1323241920.0,
                                     40840800.0,
                                     960960.0,
                                     16380.0,
                                     182.0,
                                     1.0};
  constexpr double reach = 5.4;  // where the approximant is exact to rounding
  const double norm = square.cwiseAbs().colwise().sum().maxCoeff();
  const int halvings = norm > reach ? static_cast<int>(std::ceil(std::log2(norm / reach))) : 0;
  const Matrix a = std::ldexp(1.0, -halvings) * square;
  const Matrix unit = Matrix::Identity(a.rows(), a.cols());
  const Matrix a2 = a * a, a4 = a2 * a2, a6 = a4 * a2;
  const Matrix odd = a * (a6 * (b[13] * a6 + b[11] * a4 + b[9] * a2) + b[7] * a6 + b[5] * a4 + b[3] * a2 + b[1] * unit);
  const Matrix even = a6 * (b[12] * a6 + b[10] * a4 + b[8] * a2) + b[6] * a6 + b[4] * a4 + b[2] * a2 + b[0] * unit;
  Matrix power = Eigen::PartialPivLU<Matrix>(even - odd).solve(even + odd);
  for (int i = 0; i < halvings; ++i) power = power * power;
  return power;
}

Matrix inverse(const Matrix& square) {
  return Eigen::PartialPivLU<Matrix>(square).solve(Matrix::Identity(square.rows(), square.cols()));
}

Matrix symmetric_solve(const Matrix& symmetric, const Matrix& right) {
  const Axes axes = principal_axes(symmetric);
  const double nothing = 1e-12 * axes.values.cwiseAbs().maxCoeff();
  const Vector inverses = axes.values.unaryExpr([&](double value) { return value > nothing ? 1.0 / value : 0.0; });
  return axes.vectors * (inverses.asDiagonal() * (axes.vectors.transpose() * right));
}

}  // namespace cda
