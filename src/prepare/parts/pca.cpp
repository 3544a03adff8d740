// Scores on the leading principal components of the columns as they come (put standardise before it to weigh columns
// equally). Components without variance are never kept.
#include <algorithm>

#include "base/linear_algebra.hpp"
#include "base/moments.hpp"
#include "base/over_ranks.hpp"
#include "base/part.hpp"
#include "cda/extend/preparation.hpp"

using namespace cda;

namespace {

class PrincipalComponents : public Preparation {
 public:
  explicit PrincipalComponents(Index components) : components_(components) {}

  PreparationMap fit(const Matrix& rows, const Executor& executor) const override {
    AffineMap map;
    map.centre = column_means(rows, executor);
    const Axes axes = executor.total(rows.rows()) < rows.cols()
                          ? axes_of_few_rows(gathered(rows, executor).rowwise() - map.centre.transpose())
                          : principal_axes(covariance_about(rows, map.centre, executor));
    const Index p = axes.values.size();
    Index kept = 0;
    while (kept < std::min(components_, p) && axes.values[p - 1 - kept] > 1e-12 * axes.values[p - 1]) ++kept;
    if (kept == 0)
      throw Error(Fault::numerical, "data.constant", "no column varies by more than rounding",
                  "put standardise before pca");
    map.forward = axes.vectors.rightCols(kept).rowwise().reverse();
    map.backward = map.forward.transpose();
    return map;
  }

 private:
  Index components_;
};

}  // namespace

CDA_PART(Preparation, pca) {
  return {.info = {.name = {},
                   .summary = "scores on the leading principal components, e.g. pca:5",
                   .reference = "",
                   .options = {{"components", "10", "how many to keep at most"}}},
          .make = [](const Settings& settings) -> std::unique_ptr<Preparation> {
            return std::make_unique<PrincipalComponents>(settings.count("components", 1, 1000000));
          }};
}
