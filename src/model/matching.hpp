// Which shape of one table goes with which of the other.
#pragma once

#include <algorithm>
#include <vector>

#include "cda/types.hpp"

namespace cda {

// Deviations from the normal quantile function, one column per component (256 x count).
using Shapes = Matrix;

struct ShapeMatch {
  Index x = 0, y = 0;
  bool mirrored = false;    // y's values are to be multiplied with -1
  double agreement = 0.0;   // with the sign chosen
  double other_sign = 0.0;  // with the other one
};

// Agreement of every x with every y, the better of both signs, and whether that is the mirrored one.
struct AgreementTable {
  Matrix straight, mirrored;  // x count x y count
  double best(Index x, Index y) const { return std::max(straight(x, y), mirrored(x, y)); }
};
AgreementTable agreements(const Shapes& x, const Shapes& y);

// w = -log(1 - A) of the better sign, for every x and y: a scale on which agreements near 1 are told apart.
Matrix match_strengths(const Shapes& x, const Shapes& y);

// One-to-one: the assignment with the largest sum of w, min(x count, y count) matches, the most
// informative first.
std::vector<ShapeMatch> match_shapes(const Shapes& x, const Shapes& y);

}  // namespace cda
