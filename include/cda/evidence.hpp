// From a model to evidence.
#pragma once

#include <functional>

#include "cda/extend/verdicts.hpp"
#include "cda/fit.hpp"

namespace cda {

struct EvidenceProgress {
  std::string what;    // the step under way
  double share = 0.0;  // of the whole, 0 to 1
};
// Returns false to stop; examine() then throws an Error with code "interrupted".
using EvidenceObserver = std::function<bool(const EvidenceProgress&)>;

// Throws where there is no evidence for a method's pairs: for those to compare with (cda/extend/baseline.hpp).
void require_evidence_for(const std::string& method);

// What speaks for and against each pair of a model that was fitted to these tables. The same for any number of threads
// and, with a block length of 1, for any order of the rows.
Evidence examine(const Table& x, const Table& y, const Model& model, const EvidenceOptions& how = {},
                 const EvidenceObserver& observer = {});

}  // namespace cda
