// Every column to the normal scores of its ranks: the value with a share s of the column below it becomes
// Phi^-1(s), equal values the middle of their shares. What remains of a column is its order; its shape is a bell curve,
// so methods that go by the shapes of single columns see nothing afterwards. New rows lie between the rows fitted on,
// by straight lines, and do not reach beyond the first and the last. At most 257 knots per column are kept: no rows.
#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <vector>

#include "base/over_ranks.hpp"
#include "base/part.hpp"
#include "base/shared_order.hpp"
#include "cda/extend/preparation.hpp"

using namespace cda;

namespace {

constexpr Index most_knots = 257;

// The different values of a column, in order, and how much of the column is below the middle of each.
struct Distinct {
  std::vector<double> values, middles;  // middles: in rows
  // Of increasing values that stand from place `first` on.
  Distinct(const Vector& increasing, Index first) {
    for (Index begin = 0, end = 0; begin < increasing.size(); begin = end) {
      while (end < increasing.size() && increasing[end] == increasing[begin]) ++end;
      values.push_back(increasing[begin]);
      middles.push_back(static_cast<double>(first) + 0.5 * static_cast<double>(begin + end));
    }
  }
};

// The values that are compared on this rank: all equal ones together.
Distinct distinct_values(Vector values, Index total, const Executor& executor) {
  std::sort(values.begin(), values.end());
  const Communicator* ranks = executor.ranks();
  if (ranks == nullptr) return {values, 0};
  std::vector<Index> shares = equal_shares(total, ranks->size());
  const Deal deal = Deal::by_value(values_at({shares.begin() + 1, shares.end() - 1}, values, *ranks), values, *ranks);
  Vector part = deal.dealt(values);
  std::sort(part.begin(), part.end());
  return {part, deal.first()};
}

// The different values of a column with their normal scores, thinned evenly where they are many; both ends stay.
BendingMap::Curve normal_scores(const Vector& values, const Executor& executor) {
  const Index total = executor.total(values.size());
  const Distinct distinct = distinct_values(values, total, executor);
  const auto here = static_cast<Index>(distinct.values.size());
  const Index before = executor.ranks() == nullptr ? 0 : told_by_lower_ranks(here, *executor.ranks());
  const Index all = executor.total(here), count = std::min(most_knots, all);
  Matrix knots = Matrix::Zero(count, 2);  // each known to one rank
  for (Index i = 0; i < count; ++i) {
    const Index at = (count == 1 ? 0 : i * (all - 1) / (count - 1)) - before;
    if (at < 0 || at >= here) continue;
    knots(i, 0) = distinct.values[static_cast<std::size_t>(at)];
    knots(i, 1) = boost::math::quantile(boost::math::normal(),
                                        distinct.middles[static_cast<std::size_t>(at)] / static_cast<double>(total));
  }
  executor.add_over_ranks(knots);
  return {knots.col(0), knots.col(1)};
}

class RankGauss : public Preparation {
 public:
  bool forgets_units() const override { return true; }
  bool bends() const override { return true; }
  PreparationMap fit(const Matrix& rows, const Executor& executor) const override {
    BendingMap map{.kind = BendingMap::Kind::curves, .curves = {}};
    map.curves.resize(static_cast<std::size_t>(rows.cols()));
    executor.for_talking().for_each(
        rows.cols(), [&](Index j) { map.curves[static_cast<std::size_t>(j)] = normal_scores(rows.col(j), executor); });
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
