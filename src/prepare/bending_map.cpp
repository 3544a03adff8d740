#include <algorithm>
#include <cmath>

#include "cda/extend/preparation.hpp"

namespace cda {
namespace {

double along(const BendingMap::Curve& curve, double value) {
  const double* first = curve.from.data();
  const double* last = first + curve.from.size();
  const auto above = std::upper_bound(first, last, value) - first;  // the first knot beyond the value
  if (std::isnan(value)) return value;
  if (above == 0) return curve.to[0];
  if (above == curve.from.size()) return curve.to[above - 1];
  const double share = (value - curve.from[above - 1]) / (curve.from[above] - curve.from[above - 1]);
  return curve.to[above - 1] + share * (curve.to[above] - curve.to[above - 1]);
}

// Rows of any magnitude: the largest cell first, so that no square overflows or vanishes.
Matrix unit_rows(const Matrix& rows) {
  Matrix unit = rows;
  for (Index i = 0; i < rows.rows(); ++i) {
    const double largest = rows.row(i).cwiseAbs().maxCoeff<Eigen::PropagateNaN>();
    if (largest == 0.0) continue;
    unit.row(i) /= largest;
    unit.row(i) /= unit.row(i).norm();
  }
  return unit;
}

}  // namespace

Matrix BendingMap::apply(const Matrix& rows) const {
  if (kind == Kind::unit_rows) return unit_rows(rows);
  if (kind == Kind::logarithm)
    return rows.unaryExpr([](double cell) { return std::copysign(std::log1p(std::abs(cell)), cell); });
  Matrix bent(rows.rows(), rows.cols());
  for (Index j = 0; j < rows.cols(); ++j) {
    const Curve& curve = curves[static_cast<std::size_t>(j)];
    bent.col(j) = rows.col(j).unaryExpr([&](double cell) { return along(curve, cell); });
  }
  return bent;
}

}  // namespace cda
