// rCDA: pairs one after another with free norms and a cost instead of the constraint,
//
//   min D(u'X, beta v'Y) + lambda c(u) + delta c(v)   over u, v orthogonal to all earlier ones,
//
// so that unconstrained optimisers apply. c(u) = (u'u - 1)^2 by default. The paper's c, the reconstruction error
// mean |uu'x - x|^2, equals it up to a constant on white data only; with the paper's weights of 1/2 its minimum is
// u = v = 0 for the extended Mallows distance (docs/method.md), which is why it is an option and not the default.
#include "base/part.hpp"
#include "cda/extend/formulation.hpp"
#include "find/pairs/deflation.hpp"
#include "find/pairs/norm_cost.hpp"

using namespace cda;

namespace {

class Reconstruction : public Formulation {
 public:
  explicit Reconstruction(NormCostChoice choice) : choice_(std::move(choice)) {}
  bool joint() const override { return false; }
  PairProblem pose(const Comparison& comparison, const Directions& found, Index) const override {
    return PairProblem({.comparison = comparison,
                        .pairs = 1,
                        .x_basis = complement(comparison.x.space(), found.x),
                        .y_basis = complement(comparison.y.space(), found.y),
                        .x_cost = norm_cost(choice_.kind, choice_.x_weight, comparison.x),
                        .y_cost = norm_cost(choice_.kind, choice_.y_weight, comparison.y)});
  }

 private:
  NormCostChoice choice_;
};

}  // namespace

CDA_PART(Formulation, reconstruction) {
  return {.info = {.name = {},
                   .summary = "rCDA: pairs one after another, free norms held near one by a cost",
                   .reference = "Nguyen and Vreeken, Canonical Divergence Analysis, definition 3",
                   .options = norm_cost_options()},
          .make = [](const Settings& settings) -> std::unique_ptr<Formulation> {
            return std::make_unique<Reconstruction>(NormCostChoice(settings));
          }};
}
