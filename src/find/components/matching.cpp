#include "find/components/matching.hpp"

#include <algorithm>
#include <cmath>

#include "base/assignment.hpp"
#include "divergence/quantiles.hpp"

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

Matrix nearness(const Shapes& x, const Shapes& y) {
  constexpr double nearest = 1e-6;  // what d is taken to be at least, in standard deviations
  Matrix near(x.cols(), y.cols());
  for (Index j = 0; j < y.cols(); ++j) {
    const Vector straight = y.col(j), turned = mirrored(straight);
    for (Index i = 0; i < x.cols(); ++i) {
      const double d = std::min((x.col(i) - straight).cwiseAbs().mean(), (x.col(i) - turned).cwiseAbs().mean());
      near(i, j) = -std::log(std::max(d, nearest));
    }
  }
  return near;
}

std::vector<ShapeMatch> match_shapes(const Shapes& x, const Shapes& y) {
  const AgreementTable table = agreements(x, y);
  const Assignment assignment = cheapest_assignment(-nearness(x, y));
  std::vector<ShapeMatch> chosen;
  for (Index i = 0; i < x.cols(); ++i) {
    const Index j = assignment.column_of_row[static_cast<std::size_t>(i)];
    if (j < 0) continue;
    const bool mirrored = table.mirrored(i, j) > table.straight(i, j);
    chosen.push_back({i, j, mirrored, table.best(i, j), std::min(table.straight(i, j), table.mirrored(i, j))});
  }
  std::stable_sort(chosen.begin(), chosen.end(),
                   [](const ShapeMatch& a, const ShapeMatch& b) { return a.agreement > b.agreement; });
  return chosen;
}

std::vector<ShapeMatch> kept_matches(std::vector<ShapeMatch> best_first, Index wanted) {
  constexpr double agrees = 0.5;
  constexpr std::ptrdiff_t most = 10;
  const auto agreeing = std::count_if(best_first.begin(), best_first.end(),
                                      [](const ShapeMatch& match) { return match.agreement > agrees; });
  const auto kept = static_cast<std::size_t>(wanted > 0 ? wanted : std::clamp<std::ptrdiff_t>(agreeing, 1, most));
  if (best_first.size() > kept) best_first.resize(kept);
  return best_first;
}

}  // namespace cda
