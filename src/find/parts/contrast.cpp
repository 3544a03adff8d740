// iCDA: informative matching. By the central limit theorem nearly every direction of a table with many columns looks
// like a bell curve, so a small divergence alone is no finding. On whitened tables, for unit u and v,
//
//   J_g(u, v) = D(u'X, v'Y) - g (C(u'X) + C(v'Y)),   C = divergence to the normal
//
// matches shapes, but only counts shapes that say something. For W2^2, with a and b the deviations of the two quantile
// functions from the normal one, J_g = (1 - g)(|a|^2 + |b|^2) - 2 <a, b>.
//
// search=components finds each table's own contrast maxima and then matches them: a direction chosen on one table alone
// cannot bend itself to mimic the other. search=joint minimises J over both at once, from screened pairs of random
// directions; optima are found with `weight` and compared with half of it.
#include "base/part.hpp"
#include "cda/extend/formulation.hpp"
#include "find/pairs/deflation.hpp"

using namespace cda;

namespace {

class Contrast : public Formulation {
 public:
  Contrast(double weight, bool components, bool refine) : weight_(weight), components_(components), refine_(refine) {}

  bool joint() const override { return false; }
  bool components_first() const override { return components_; }
  bool refines_matches() const override { return refine_; }
  PairProblem pose(const Comparison& comparison, const Directions& found, Index) const override {
    return PairProblem({.comparison = comparison,
                        .pairs = 1,
                        .x_basis = complement(comparison.x.space(), found.x),
                        .y_basis = complement(comparison.y.space(), found.y),
                        .x_cost = nullptr,
                        .y_cost = nullptr,
                        .contrast = weight_,
                        .judged_contrast = weight_ / 2.0});
  }

 private:
  double weight_;
  bool components_, refine_;
};

}  // namespace

CDA_PART(Formulation, contrast) {
  return {.info = {.name = {},
                   .summary = "iCDA: shapes that agree and differ from a bell curve, on whitened columns",
                   .reference = "our own; contrast as in projection pursuit (Huber 1985)",
                   .options = {{"search", "components", "components: each table's own, then matched; or joint"},
                               {"refine", "no", "whether matched components are refined together (yes or no)"},
                               {"weight", "0.5", "of the contrast in the joint objective, above 0 and below 1"}}},
          .make = [](const Settings& settings) -> std::unique_ptr<Formulation> {
            const bool components = settings.choice("search", {"components", "joint"}) == "components";
            return std::make_unique<Contrast>(settings.number("weight", 0.01, 0.99), components,
                                              settings.flag("refine"));
          }};
}
