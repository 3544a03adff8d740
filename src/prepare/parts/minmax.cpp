// Every column to [0, 1]: the paper's own preparation, which its rule for the scale (the lemma) presumes.
#include "base/over_ranks.hpp"
#include "base/part.hpp"
#include "cda/extend/preparation.hpp"

using namespace cda;

namespace {

class MinMax : public Preparation {
 public:
  bool forgets_units() const override { return true; }
  PreparationMap fit(const Matrix& rows, const Executor& executor) const override {
    AffineMap map;
    const Matrix ranges = column_ranges(rows, executor);
    map.centre = ranges.row(0);
    map.factor = (ranges.row(1) - ranges.row(0)).cwiseInverse();
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
