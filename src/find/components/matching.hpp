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

// w = -log(1 - A) of the better sign, for every x and y: a scale on which agreements near 1 are told apart. What
// evidence is made of.
Matrix match_strengths(const Shapes& x, const Shapes& y);

// -log d, d the mean absolute difference |a - b| of two shapes for the better of both signs, for every x and y. What
// decides which goes with which: the few outermost values of a sample, which vary the most, count for less than in
// squared differences.
Matrix nearness(const Shapes& x, const Shapes& y);

// One-to-one: the assignment with the largest sum of nearness, min(x count, y count) matches, those that agree best
// first.
std::vector<ShapeMatch> match_shapes(const Shapes& x, const Shapes& y);

// As many of these matches as are wanted or, where that is left open (0), those that agree, at most ten: with A > 1/2 a
// match is better than none in the sense of the joint objective. The best one stays in any case.
std::vector<ShapeMatch> kept_matches(std::vector<ShapeMatch> best_first, Index wanted);

}  // namespace cda
