#include "studies/scenarios.hpp"

#include "table/synthetic_kinds.hpp"

namespace cda {
namespace {

using Kind = Scenario::Kind;

std::vector<std::string> random_shapes(Index count, Random random) {
  std::vector<std::string> drawn;
  for (const Index i : random.permutation(static_cast<Index>(source_shapes().size())))
    if (static_cast<Index>(drawn.size()) < count) drawn.push_back(source_shapes()[static_cast<std::size_t>(i)]);
  return drawn;
}

}  // namespace

std::optional<double> Scenario::known_power(Index n) const {
  for (const Known& each : known)
    if (each.n == n) return each.power;
  return std::nullopt;
}

const std::vector<Scenario>& scenarios() {
  static const std::vector<Scenario> all = {
      {"gaussian", "both Gaussian", Kind::level, 6, 5},
      {"gaussian-x", "X Gaussian, Y 3 sources", Kind::level, 6, 5, 0, 0, 3},
      {"unrelated-1", "unrelated, 1 source each", Kind::level, 6, 5, 0, 1, 1},
      {"unrelated-3", "unrelated, 3 sources each", Kind::level, 6, 5, 0, 3, 3},
      {"unrelated-3-wide", "unrelated, 3 sources each", Kind::level, 10, 8, 0, 3, 3},
      {"exponential-gamma", "exponential against gamma", Kind::level, 6, 5, 0, 1, 1, {"exponential", "gamma"}},
      {"coincide", "unrelated, 3 each, shapes may coincide", Kind::apart, 6, 5, 0, 3, 3},
      {"shared-1", "1 shared", Kind::power, 6, 5, 1, 0, 0, {}, {{150, .32}, {300, .55}, {1000, .80}}},
      {"shared-1-own-1", "1 shared, 1 own each", Kind::power, 6, 5, 1, 1, 1, {}, {{300, .43}}},
      {"shared-2-own-1", "2 shared, 1 own each", Kind::power, 6, 5, 2, 1, 1, {}, {{300, .50}, {1000, .77}}},
      {"shared-3", "3 shared", Kind::power, 6, 5, 3, 0, 0, {}, {{300, .63}, {1000, .93}}},
      {"shared-3-wide", "3 shared", Kind::power, 10, 8, 3, 0, 0, {}, {{300, .47}}},
      {"shared-exponential", "shared exponential only", Kind::power, 6, 5, 1, 0, 0, {"exponential"}, {{1000, .23}}},
  };
  return all;
}

SyntheticPair draw_scenario(const Scenario& scenario, Index n, const Random& random) {
  std::vector<std::string> drawn = scenario.shapes;
  if (drawn.empty() && scenario.kind == Kind::apart) {
    drawn = random_shapes(scenario.shared + scenario.x_own, random.stream("shapes of X"));
    for (std::string& shape : random_shapes(scenario.y_own, random.stream("shapes of Y")))
      drawn.push_back(std::move(shape));
  } else if (drawn.empty()) {
    drawn = random_shapes(scenario.shared + scenario.x_own + scenario.y_own, random.stream("shapes"));
  }
  const auto x_begin = drawn.begin() + scenario.shared, y_begin = x_begin + scenario.x_own;
  const SourceShapes shapes{{drawn.begin(), x_begin}, {x_begin, y_begin}, {y_begin, drawn.end()}};
  return mixed_sources(random, shapes, {.kind = "sources", .n = n, .k = n, .m = scenario.m, .l = scenario.l}).pair;
}

}  // namespace cda
