#include "base/shared_order.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "base/over_ranks.hpp"
#include "cda/error.hpp"
#include "cda/extend/random.hpp"
#include "support/thread_ranks.hpp"

using namespace cda;
using cda::test::on_ranks;
using cda::test::own_rows;
using cda::test::Spread;

namespace {

Vector increasing(Vector values) {
  std::sort(values.begin(), values.end());
  return values;
}

// Values of both signs and many sizes, with ties, zeros of both signs and the ends of the range.
Vector difficult_values() {
  Vector values = Random(1, "order").normals(203, 1);
  for (Index i = 0; i < 60; ++i) values[i] = std::round(2.0 * values[i]);
  values[60] = 0.0;
  values[61] = -0.0;
  values[62] = std::numeric_limits<double>::max();
  values[63] = std::numeric_limits<double>::lowest();
  values[64] = std::numeric_limits<double>::denorm_min();
  for (Index i = 65; i < 90; ++i) values[i] *= std::exp2(static_cast<double>(10 * (i - 77)));
  return values;
}

class SharedOrder : public testing::TestWithParam<std::tuple<int, Spread>> {};

TEST_P(SharedOrder, FindsTheValueAtEveryPlace) {
  const auto [ranks, spread] = GetParam();
  const Vector values = difficult_values(), sorted = increasing(values);
  std::vector<Index> few{0, 57, 101, 202}, many, very_many;
  for (Index i = 0; i < 2 * values.size(); ++i) many.push_back(i % values.size());
  for (Index i = 0; i < 6 * values.size(); ++i) very_many.push_back(i % values.size());
  on_ranks(ranks, [&, spread = spread](const Communicator& talk) {
    const Vector own = increasing(own_rows(values, talk, spread));
    for (const auto& places : {few, many, very_many}) {  // in few rounds, or with short messages
      const std::vector<double> found = values_at(places, own, talk);
      for (std::size_t i = 0; i < places.size(); ++i) EXPECT_EQ(found[i], sorted[places[i]]) << places[i];
    }
  });
}

TEST_P(SharedOrder, DealsEveryValueOnceInEqualShares) {
  const auto [ranks, spread] = GetParam();
  const Vector values = difficult_values(), sorted = increasing(values);
  on_ranks(ranks, [&, spread = spread](const Communicator& talk) {
    const Vector own = increasing(own_rows(values, talk, spread));
    const std::vector<Index> shares = equal_shares(values.size(), talk.size());
    const Deal deal = Deal::in_equal_shares(own, values.size(), talk);
    const Vector part = increasing(deal.dealt(own));
    const Index first = shares[static_cast<std::size_t>(talk.rank())];
    ASSERT_EQ(part.size(), shares[static_cast<std::size_t>(talk.rank()) + 1] - first);
    EXPECT_EQ(deal.first(), first);
    EXPECT_EQ(part, sorted.segment(first, part.size()));
  });
}

TEST_P(SharedOrder, SendsBackWhatWasFoundForEveryValue) {
  const auto [ranks, spread] = GetParam();
  const Vector values = difficult_values();
  on_ranks(ranks, [&, spread = spread](const Communicator& talk) {
    const Vector own = increasing(own_rows(values, talk, spread));
    const Index n = values.size();
    // Everybody gets the middle half too: what comes back is added up.
    const std::vector<Index> shares = equal_shares(n, talk.size());
    std::vector<Index> begin, end;
    for (std::size_t r = 0; r + 1 < shares.size(); ++r) {
      begin.push_back(std::min(shares[r], n / 4));
      end.push_back(std::max(shares[r + 1], 3 * n / 4));
    }
    const Deal deal = Deal::by_place({{own, begin, end}}, talk)[0];
    Vector ones = Vector::Ones(deal.dealt(own).size());
    const Vector back = deal.returned(ones);
    ASSERT_EQ(back.size(), own.size());
    double total = back.sum(), expected = 0.0;
    talk.sum(&total, 1);
    for (std::size_t r = 0; r < begin.size(); ++r) expected += static_cast<double>(end[r] - begin[r]);
    EXPECT_EQ(total, expected);
    EXPECT_TRUE((back.array() >= 1.0).all());
  });
}

TEST_P(SharedOrder, KeepsEqualValuesTogetherWhereItDealsByValue) {
  const auto [ranks, spread] = GetParam();
  const Vector x = difficult_values(), y = (3.0 * Random(2, "other").normals(90, 1)).array().round();
  on_ranks(ranks, [&, spread = spread](const Communicator& talk) {
    const Vector own_x = increasing(own_rows(x, talk, spread)), own_y = increasing(own_rows(y, talk, spread));
    const std::vector<Index> shares = equal_shares(x.size() + y.size(), talk.size());
    const std::vector<double> bounds = values_at_both({shares.begin() + 1, shares.end() - 1}, own_x, own_y, talk);
    const Deal x_deal = Deal::by_value(bounds, own_x, talk), y_deal = Deal::by_value(bounds, own_y, talk);
    const Vector part = increasing(x_deal.dealt(own_x)), other = increasing(y_deal.dealt(own_y));
    EXPECT_EQ(part, increasing(x).segment(x_deal.first(), part.size()));
    EXPECT_EQ(other, increasing(y).segment(y_deal.first(), other.size()));
    const auto here = static_cast<std::size_t>(talk.rank());
    for (const Vector* side : {&part, &other}) {
      if (side->size() == 0) continue;
      EXPECT_TRUE(here == 0 || (*side)[0] >= bounds[here - 1]);
      EXPECT_TRUE(here == bounds.size() || (*side)[side->size() - 1] < bounds[here]);
    }
  });
}

INSTANTIATE_TEST_SUITE_P(Ranks, SharedOrder,
                         testing::Combine(testing::Values(1, 2, 3, 4, 7),
                                          testing::Values(Spread::evenly, Spread::badly)));

TEST(OverRanks, GathersRowsInTheOrderOfRanks) {
  const Matrix rows = Random(3, "rows").normals(5, 3);
  on_ranks(7, [&](const Communicator& talk) {  // more ranks than rows
    const Executor executor(1, &talk);
    const Matrix own = own_rows(rows, talk);
    EXPECT_EQ(gathered(own, executor), rows);
    EXPECT_EQ(executor.total(own.rows()), 5);
    EXPECT_EQ(range_of(own, executor).lowest, rows.minCoeff());
    EXPECT_EQ(column_ranges(own, executor).row(1), rows.colwise().maxCoeff());
  });
}

TEST(OverRanks, RefusesToTalkFromInsideATask) {
  on_ranks(2, [](const Communicator& talk) {
    const Executor executor(2, &talk);
    EXPECT_THROW(executor.for_each(4, [&](Index) { executor.total(1); }), Error);
    EXPECT_NO_THROW(executor.for_talking().for_each(4, [&](Index) { executor.total(1); }));
  });
}

TEST(ThreadRanks, EndTogetherWhereOneFails) {
  EXPECT_THROW(on_ranks(3,
                        [](const Communicator& talk) {
                          if (talk.rank() == 1) throw Error(Fault::input, "test", "rank 1 cannot go on");
                          double one = 1.0;
                          talk.sum(&one, 1);
                        }),
               Error);
}

}  // namespace
