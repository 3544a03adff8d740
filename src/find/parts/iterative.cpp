// CDA as the paper defines it: pairs one after another,
//
//   min D(u'X, beta v'Y)   over |u| = |v| = 1, u and v orthogonal to all earlier ones.
//
// Later pairs are searched in an orthonormal basis of the complement, so orthogonality holds exactly and is no
// constraint; what is left is a product of two spheres.
#include "base/part.hpp"
#include "cda/extend/formulation.hpp"
#include "find/pairs/deflation.hpp"

using namespace cda;

namespace {

class Iterative : public Formulation {
 public:
  bool joint() const override { return false; }
  PairProblem pose(const Comparison& comparison, const Directions& found, Index) const override {
    return PairProblem({.comparison = comparison,
                        .pairs = 1,
                        .x_basis = complement(comparison.x.space(), found.x),
                        .y_basis = complement(comparison.y.space(), found.y),
                        .x_cost = nullptr,
                        .y_cost = nullptr});
  }
};

}  // namespace

CDA_PART(Formulation, iterative) {
  return {.info = {.name = {},
                   .summary = "CDA: pairs one after another, unit norm, orthogonal to earlier pairs",
                   .reference = "Nguyen and Vreeken, Canonical Divergence Analysis, definition 1",
                   .options = {}},
          .make = [](const Settings&) -> std::unique_ptr<Formulation> { return std::make_unique<Iterative>(); }};
}
