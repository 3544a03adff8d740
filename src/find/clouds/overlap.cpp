#include "find/clouds/overlap.hpp"

#include <algorithm>

#include "base/linear_algebra.hpp"

namespace cda {
namespace {

// What a table's rows are coupled with among themselves, with blur and reach as long as they are between the tables.
FloatVector own_sums(const FloatMatrix& scores, const FloatVector& mass, double unit, SinkhornOptions options) {
  const FloatMatrix near = nearness(scores, scores);
  if (const double own = deviation(near, mass, mass); own > 0.0) {
    options.blur *= unit / own;
    options.reach *= unit / own;
  }
  return sinkhorn(near, mass, mass, options).row_sums();
}

double common_share(const FloatVector& between, const FloatVector& own, const FloatVector& mass) {
  const FloatVector ratio = between.cwiseQuotient(own).cwiseAbs2().cwiseMin(1.0F);
  return ratio.cast<double>().dot(mass.cast<double>());
}

}  // namespace

AlignedScores aligned_scores(const FloatMatrix& x, const FloatMatrix& y, const Matrix& moment) {
  const SingularParts parts = singular_parts(moment);
  const auto roots = parts.values.cwiseSqrt().asDiagonal();
  return {x * Matrix(parts.left * roots).cast<float>(), y * Matrix(parts.right * roots).cast<float>()};
}

FloatMatrix nearness(const FloatMatrix& x, const FloatMatrix& y) {
  const FloatVector x_norms = x.rowwise().squaredNorm(), y_norms = y.rowwise().squaredNorm();
  FloatMatrix near = product(2.0F * x, y.transpose());
  near.colwise() -= x_norms;
  near.rowwise() -= y_norms.transpose();
  return near;
}

double overlap(const AlignedScores& scores, const FloatVector& x_mass, const FloatVector& y_mass,
               const SinkhornOptions& options) {
  const FloatMatrix near = nearness(scores.x, scores.y);
  const double unit = deviation(near, x_mass, y_mass);
  const Plan plan = sinkhorn(near, x_mass, y_mass, options);
  return 0.5 * (common_share(plan.row_sums(), own_sums(scores.x, x_mass, unit, options), x_mass) +
                common_share(plan.column_sums(), own_sums(scores.y, y_mass, unit, options), y_mass));
}

}  // namespace cda
