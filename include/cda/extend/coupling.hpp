// What cCDA says about the way it laid two clouds of rows on each other, and about the other ways there are.
#pragma once

#include <vector>

#include "cda/extend/fields.hpp"
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

// ---- What they hold (cda/extend/fields.hpp) ----

template <class Visit, Of<Alignment> Self>
void fields(Visit& visit, Self& self) {
  visit({"correlation", "matrix correlation of the two clouds with coupled rows, 0 to 1"}, self.correlation);
  visit({"sliced", "distance of the aligned clouds in units of their distance from a normal one"}, self.sliced);
  visit({"weight", "in the consensus"}, self.weight);
  visit({"cosine", "with the chosen one, -1 to 1"}, self.cosine);
}

template <class Visit, Of<Coupling> Self>
void fields(Visit& visit, Self& self) {
  visit({"correlation", "matrix correlation of the two clouds with coupled rows, 0 to 1"}, self.chosen.correlation);
  visit({"sliced", "distance of the aligned clouds in units of their distance from a normal one"}, self.chosen.sliced);
  visit({"coherence", "how far the best alignments agree, 0 to 1"}, self.coherence);
  visit({"halves", "cosine of what disjoint halves of the rows say"}, self.halves);
  visit({"overlap", "share of both tables that is common to them"}, self.overlap);
  visit({"ambiguous", "other ways come as close and say something else"}, self.ambiguous);
  visit({"alternatives", "single optima, by correlation"}, self.alternatives);
}

}  // namespace cda
