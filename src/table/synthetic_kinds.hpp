// The kinds of synthetic pairs, one function each. Options arrive checked and complete.
#pragma once

#include <string>
#include <vector>

#include "cda/extend/random.hpp"
#include "cda/synthetic.hpp"

namespace cda {

// A pair and what it was made from.
struct Planted {
  SyntheticPair pair;
  Matrix x_sources, y_sources;  // n x r, k x r: the value of each source in each row, standardised in population
  Matrix x_own, y_own;          // the same of the sources that only one table has, if any
};

Planted relations(const SyntheticOptions& options);      // linear, mixed, nonlinear
Planted mixed_sources(const SyntheticOptions& options);  // shapes drawn at random
Planted buildings(const SyntheticOptions& options);

inline constexpr Index building_x_columns = 9, building_y_columns = 7;

// Distributions with mean 0 and variance 1, far from normal and from one another.
const std::vector<std::string>& source_shapes();
double draw_shape(const std::string& shape, Random& random);

// The shapes of the sources that both tables have, and of those that only one has.
struct SourceShapes {
  std::vector<std::string> shared = {}, x_own = {}, y_own = {};
};
// Mixed sources of these shapes in tables of n x m and k x l; each needs a column for each of its sources.
Planted mixed_sources(const Random& random, const SourceShapes& shapes, const SyntheticOptions& size);

// What every kind does alike: checks the options and fills in the kind's defaults, makes the pair, adds columns of
// noise, takes rows of Y away.
Planted plant(const SyntheticOptions& options);

}  // namespace cda
