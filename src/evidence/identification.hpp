// Is a pair the only answer? What the search itself can tell: other optima that are nearly as good, and whether the
// optimum stands out from random directions at all.
#pragma once

#include "evidence/study.hpp"

namespace cda {

struct Identification {
  Index optima = 0;     // other local optima the search met
  Index near_ties = 0;  // of them, those nearly as good
  Index elsewhere = 0;  // of those, the ones in quite different directions
  int random = 0;       // random directions tried that are quite different from the pair's; 0: none, or not asked
  int as_good = 0;      // of them, those that match nearly as well

  bool rivalled() const { return elsewhere > 0; }
  bool flat() const { return random > 0 && 20 * as_good > random; }  // more than one in twenty
  bool unique() const { return !rivalled() && !flat(); }
};

// Of pair i, whose held-out figures are known where they could be had.
Identification identification(const Study& study, std::size_t i, const PairEvidence& evidence);

}  // namespace cda
