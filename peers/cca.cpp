#include "peers/cca.hpp"

#include <fmt/format.h>

#include <Eigen/QR>
#include <algorithm>
#include <cmath>

#include "base/linear_algebra.hpp"
#include "base/moments.hpp"
#include "cda/error.hpp"

namespace cda {
namespace {

// One table brought to independent values of variance one: values = centred * map, n x rank.
struct Whitened {
  Matrix map;  // p x rank
  Matrix values;
};

Whitened by_axes(const Matrix& rows, double kappa, const Executor& executor) {
  const Vector mean = column_means(rows, executor);
  const Matrix centred = rows.rowwise() - mean.transpose();
  const double mean_variance = centred.squaredNorm() / static_cast<double>(std::max<Index>(1, centred.size()));
  const Axes axes =
      rows.rows() < rows.cols() ? axes_of_few_rows(centred) : principal_axes(covariance_about(rows, mean, executor));
  // Of an axis without variance only rounding would be left, however large or small kappa makes it.
  const Index count = axes.values.size();
  Index rank = 0;
  while (rank < count && axes.values[count - 1 - rank] > 1e-13 * axes.values[count - 1]) ++rank;
  const Vector widths = (axes.values.tail(rank).array() + kappa * mean_variance).sqrt();
  Whitened side{axes.vectors.rightCols(rank) * widths.cwiseInverse().asDiagonal(), {}};
  side.values = centred * side.map;
  return side;
}

Whitened by_qr(const Matrix& rows, const Executor& executor) {
  const Matrix centred = rows.rowwise() - column_means(rows, executor).transpose();
  Eigen::ColPivHouseholderQR<Matrix> qr(centred);
  const Index most = std::min(centred.rows(), centred.cols());
  const auto pivots = qr.matrixQR().diagonal().cwiseAbs();
  Index rank = 0;
  while (rank < most && pivots[rank] > 1e-10 * pivots[0]) ++rank;
  const double root = std::sqrt(static_cast<double>(rows.rows()));
  Whitened side{Matrix::Zero(rows.cols(), rank), {}};
  side.map.topRows(rank) =
      root * qr.matrixQR().topLeftCorner(rank, rank).triangularView<Eigen::Upper>().solve(Matrix::Identity(rank, rank));
  side.map = (qr.colsPermutation() * side.map).eval();
  side.values = root * (qr.householderQ() * Matrix::Identity(rows.rows(), rank));
  return side;
}

}  // namespace

CanonicalPairs canonical_pairs(const Matrix& x, const Matrix& y, Index components, double kappa,
                               const Executor& executor) {
  if (x.rows() != y.rows())
    throw Error(
        Fault::input, "data.unpaired",
        fmt::format("canonical correlations need rows that belong together, but X has {} and Y {}", x.rows(), y.rows()),
        "SSC looks for the correspondence of rows itself");
  if (!x.allFinite() || !y.allFinite())
    throw Error(Fault::numerical, "data.not_finite", "the data left the range of finite numbers",
                "check for values near the largest double");
  const Whitened of_x = kappa > 0.0 ? by_axes(x, kappa, executor) : by_qr(x, executor);
  const Whitened of_y = kappa > 0.0 ? by_axes(y, kappa, executor) : by_qr(y, executor);
  const auto n = static_cast<double>(x.rows());
  const Matrix zero = Matrix::Zero(of_x.map.cols(), of_y.map.cols());
  const Matrix shared = executor.sum_rows(x.rows(), zero, [&](Index begin, Index end, Matrix& part) {
    part.noalias() +=
        of_x.values.middleRows(begin, end - begin).transpose() * of_y.values.middleRows(begin, end - begin) / n;
  });
  const Index r = std::min({components, of_x.map.cols(), of_y.map.cols()});
  CanonicalPairs found{Matrix(x.cols(), r), Matrix(y.cols(), r), Vector(r), of_x.map.cols(), of_y.map.cols()};
  if (r == 0) return found;
  const SingularParts parts = singular_parts(shared);
  found.x = of_x.map * parts.left.leftCols(r);
  found.y = of_y.map * parts.right.leftCols(r);
  found.correlations = parts.values.head(r).cwiseMin(1.0);  // rounding may exceed it
  for (Index j = 0; j < r; ++j) {
    Index largest = 0;
    found.x.col(j).cwiseAbs().maxCoeff(&largest);
    if (found.x(largest, j) >= 0.0) continue;
    found.x.col(j) *= -1.0;
    found.y.col(j) *= -1.0;
  }
  return found;
}

Vector column_correlations(const Matrix& x_values, const Matrix& y_values) {
  return unit_columns(x_values).cwiseProduct(unit_columns(y_values)).colwise().sum().transpose();
}

}  // namespace cda
