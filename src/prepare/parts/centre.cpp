// Mean zero in every column; units stay.
#include "base/moments.hpp"
#include "base/part.hpp"
#include "cda/extend/preparation.hpp"

using namespace cda;

namespace {

class Centre : public Preparation {
 public:
  PreparationMap fit(const Matrix& rows, const Executor& executor) const override {
    AffineMap map;
    map.centre = column_means(rows, executor);
    map.factor = Vector::Ones(rows.cols());
    return map;
  }
  std::optional<AffineMap> fit_moments(const ColumnMoments& columns) const override {
    return AffineMap{columns.mean, Vector::Ones(columns.mean.size()), {}, {}};
  }
};

}  // namespace

CDA_PART(Preparation, centre) {
  return {.info = {.name = {}, .summary = "mean 0 in every column", .reference = "", .options = {}},
          .make = [](const Settings&) -> std::unique_ptr<Preparation> { return std::make_unique<Centre>(); }};
}
