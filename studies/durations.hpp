// Two ways of doing the same thing, timed on the same tables: what each takes of one thread, and their ratio. Times
// differ from run to run and machine to machine; ratios of times measured side by side much less.
#pragma once

#include <string>
#include <vector>

#include "studies/retrieval.hpp"

namespace cda {

struct TimedPair {
  Contender first, second;
};

// A study's rows: every pair of ways on the relations, with rows shuffled, and with a tenth of Y's rows removed.
// Columns: relation, setting, both methods' errors beside chance, and the ratio of times with its spread.
Results compare_durations(const char* experiment, const std::vector<TimedPair>& pairs, Index rows,
                          const ExperimentOptions& options, const ExperimentObserver& observer);

}  // namespace cda
