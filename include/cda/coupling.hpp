// What cCDA says about the way it laid two clouds of rows on each other, and about the other ways there are.
#pragma once

#include <vector>

#include "cda/types.hpp"

namespace cda {

struct Alignment {
  double correlation = 0.0;  // RV of the two clouds with coupled rows, 0 to 1: what is maximised
  double sliced = 0.0;  // distance of the aligned clouds, in units of their distance from a normal one; 0: the same
  double weight = 1.0;  // in the consensus
  double cosine = 1.0;  // with the chosen one, of the matrices that say which direction goes with which; -1 to 1
};

struct Coupling {
  Alignment chosen;
  double coherence = 1.0;  // how far those in the consensus agree: the norm of their mean, 0 to 1
  double halves = 1.0;     // cosine of what disjoint halves of the rows say
  double overlap = 1.0;    // share of both tables that is common to them, where that may be less than all
  bool ambiguous = false;
  std::vector<Alignment> alternatives;  // single optima, by correlation
};

}  // namespace cda
