// From a model to evidence.
#pragma once

#include <functional>

#include "cda/evidence.hpp"
#include "cda/fit.hpp"

namespace cda {

struct EvidenceOptions {
  // Which unrelated tables a match is compared with. automatic: components where components were matched, refitting
  // where iCDA searched jointly, gaussian for the other methods.
  enum class Null { automatic, components, refitting, gaussian };
  Null null = Null::automatic;
  // Without a value 999, or 99 where each is a fit of its own; 19 where those are slow (pearson). 0: no test.
  std::optional<int> surrogates = {};
  std::optional<int> bootstraps = {};  // refits on resampled rows: 99, or 19 where they are slow; 0: none
};
EvidenceOptions::Null null_kind(const std::string& name);

struct EvidenceProgress {
  std::string what;    // the step under way
  double share = 0.0;  // of the whole, 0 to 1
};
// Returns false to stop; examine() then throws an Error with code "interrupted".
using EvidenceObserver = std::function<bool(const EvidenceProgress&)>;

// Throws where there is no evidence for a method's pairs: for those to compare with (cda/extend/baseline.hpp).
void require_evidence_for(const std::string& method);

// What speaks for and against each pair of a model, fitted to these tables with these options. The same for any number
// of threads and, with a block length of 1, for any order of the rows.
Evidence examine(const Table& x, const Table& y, const Model& model, const FitOptions& options,
                 const EvidenceOptions& how = {}, const EvidenceObserver& observer = {});

}  // namespace cda
