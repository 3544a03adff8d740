// Pairs of tables for which it is known whether anything is shared, drawn afresh for every replicate: unrelated ones,
// on which a test must be silent, and ones with shared sources, on which it should speak.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cda/extend/random.hpp"
#include "cda/synthetic.hpp"

namespace cda {

struct Scenario {
  enum class Kind {
    level,  // nothing is shared and no two sources have the same shape: p <= .05 in at most one of twenty
    apart,  // nothing is shared by construction, but shapes may coincide by chance: no test of shapes can tell
    power,
  };
  std::string name;  // as it is chosen
  std::string title;
  Kind kind;
  Index m, l;
  // How many sources are shared, and how many each table has of its own.
  Index shared = 0, x_own = 0, y_own = 0;
  // Shapes in this order: shared, own of X, own of Y. Empty: drawn at random without repetition.
  std::vector<std::string> shapes = {};
  // The power that the design's own measurements found (B = 99), to compare with; by rows.
  struct Known {
    Index n;
    double power;
  };
  std::vector<Known> known = {};

  std::optional<double> known_power(Index n) const;
};

const std::vector<Scenario>& scenarios();

// A pair of tables with n rows each.
SyntheticPair draw_scenario(const Scenario& scenario, Index n, const Random& random);

}  // namespace cda
