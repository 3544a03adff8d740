#include "studies/relations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace cda {
namespace {

std::vector<Index> leading(const Vector& loadings) {
  std::vector<Index> columns;
  for (Index j = 0; j < loadings.size(); ++j)
    if (std::abs(loadings[j]) >= leading_loading) columns.push_back(j);
  return columns;
}

void make_unique(Relations& relations) {
  std::sort(relations.begin(), relations.end());
  relations.erase(std::unique(relations.begin(), relations.end()), relations.end());
}

// The columns named in "a, b, c".
std::vector<Index> columns_in(const std::string& list, const std::vector<std::string>& names) {
  std::vector<Index> columns;
  for (std::size_t begin = 0; begin < list.size();) {
    const std::size_t end = std::min(list.find(", ", begin), list.size());
    const auto at = std::find(names.begin(), names.end(), list.substr(begin, end - begin));
    if (at != names.end()) columns.push_back(at - names.begin());
    begin = end + 2;
  }
  return columns;
}

void add_all(const std::vector<Index>& x, const std::vector<Index>& y, Relations& relations) {
  for (const Index a : x)
    for (const Index b : y) relations.emplace_back(a, b);
}

Index common(const Relations& a, const Relations& b) {
  Relations both;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
  return static_cast<Index>(both.size());
}

}  // namespace

Relations claimed_relations(const Model& model) {
  Relations relations;
  for (const Pair& pair : model.pairs) add_all(leading(pair.x_loadings), leading(pair.y_loadings), relations);
  make_unique(relations);
  return relations;
}

Relations true_relations(const Truth& truth, const Table& x, const Table& y) {
  Relations relations;
  for (const auto& [of_x, of_y] : truth.pairs) add_all(columns_in(of_x, x.names), columns_in(of_y, y.names), relations);
  make_unique(relations);
  return relations;
}

Relations same_named_columns(const Table& x, const Table& y) {
  Relations relations;
  for (std::size_t a = 0; a < x.names.size(); ++a)
    for (std::size_t b = 0; b < y.names.size(); ++b)
      if (x.names[a] == y.names[b]) relations.emplace_back(static_cast<Index>(a), static_cast<Index>(b));
  return relations;
}

std::string leading_columns(const Vector& loadings, const std::vector<std::string>& names) {
  std::vector<Index> order(static_cast<std::size_t>(loadings.size()));
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](Index a, Index b) { return std::abs(loadings[a]) > std::abs(loadings[b]); });
  constexpr std::size_t most = 4;
  std::vector<std::string> texts;
  for (const Index j : order)
    if (texts.empty() || (std::abs(loadings[j]) >= leading_loading && texts.size() < most))
      texts.push_back(fmt::format("{} ({:+.2f})", names[static_cast<std::size_t>(j)], loadings[j]));
  return fmt::format("{}", fmt::join(texts, ", "));
}

RelationScore score_relations(const Relations& claimed, const Relations& truth, Index y_columns, Random random) {
  const auto true_count = static_cast<Index>(truth.size()), claimed_count = static_cast<Index>(claimed.size());
  const Index both = common(claimed, truth);
  RelationScore score{{both, true_count}, {both, claimed_count}};
  if (true_count == 0 || claimed_count == 0) return score;
  constexpr int draws = 1000;
  double sum = 0.0;
  for (int draw = 0; draw < draws; ++draw) {
    const std::vector<Index> place = random.permutation(y_columns);
    Relations moved = claimed;
    for (auto& [a, b] : moved) b = place[static_cast<std::size_t>(b)];
    std::sort(moved.begin(), moved.end());
    sum += static_cast<double>(common(moved, truth)) / draws;
  }
  score.found_by_chance = sum / static_cast<double>(true_count);
  score.right_by_chance = sum / static_cast<double>(claimed_count);
  return score;
}

void RelationScore::add(const RelationScore& other, Index already) {
  const auto weight = static_cast<double>(already);
  found_by_chance = (weight * found_by_chance + other.found_by_chance) / (weight + 1.0);
  right_by_chance = (weight * right_by_chance + other.right_by_chance) / (weight + 1.0);
  found += other.found;
  right += other.right;
}

}  // namespace cda
