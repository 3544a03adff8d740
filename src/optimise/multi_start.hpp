// Many starts, the promising ones refined. All starts are evaluated; the lowest `refined` of them that differ from one
// another are minimised; what comes back is sorted by value. The same on any number of threads, unless it is told in
// between that it is enough: then what was reached by then comes back, of some dozen starts at least their values.
#pragma once

#include <vector>

#include "cda/extend/executor.hpp"
#include "cda/extend/optimiser.hpp"

namespace cda {

struct MultiStart {
  Index refined = 3;       // starts to minimise
  double distinct = 0.99;  // starts with a larger cosine count as one
  Stopping stopping = {};
};

struct Refined {
  Outcome outcome;
  Index start = 0;  // which start it came from
};

struct MultiStartResult {
  std::vector<Refined> refined;  // never empty; sorted by value, then by start
  int evaluations = 0;           // of the value, all told
  Index skipped = 0;             // starts whose value is not finite
  bool interrupted = false;

  const Outcome& best() const { return refined.front().outcome; }
};

// The observer sees the iterations of all refinements, one call at a time, and is asked while the starts are looked at
// where that takes long; once it returns false all of it stops.
MultiStartResult multi_start(const Problem& problem, const std::vector<Vector>& starts, const Optimiser& optimiser,
                             const Executor& executor, const MultiStart& options, const Observer& observer = {});

}  // namespace cda
