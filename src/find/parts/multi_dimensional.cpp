// mCDA: all pairs at once,
//
//   min D(U'X, diag(beta) V'Y)   over U'U = V'V = I,
//
// a product of two Stiefel manifolds, with a divergence of r-dimensional samples.
#include "base/part.hpp"
#include "cda/extend/formulation.hpp"

using namespace cda;

namespace {

class MultiDimensional : public Formulation {
 public:
  bool joint() const override { return true; }
  PairProblem pose(const Comparison& comparison, const Directions&, Index components) const override {
    return PairProblem({.comparison = comparison,
                        .pairs = components,
                        .x_basis = comparison.x.space(),
                        .y_basis = comparison.y.space(),
                        .x_cost = nullptr,
                        .y_cost = nullptr});
  }
};

}  // namespace

CDA_PART(Formulation, multi_dimensional) {
  return {.info = {.name = {},
                   .summary = "mCDA: all pairs at once, orthonormal",
                   .reference = "Nguyen and Vreeken, Canonical Divergence Analysis, definition 2",
                   .options = {}},
          .make = [](const Settings&) -> std::unique_ptr<Formulation> { return std::make_unique<MultiDimensional>(); }};
}
