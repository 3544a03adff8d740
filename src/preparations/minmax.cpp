// Every column to [0, 1]: the paper's own preparation, which its rule for the scale (the lemma) presumes.
#include "cda/preparation.hpp"
#include "foundation/part.hpp"

using namespace cda;

namespace {

class MinMax : public Preparation {
 public:
  bool forgets_units() const override { return true; }
  PreparationMap fit(const Matrix& rows, const Executor& executor) const override {
    AffineMap map;
    map.centre.resize(rows.cols());
    map.factor.resize(rows.cols());
    executor.for_each(rows.cols(), [&](Index j) {
      map.centre[j] = rows.col(j).minCoeff();
      map.factor[j] = 1.0 / (rows.col(j).maxCoeff() - map.centre[j]);
    });
    return map;
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
