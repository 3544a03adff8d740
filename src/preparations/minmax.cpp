// Every column to [0, 1]: the paper's own preparation, which its rule for the scale (the lemma) presumes.
#include "cda/preparation.hpp"
#include "foundation/part.hpp"

using namespace cda;

namespace {

class MinMax : public Preparation {
 public:
  bool forgets_units() const override { return true; }
  PreparationMap fit(const Matrix& rows) const override {
    AffineMap map;
    map.centre = rows.colwise().minCoeff().transpose();
    map.factor = (rows.colwise().maxCoeff().transpose() - map.centre).cwiseInverse();
    return map;
  }
  std::optional<AffineMap> fit_moments(const ColumnMoments& columns) const override {
    return AffineMap{columns.lowest, (columns.highest - columns.lowest).cwiseInverse(), {}, {}};
  }
};

}  // namespace

CDA_PART(Preparation, minmax) {
  return {.info = {.name = {},
                   .summary = "every column to [0, 1]",
                   .reference = "Nguyen and Vreeken, Canonical Divergence Analysis, section 5",
                   .options = {}},
          .make = [](const Settings&) -> std::unique_ptr<Preparation> { return std::make_unique<MinMax>(); }};
}
