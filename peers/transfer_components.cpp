#include "peers/transfer_components.hpp"

#include <cmath>

#include "base/linear_algebra.hpp"
#include "cda/error.hpp"

namespace cda {

PooledMoments pooled_moments(const Matrix& x, const Matrix& y) {
  return {x.transpose() * x + y.transpose() * y, x.colwise().mean(), y.colwise().mean(), x.rows(), y.rows()};
}

TransferComponents transfer_components(const PooledMoments& moments, double mu, Index count, bool coefficients_cost) {
  const auto n = static_cast<double>(moments.x_rows), k = static_cast<double>(moments.y_rows);
  const Vector mean = (n * moments.x_mean + k * moments.y_mean) / (n + k);
  const Matrix scatter = moments.products - (n + k) * mean * mean.transpose();

  // a = root * g, with root = C^{1/2} on the range of C, or the identity on it.
  const Axes axes = principal_axes(moments.products);
  const Index d = axes.values.size();
  Index rank = 0;
  while (rank < d && axes.values[d - 1 - rank] > 1e-12 * axes.values[d - 1]) ++rank;
  if (rank < count)
    throw Error(Fault::numerical, "data.rank",
                "the rows of both tables span fewer dimensions than pairs are asked for");
  Matrix root = axes.vectors.rightCols(rank);
  if (coefficients_cost) root *= axes.values.tail(rank).cwiseSqrt().asDiagonal();

  // (q q' + mu I)^{-1/2} = (I - c q q' / q'q) / sqrt(mu) with c = 1 - sqrt(mu / (mu + q'q)).
  const Vector q = root.transpose() * (moments.x_mean - moments.y_mean);
  const double squared = q.squaredNorm();
  Matrix half = Matrix::Identity(rank, rank) / std::sqrt(mu);
  if (squared > 0.0) half -= (1.0 - std::sqrt(mu / (mu + squared))) / (squared * std::sqrt(mu)) * q * q.transpose();
  const Matrix mapped = root * half;
  const Matrix problem = mapped.transpose() * scatter * mapped;
  const Axes solved = principal_axes(0.5 * (problem + problem.transpose()));
  TransferComponents found{mapped * solved.vectors.rightCols(count).rowwise().reverse(),
                           solved.values.tail(count).reverse()};
  for (Index j = 0; j < count; ++j) {
    if (!(found.values[j] > 0.0))
      throw Error(Fault::numerical, "data.rank",
                  "the rows of both tables vary in fewer dimensions than pairs are asked for");
    found.directions.col(j) /= std::sqrt(found.values[j]);
  }
  return found;
}

}  // namespace cda
