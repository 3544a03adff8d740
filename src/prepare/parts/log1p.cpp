// Every cell to log(1 + cell), for counts and other skewed amounts; below zero the mirror image, -log(1 - cell), so
// that no cell is without a value. Nothing is learnt from the rows.
#include "base/part.hpp"
#include "cda/extend/preparation.hpp"

using namespace cda;

namespace {

class Log1p : public Preparation {
 public:
  bool bends() const override { return true; }
  PreparationMap fit(const Matrix& /*rows*/, const Executor& /*executor*/) const override {
    return BendingMap{.kind = BendingMap::Kind::logarithm, .curves = {}};
  }
};

}  // namespace

CDA_PART(Preparation, log1p) {
  return {.info = {.name = {},
                   .summary = "every cell to log(1 + cell); below zero to -log(1 - cell)",
                   .reference = "",
                   .options = {}},
          .make = [](const Settings&) -> std::unique_ptr<Preparation> { return std::make_unique<Log1p>(); }};
}
