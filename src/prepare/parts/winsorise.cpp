// Cells beyond a column's quantiles `share` and 1 - share are brought back to them, so that a few far cells do not
// decide. New rows are held to the quantiles of the rows fitted on. A column whose quantiles are equal (most of its
// cells are one value) is left as it is: nothing would remain of it.
#include <algorithm>
#include <cmath>

#include "base/part.hpp"
#include "base/shared_order.hpp"
#include "cda/extend/preparation.hpp"

using namespace cda;

namespace {

class Winsorise : public Preparation {
 public:
  explicit Winsorise(double share) : share_(share) {}

  bool bends() const override { return true; }
  PreparationMap fit(const Matrix& rows, const Executor& executor) const override {
    BendingMap map{.kind = BendingMap::Kind::curves, .curves = {}};
    map.curves.resize(static_cast<std::size_t>(rows.cols()));
    const Vector shares = (Vector(4) << share_, 1.0 - share_, 0.0, 1.0).finished();
    executor.for_talking().for_each(rows.cols(), [&](Index j) {
      Vector sorted = rows.col(j);
      std::sort(sorted.begin(), sorted.end());
      const Vector quantiles = quantiles_at(shares, sorted, executor);
      const Vector ends = quantiles[0] < quantiles[1] ? quantiles.head(2) : quantiles.tail(2);
      map.curves[static_cast<std::size_t>(j)] = {ends, ends};
    });
    return map;
  }

 private:
  double share_;
};

}  // namespace

CDA_PART(Preparation, winsorise) {
  return {.info = {.name = {},
                   .summary = "cells beyond two quantiles of their column back to these, e.g. winsorise:0.01",
                   .reference = "Tukey, Ann. Math. Stat. 33 (1962), after C. P. Winsor",
                   .options = {{"share", "0.01", "of the cells at each end, from 0 to 0.4"}}},
          .make = [](const Settings& settings) -> std::unique_ptr<Preparation> {
            return std::make_unique<Winsorise>(settings.number("share", 0.0, 0.4));
          }};
}
