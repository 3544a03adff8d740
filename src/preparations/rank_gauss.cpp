// Every column to the normal scores of its ranks: the value with a share s of the column below it becomes
// Phi^-1(s), equal values the middle of their shares. What remains of a column is its order; its shape is a bell curve,
// so methods that go by the shapes of single columns see nothing afterwards. New rows lie between the rows fitted on,
// by straight lines, and do not reach beyond the first and the last. At most 257 knots per column are kept: no rows.
#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <vector>

#include "cda/preparation.hpp"
#include "foundation/part.hpp"

using namespace cda;

namespace {

constexpr std::size_t most_knots = 257;

// The different values of a column with their normal scores, thinned evenly where they are many; both ends stay.
BendingMap::Curve normal_scores(Vector values) {
  std::sort(values.begin(), values.end());
  const auto n = static_cast<double>(values.size());
  std::vector<double> from, to;
  for (Index begin = 0, end = 0; begin < values.size(); begin = end) {
    while (end < values.size() && values[end] == values[begin]) ++end;
    from.push_back(values[begin]);
    to.push_back(boost::math::quantile(boost::math::normal(), 0.5 * static_cast<double>(begin + end) / n));
  }
  const std::size_t count = std::min(most_knots, from.size());
  BendingMap::Curve curve{Vector(static_cast<Index>(count)), Vector(static_cast<Index>(count))};
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t at = count == 1 ? 0 : i * (from.size() - 1) / (count - 1);
    curve.from[static_cast<Index>(i)] = from[at];
    curve.to[static_cast<Index>(i)] = to[at];
  }
  return curve;
}

class RankGauss : public Preparation {
 public:
  bool forgets_units() const override { return true; }
  PreparationMap fit(const Matrix& rows, const Executor& executor) const override {
    BendingMap map{.kind = BendingMap::Kind::curves, .curves = {}};
    map.curves.resize(static_cast<std::size_t>(rows.cols()));
    executor.for_each(rows.cols(),
                      [&](Index j) { map.curves[static_cast<std::size_t>(j)] = normal_scores(rows.col(j)); });
    return map;
  }
};

}  // namespace

CDA_PART(Preparation, rank_gauss) {
  return {.info = {.name = {},
                   .summary = "every column to the normal scores of its ranks",
                   .reference = "van der Waerden, Indag. Math. 14 (1952)",
                   .options = {}},
          .make = [](const Settings&) -> std::unique_ptr<Preparation> { return std::make_unique<RankGauss>(); }};
}
