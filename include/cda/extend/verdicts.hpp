// How far a fitted pair can be trusted: what is computed about it, and in plain words what that does and does not say.
// docs/evidence.md explains each figure. Saved with the model where it was computed.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cda/extend/fields.hpp"
#include "cda/types.hpp"

namespace cda {

// 2.5 % and 97.5 % quantiles over bootstraps, one row per original column (columns x 2).
using Intervals = Matrix;

enum class Verdict { supported, ambiguous, no_evidence };
constexpr std::array<const char*, 3> names_of(Verdict) { return {"supported", "ambiguous", "no_evidence"}; }

struct PairIntervals {
  Intervals x_weights, y_weights, x_loadings, y_loadings;
};

struct PairEvidence {
  std::optional<double> p;          // share of unrelated tables that match this well; which ones: Evidence::hypothesis
  std::optional<double> statistic;  // what it is compared with
  Vector null_quantiles;            // of the statistic among the surrogates, 0 %, 5 %, ... 100 %
  std::optional<double> agreement_held_out;                         // of the shapes on rows not used for fitting
  std::optional<double> agreement_at_least;                         // its lower bound, at 95 %
  std::optional<double> divergence_held_out, divergence_of_chance;  // on those rows, and of two random halves of them
  std::optional<double> stability;                                  // share of bootstraps that find the pair again
  std::optional<double> sign;                                       // of those, the share with the same relative sign
  std::optional<PairIntervals> intervals;                           // where computed, and stable enough
  Verdict verdict = Verdict::no_evidence;
  std::string statement;  // the verdict in words
  std::vector<std::string> notes;
};

// With which unrelated tables pairs were compared.
enum class Test { none, component_match, refitting, gaussian_reference };
constexpr std::array<const char*, 4> names_of(Test) {
  return {"", "component match", "refitting", "Gaussian reference"};
}

struct Evidence {
  Test test = Test::none;
  std::string hypothesis;  // what a small p speaks against
  std::string statement;   // the global answer in words
  std::optional<double> global_p;
  int surrogates = 0, bootstraps = 0;
  Index block_length = 1;
  std::vector<PairEvidence> pairs;  // one per pair of the model
  std::vector<std::string> warnings;
};

// ---- What they hold (cda/extend/fields.hpp) ----

template <class Visit, Of<PairIntervals> Self>
void fields(Visit& visit, Self& self) {
  using By = ResultField::By;
  visit({.name = "x_weights", .words = "of the weights of X's columns", .width = 2, .by = By::x_column},
        self.x_weights);
  visit({.name = "y_weights", .words = "of the weights of Y's columns", .width = 2, .by = By::y_column},
        self.y_weights);
  visit({.name = "x_loadings", .words = "of the loadings of X's columns", .width = 2, .by = By::x_column},
        self.x_loadings);
  visit({.name = "y_loadings", .words = "of the loadings of Y's columns", .width = 2, .by = By::y_column},
        self.y_loadings);
}

template <class Visit, Of<PairEvidence> Self>
void fields(Visit& visit, Self& self) {
  visit({"verdict", "what p, agreement on other rows and stability say together"}, self.verdict);
  visit({"statement", "the verdict in words"}, self.statement);
  visit({"p", "share of unrelated tables that match this well"}, self.p);
  visit({"statistic", "what the pair is compared with unrelated tables by"}, self.statistic);
  visit({.name = "null_quantiles",
         .words = "of the statistic among these, 0 %, 5 %, ... 100 %",
         .size = 21,
         .sparse = true},
        self.null_quantiles);
  visit({"agreement_held_out", "of the shapes on rows not used for fitting"}, self.agreement_held_out);
  visit({"agreement_at_least", "its lower bound, at 95 %"}, self.agreement_at_least);
  visit({"divergence_held_out", "on rows not used for fitting"}, self.divergence_held_out);
  visit({"divergence_of_chance", "of two random halves of these rows"}, self.divergence_of_chance);
  visit({"stability", "share of refits on resampled rows that find the pair again"}, self.stability);
  visit({"sign", "of those, the share with the same relative sign"}, self.sign);
  visit({"intervals", "2.5 % and 97.5 % quantiles over the refits"}, self.intervals);
  visit({"notes", "what else there is to know"}, self.notes);
}

template <class Visit, Of<Evidence> Self>
void fields(Visit& visit, Self& self) {
  visit({"test", "with which unrelated tables pairs were compared"}, self.test);
  visit({"hypothesis", "what a small p speaks against"}, self.hypothesis);
  visit({"statement", "the global answer in words"}, self.statement);
  visit({"global_p", "share of unrelated tables whose pairs match as well, taken together"}, self.global_p);
  visit({"surrogates", "unrelated tables"}, self.surrogates);
  visit({"bootstraps", "refits on resampled rows"}, self.bootstraps);
  visit({.name = "block_length", .words = "rows that were kept together", .lowest = 1}, self.block_length);
  visit({"pairs", "for every pair of the model"}, self.pairs);
  visit({"warnings", "what casts doubt on all of it"}, self.warnings);
}

}  // namespace cda
