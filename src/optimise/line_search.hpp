// How far to go along a curve. Each rule takes a Line and returns a point with a smaller value, or none.
//
// armijo        first length, then shorter ones by interpolation, until f(t) <= f(0) + 1e-4 t f'(0)
// strong_wolfe  the same and |f'(t)| <= c |f'(0)|: bracketing, then cubic interpolation (Nocedal and Wright,
// 2006, 3.5-3.6) nelder_mead   the two-point simplex {t, 2t}, at most 30 values, no slopes
//
// Values that are not finite count as too far. Objectives may have kinks (one-dimensional transport has concave ones):
// where the slope jumps past what Wolfe's second condition asks for, the best point with Armijo's is taken instead.
#pragma once

#include <functional>

#include "optimise/stopping.hpp"

namespace cda {

struct Line {
  Objective& objective;
  const Iterate& from;
  std::function<Vector(double)> at;  // the curve; at(0) is where it starts
  double speed;                      // |velocity| at 0
  double slope;                      // of the value at 0; negative
  double first;                      // the length to try first
  double longest;                    // may be infinite
};

struct Step {
  bool found = false;
  double length = 0.0;
  Iterate reached;
  double promised = 0.0;  // where none was found: the decrease that slope and curvature gave reason to expect
};

using StepRule = std::function<Step(const Line&)>;

Step armijo(const Line& line);
Step strong_wolfe(const Line& line, double curvature);  // c: .9 for quasi-Newton, .1 for conjugate directions
Step nelder_mead(const Line& line);

}  // namespace cda
