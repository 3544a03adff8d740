// mrCDA: all pairs at once with free frames and a cost instead of the constraint,
//
//   min D(U'X, diag(beta) V'Y) + lambda c(U) + delta c(V),   c(U) = |U'U - I|_F^2 or the paper's reconstruction error.
//
// The paper's definition still prints U'U = V'V = I, which would make the cost a constant; it is dropped, as its own
// derivation asks.
#include "base/part.hpp"
#include "cda/extend/formulation.hpp"
#include "find/pairs/norm_cost.hpp"

using namespace cda;

namespace {

class MultiDimensionalReconstruction : public Formulation {
 public:
  explicit MultiDimensionalReconstruction(NormCostChoice choice) : choice_(std::move(choice)) {}
  bool joint() const override { return true; }
  PairProblem pose(const Comparison& comparison, const Directions&, Index components) const override {
    return PairProblem({.comparison = comparison,
                        .pairs = components,
                        .x_basis = comparison.x.space(),
                        .y_basis = comparison.y.space(),
                        .x_cost = norm_cost(choice_.kind, choice_.x_weight, comparison.x),
                        .y_cost = norm_cost(choice_.kind, choice_.y_weight, comparison.y)});
  }

 private:
  NormCostChoice choice_;
};

}  // namespace

CDA_PART(Formulation, multi_dimensional_reconstruction) {
  return {.info = {.name = {},
                   .summary = "mrCDA: all pairs at once, free frames held near orthonormal by a cost",
                   .reference = "Nguyen and Vreeken, Canonical Divergence Analysis, appendix C",
                   .options = norm_cost_options()},
          .make = [](const Settings& settings) -> std::unique_ptr<Formulation> {
            return std::make_unique<MultiDimensionalReconstruction>(NormCostChoice(settings));
          }};
}
