#include "model/matching.hpp"

#include <algorithm>

#include "foundation/assignment.hpp"

namespace cda {

AgreementTable agreements(const Shapes& x, const Shapes& y) {
  // A = 2 <a, b> / (|a|^2 + |b|^2); mirroring turns b round and changes its sign.
  const Vector x_strength = x.colwise().squaredNorm(), y_strength = y.colwise().squaredNorm();
  AgreementTable table{2.0 * x.transpose() * y, -2.0 * x.transpose() * y.colwise().reverse()};
  for (Index i = 0; i < x.cols(); ++i) {
    for (Index j = 0; j < y.cols(); ++j) {
      const double strength = x_strength[i] + y_strength[j];
      table.straight(i, j) = strength > 0.0 ? table.straight(i, j) / strength : 0.0;
      table.mirrored(i, j) = strength > 0.0 ? table.mirrored(i, j) / strength : 0.0;
    }
  }
  return table;
}

Matrix match_strengths(const Shapes& x, const Shapes& y) {
  constexpr double nearest = 1e-6;  // what 1 - A is taken to be at least
  const AgreementTable table = agreements(x, y);
  return -(1.0 - table.straight.cwiseMax(table.mirrored).array()).max(nearest).log();
}

std::vector<ShapeMatch> match_shapes(const Shapes& x, const Shapes& y) {
  const AgreementTable table = agreements(x, y);
  const Assignment assignment = cheapest_assignment(-match_strengths(x, y));
  std::vector<ShapeMatch> chosen;
  for (Index i = 0; i < x.cols(); ++i) {
    const Index j = assignment.column_of_row[static_cast<std::size_t>(i)];
    if (j < 0) continue;
    const bool mirrored = table.mirrored(i, j) > table.straight(i, j);
    chosen.push_back({i, j, mirrored, table.best(i, j), std::min(table.straight(i, j), table.mirrored(i, j))});
  }
  // In the order of the joint objective, (|a|^2 + |b|^2)(1/2 - A): shapes that agree and say the most come first.
  const auto objective = [&](const ShapeMatch& match) {
    return (x.col(match.x).squaredNorm() + y.col(match.y).squaredNorm()) * (0.5 - match.agreement);
  };
  std::stable_sort(chosen.begin(), chosen.end(),
                   [&](const ShapeMatch& a, const ShapeMatch& b) { return objective(a) < objective(b); });
  return chosen;
}

}  // namespace cda
