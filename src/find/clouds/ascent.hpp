// Laying one cloud of rows on another. For scores X (n x p), Y (k x q) and a plan P of which row goes with which,
//
//   RV(P) = |X'PY|_F^2 / ( |X'X/n|_F |Y'Y/k|_F )
//
// is the matrix correlation of the clouds with coupled rows, and equals the Gromov-Wasserstein agreement of their inner
// products. It is increased in turn: given M = X'PY / |X'PY|, which says which direction of X goes with which of Y and
// how much, the best plan is a transport with similarities X M Y' (find/clouds/sinkhorn.hpp); given the plan, M is in
// closed form. With exact plans every turn increases RV. Each start ends in an optimum of its own; the mirrored ones
// come close.
#pragma once

#include <functional>
#include <vector>

#include "cda/extend/executor.hpp"
#include "find/clouds/point_cloud.hpp"

namespace cda {

struct AscentOptions {
  int iterations = 8;
  double same_as_before = 0.9995;  // cosine of M with the one before, from which a start has arrived
  double same_as_other = 0.995;    // with that of an earlier start, from which it is given up
  // Each plan is made for a moment that lies this much farther than the last turn led, as a share of its length: turns
  // go in much the same direction one after the other.
  double ahead = 0.5;
  double behind = 1.0;  // share of the best correlation by which a start may be behind after two turns; else given up
  SinkhornOptions transport = {};
};

struct Optimum {
  Matrix moment;             // M, p x q, of norm 1
  double correlation = 0.0;  // RV
  int iterations = 0;
};

// +-1 on the leading diagonal entries: every choice of signs of the first 1, 2, ..., `leading` components, of unit
// norm.
std::vector<Matrix> sign_starts(Index p, Index q, Index leading);

// All starts together, turn by turn, so that what is given up does not depend on the number of threads. The first plan
// is made with variances of one (`white_first`) where starts are signs. `proceed` is asked between turns; false: it is
// enough.
std::vector<Optimum> ascend(const CloudPart& x, const CloudPart& y, const std::vector<Matrix>& starts, bool white_first,
                            const AscentOptions& options, const Executor& executor,
                            const std::function<bool()>& proceed);

// What is left when of each group of optima with a larger cosine than `same` only the first is kept.
std::vector<Optimum> distinct(std::vector<Optimum> optima, double same);

double cosine(const Matrix& a, const Matrix& b);

}  // namespace cda
