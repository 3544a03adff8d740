#include "find/clouds/sliced.hpp"

#include <algorithm>
#include <cmath>

#include "cda/extend/random.hpp"
#include "divergence/quantiles.hpp"

namespace cda {
namespace {

double distance_from_normal(const Vector& quantiles) {
  static const Vector normal = normal_quantiles();
  const Vector centred = quantiles.array() - quantiles.mean();
  const double deviation = centred.norm() / normal.norm();
  return (centred - deviation * normal).squaredNorm();
}

}  // namespace

double sliced_ratio(const Matrix& x, const Matrix& y, Index dimensions, Index directions) {
  const Index d = std::min({dimensions, x.cols(), y.cols()});
  Matrix axes = Random(0, "slices").normals(d, directions);
  axes.colwise().normalize();
  double distance = 0.0, contrast = 0.0;
  for (Index i = 0; i < directions; ++i) {
    const Vector a = quantile_function_of(x.leftCols(d) * axes.col(i));
    const Vector b = quantile_function_of(y.leftCols(d) * axes.col(i));
    distance += (a - b).squaredNorm();
    contrast += distance_from_normal(a) + distance_from_normal(b);
  }
  return contrast > 0.0 ? distance / contrast : 0.0;
}

}  // namespace cda
