// Mean zero and standard deviation one in every column.
#include "base/moments.hpp"
#include "base/part.hpp"
#include "cda/extend/preparation.hpp"

using namespace cda;

namespace {

class Standardise : public Preparation {
 public:
  bool forgets_units() const override { return true; }
  PreparationMap fit(const Matrix& rows, const Executor& executor) const override {
    AffineMap map;
    map.centre = column_means(rows, executor);
    map.factor = column_variances(rows, map.centre, executor).cwiseSqrt().cwiseInverse();
    return map;
  }
  std::optional<AffineMap> fit_moments(const ColumnMoments& columns) const override {
    return AffineMap{columns.mean, columns.covariance.diagonal().cwiseSqrt().cwiseInverse(), {}, {}};
  }
};

}  // namespace

CDA_PART(Preparation, standardise) {
  return {.info = {.name = {},
                   .summary = "mean 0 and standard deviation 1 in every column",
                   .reference = "",
                   .options = {}},
          .make = [](const Settings&) -> std::unique_ptr<Preparation> { return std::make_unique<Standardise>(); }};
}
