// Cells beyond a column's quantiles `share` and 1 - share are brought back to them, so that a few far cells do not
// decide. New rows are held to the quantiles of the rows fitted on. A column whose quantiles are equal (most of its
// cells are one value) is left as it is: nothing would remain of it.
#include <algorithm>
#include <cmath>

#include "cda/preparation.hpp"
#include "foundation/part.hpp"

using namespace cda;

namespace {

// The value that a share of the increasing values does not exceed, between the two nearest ones.
double quantile(const Vector& increasing, double share) {
  const double at = share * static_cast<double>(increasing.size() - 1);
  const auto below = static_cast<Index>(at);
  const Index above = std::min<Index>(below + 1, increasing.size() - 1);
  const double part = at - static_cast<double>(below);
  return (1.0 - part) * increasing[below] + part * increasing[above];
}

class Winsorise : public Preparation {
 public:
  explicit Winsorise(double share) : share_(share) {}

  PreparationMap fit(const Matrix& rows, const Executor& executor) const override {
    BendingMap map{.kind = BendingMap::Kind::curves, .curves = {}};
    map.curves.resize(static_cast<std::size_t>(rows.cols()));
    executor.for_each(rows.cols(), [&](Index j) {
      Vector sorted = rows.col(j);
      std::sort(sorted.begin(), sorted.end());
      Vector ends(2);
      ends << quantile(sorted, share_), quantile(sorted, 1.0 - share_);
      if (!(ends[0] < ends[1])) ends << sorted[0], sorted[sorted.size() - 1];
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
