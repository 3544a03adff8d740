// Natural gradient descent: downhill in the set's own metric, along its geodesics.
//
// On frames U (m x r) the natural gradient is G - U G'U and the path exp(-t (G U' - U G')) U. (The row-wise formula
// U exp(-t (U'G - G'U)) would only turn U within its own span, and for one direction not move at all.)
// Amari, Neural Computation 10 (1998); Nishimori and Akaho, Neurocomputing 67 (2005). One value and gradient per
// iteration as a rule.
#include "base/part.hpp"
#include "optimise/descent.hpp"

using namespace cda;

namespace {

class NaturalGradient final : public Optimiser {
 public:
  explicit NaturalGradient(StepRule step) : step_(std::move(step)) {}

  Outcome minimise(const Problem& problem, const Vector& start, const Stopping& stopping,
                   const Observer& observer) const override {
    SteepestDescent direction(manifold_of(problem), SteepestDescent::Gradient::natural);
    return descend(problem, start, stopping, observer, direction, step_);
  }

 private:
  StepRule step_;
};

}  // namespace

CDA_PART(Optimiser, natural_gradient) {
  return {
      .info = {.name = {},
               .summary = "descent along geodesics in the set's own metric",
               .reference = "Amari 1998; Edelman, Arias and Smith 1998",
               .options = {{"step", "armijo", "how far to go: armijo (backtracking) or nelder_mead (as published)"}}},
      .make = [](const Settings& settings) -> std::unique_ptr<Optimiser> {
        const bool simplex = settings.choice("step", {"armijo", "nelder_mead"}) == "nelder_mead";
        return std::make_unique<NaturalGradient>(simplex ? StepRule(nelder_mead) : StepRule(armijo));
      }};
}
