#include "model/matching.hpp"

#include <algorithm>

#include "projection/quantiles.hpp"

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

std::vector<ShapeMatch> match_shapes(const Shapes& x, const Shapes& y) {
  const AgreementTable table = agreements(x, y);
  std::vector<ShapeMatch> all;
  for (Index i = 0; i < x.cols(); ++i) {
    for (Index j = 0; j < y.cols(); ++j) {
      const bool mirrored = table.mirrored(i, j) > table.straight(i, j);
      all.push_back({i, j, mirrored, table.best(i, j), std::min(table.straight(i, j), table.mirrored(i, j))});
    }
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const ShapeMatch& a, const ShapeMatch& b) { return a.agreement > b.agreement; });
  std::vector<bool> x_taken(static_cast<std::size_t>(x.cols())), y_taken(static_cast<std::size_t>(y.cols()));
  std::vector<ShapeMatch> chosen;
  for (const ShapeMatch& match : all) {
    if (x_taken[static_cast<std::size_t>(match.x)] || y_taken[static_cast<std::size_t>(match.y)]) continue;
    x_taken[static_cast<std::size_t>(match.x)] = y_taken[static_cast<std::size_t>(match.y)] = true;
    chosen.push_back(match);
  }
  return chosen;
}

}  // namespace cda
