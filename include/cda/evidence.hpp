// How far a fitted pair can be trusted: what is computed about it, and in plain words what that does and does not say.
// docs/evidence.md explains each figure. Saved with the model where it was computed.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cda/types.hpp"

namespace cda {

// 2.5 % and 97.5 % quantiles over bootstraps, one row per original column (columns x 2).
using Intervals = Matrix;

struct PairEvidence {
  std::optional<double> p;          // share of unrelated tables that match this well; which ones: Evidence::hypothesis
  Vector null_quantiles;            // of the statistic among the surrogates, 0 %, 5 %, ... 100 %
  std::optional<double> statistic;  // what it is compared with
  std::optional<double> agreement_held_out;                         // of the shapes on rows not used for fitting
  std::optional<double> agreement_at_least;                         // its lower bound, at 95 %
  std::optional<double> divergence_held_out, divergence_of_chance;  // on those rows, and of two random halves of them
  std::optional<double> stability;                                  // share of bootstraps that find the pair again
  std::optional<double> sign;                                       // of those, the share with the same relative sign
  Intervals x_weights, y_weights, x_loadings, y_loadings;           // empty where not computed or not stable enough
  std::string verdict;                                              // supported, ambiguous or no_evidence
  std::string statement;                                            // the verdict in words
  std::vector<std::string> notes;
};

struct Evidence {
  std::string test;        // component match, refitting or Gaussian reference
  std::string hypothesis;  // what a small p speaks against
  std::optional<double> global_p;
  std::string statement;  // the global answer in words
  int surrogates = 0, bootstraps = 0;
  Index block_length = 1;
  std::vector<PairEvidence> pairs;  // one per pair of the model
  std::vector<std::string> warnings;
};

}  // namespace cda
