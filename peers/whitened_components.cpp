#include "peers/whitened_components.hpp"

#include <algorithm>

#include "base/linear_algebra.hpp"

namespace cda {

WhitenedComponents whitened_components(const Matrix& rows, Index count) {
  WhitenedComponents found{{}, rows.colwise().mean().transpose(), {}};
  const Matrix centred = rows.rowwise() - found.mean.transpose();
  const auto n = static_cast<double>(rows.rows());
  const Axes axes =
      rows.rows() < rows.cols() ? axes_of_few_rows(centred) : principal_axes(centred.transpose() * centred / n);
  const Index all = axes.values.size();
  Index rank = 0;
  while (rank < std::min(count, all) && axes.values[all - 1 - rank] > 1e-12 * axes.values[all - 1]) ++rank;
  const Vector variances = axes.values.tail(rank).reverse();
  found.directions =
      axes.vectors.rightCols(rank).rowwise().reverse() * variances.cwiseSqrt().cwiseInverse().asDiagonal();
  found.shares = variances / (centred.squaredNorm() / n);
  for (Index j = 0; j < rank; ++j)
    if ((centred * found.directions.col(j)).array().cube().sum() < 0.0) found.directions.col(j) *= -1.0;
  return found;
}

}  // namespace cda
