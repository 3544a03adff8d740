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
  std::optional<int> surrogates = {};  // default: 999; where each is a fit of its own 99. 0: no test
  int bootstraps = 99;                 // refits on resampled rows; 0: none
};
EvidenceOptions::Null null_kind(const std::string& name);

struct EvidenceProgress {
  std::string what;    // the step under way
  double share = 0.0;  // of the whole, 0 to 1
};
// Returns false to stop; examine() then throws an Error with code "interrupted".
using EvidenceObserver = std::function<bool(const EvidenceProgress&)>;

// What speaks for and against each pair of a model, fitted to these tables with these options. The same for any number
// of threads and, with a block length of 1, for any order of the rows.
Evidence examine(const Table& x, const Table& y, const Model& model, const FitOptions& options,
                 const EvidenceOptions& how = {}, const EvidenceObserver& observer = {});

}  // namespace cda
