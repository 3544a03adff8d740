#include "cda/model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

namespace cda {

std::vector<Index> leading_columns(const Vector& loadings, std::size_t most) {
  std::vector<Index> order(static_cast<std::size_t>(loadings.size()));
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](Index a, Index b) { return std::abs(loadings[a]) > std::abs(loadings[b]); });
  std::vector<Index> leading;
  for (const Index j : order) {
    const double strength = std::abs(loadings[j]);
    const bool strong = leading.empty() || (strength > 0.1 && strength >= std::abs(loadings[order[0]]) / 3.0);
    if (leading.size() == most || !strong) break;
    leading.push_back(j);
  }
  return leading;
}

std::vector<std::string> other_partners(const Pair& pair) {
  constexpr std::size_t most = 3;
  std::vector<std::string> sentences;
  using Kind = Alternative::Kind;
  for (const auto& [side, other, kind] :
       {std::tuple{"X", "Y", Kind::other_in_y}, std::tuple{"Y", "X", Kind::other_in_x}}) {
    std::vector<std::string> partners;
    for (const Alternative& alternative : pair.alternatives)
      if (alternative.kind == kind)
        partners.push_back(fmt::format("{} ({:.2f})", alternative.component, alternative.agreement.value_or(0.0)));
    if (partners.empty()) continue;
    const std::size_t further = partners.size() - std::min(partners.size(), most);
    partners.resize(partners.size() - further);
    sentences.push_back(fmt::format("the {} side also fits component{} {} of {} (agreement in brackets){}", side,
                                    partners.size() == 1 ? "" : "s", fmt::join(partners, ", "), other,
                                    further > 0 ? fmt::format(" and {} more", further) : ""));
  }
  return sentences;
}

void Model::set_directions(Index column) {
  Pair& pair = pairs[static_cast<std::size_t>(column)];
  pair.x_norm = directions.x.col(column).norm();
  pair.y_norm = directions.y.col(column).norm();
  pair.x_direction = directions.x.col(column) / pair.x_norm;
  pair.y_direction = directions.y.col(column) / pair.y_norm;
  pair.scale = directions.scales[column];
}

void Model::multiply_out() {
  if (!x_preparation.linear()) {  // then both are of one kind, and no column has a weight
    for (std::size_t i = 0; i < pairs.size(); ++i) set_directions(static_cast<Index>(i));
    return;
  }
  const Matrix y_scaled = directions.y * directions.scales.asDiagonal();
  const Matrix x_weights = x_preparation.weights(directions.x), y_weights = y_preparation.weights(y_scaled);
  const Vector x_intercepts = x_preparation.intercepts(directions.x);
  const Vector y_intercepts = y_preparation.intercepts(y_scaled);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const auto column = static_cast<Index>(i);
    Pair& pair = pairs[i];
    pair.x_weights = x_weights.col(column);
    pair.y_weights = y_weights.col(column);
    pair.x_intercept = x_intercepts[column];
    pair.y_intercept = y_intercepts[column];
    set_directions(column);
  }
  const auto few_columns = [](const PreparedColumns& preparation, const std::map<Index, Vector>& sparse, auto put) {
    const Vector centre = preparation.undo(Matrix::Zero(1, preparation.outputs())).row(0);
    for (const auto& [pair, weights] : sparse) put(pair, weights, -centre.dot(weights));
  };
  few_columns(x_preparation, x_sparse, [&](Index pair, const Vector& weights, double intercept) {
    pairs[static_cast<std::size_t>(pair)].x_weights = weights;
    pairs[static_cast<std::size_t>(pair)].x_intercept = intercept;
  });
  few_columns(y_preparation, y_sparse, [&](Index pair, const Vector& weights, double intercept) {
    pairs[static_cast<std::size_t>(pair)].y_weights = weights;
    pairs[static_cast<std::size_t>(pair)].y_intercept = intercept;
  });
}

void Model::expect_columns(Side side, ReadOptions& reading) const {
  const TableSummary& table = side == Side::x ? x : y;
  reading.encode = table.encodings;
  reading.known.clear();
  std::set<std::string> indicators;
  for (const Encoding& encoding : table.encodings) {
    reading.known.push_back(encoding.column);
    for (const std::string& category : encoding.categories) indicators.insert(encoding.column + "=" + category);
  }
  for (const std::string& column : table.columns)
    if (indicators.count(column) == 0) reading.known.push_back(column);
}

std::map<std::string, std::string> Model::in_force() const {
  std::map<std::string, std::string> all = texts_of(options);
  all["components"] = fmt::format("{}", pairs.size());
  if (!figure.empty()) all["objective"] = figure;
  all.insert(reading.begin(), reading.end());
  return all;
}

}  // namespace cda
