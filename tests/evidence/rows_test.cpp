#include "evidence/rows.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace cda {
namespace {

TEST(Rows, ShuffledHoldsEveryRowOnceAndKeepsBlocksTogether) {
  Random random(1);
  const std::vector<Index> rows = shuffled_rows(103, 10, random);
  std::vector<Index> sorted = rows, all(103);
  std::sort(sorted.begin(), sorted.end());
  std::iota(all.begin(), all.end(), Index{0});
  EXPECT_EQ(sorted, all);
  int joints = 0;  // where a block ends and another begins
  for (std::size_t i = 1; i < rows.size(); ++i) {
    if (rows[i] == rows[i - 1] + 1 && rows[i] % 10 != 0) continue;
    EXPECT_EQ(rows[i] % 10, 0) << "a block begins inside another";
    ++joints;
  }
  EXPECT_EQ(joints, 10);
}

TEST(Rows, ShuffledOneByOneIsNoLongerInOrder) {
  Random random(2);
  const std::vector<Index> rows = shuffled_rows(50, 1, random);
  EXPECT_FALSE(std::is_sorted(rows.begin(), rows.end()));
}

TEST(Rows, ResampledAreRunsThatGoRoundTheEnd) {
  Random random(3);
  const std::vector<Index> rows = resampled_rows(47, 5, random);
  ASSERT_EQ(rows.size(), 47U);
  bool round_the_end = false;
  for (int repeat = 0; repeat < 20; ++repeat) {
    const std::vector<Index> drawn = resampled_rows(47, 5, random);
    for (std::size_t i = 0; i < drawn.size(); ++i) {
      ASSERT_GE(drawn[i], 0);
      ASSERT_LT(drawn[i], 47);
      if (i % 5 == 0) continue;
      ASSERT_EQ(drawn[i], (drawn[i - 1] + 1) % 47);
      round_the_end = round_the_end || drawn[i] == 0;
    }
  }
  EXPECT_TRUE(round_the_end);
}

TEST(Rows, ResampledDrawsEveryRowEquallyOften) {
  Random random(4);
  Vector counts = Vector::Zero(20);
  constexpr int repeats = 2000;
  for (int repeat = 0; repeat < repeats; ++repeat)
    for (const Index row : resampled_rows(20, 7, random)) counts[row] += 1.0;
  // Each count is about 2000 with a standard deviation below sqrt(7 * 2000): five of them.
  EXPECT_LT((counts.array() - repeats).abs().maxCoeff(), 5.0 * std::sqrt(7.0 * repeats));
}

TEST(Rows, CanonicalOrderForgetsTheOrderTheyCameIn) {
  Random random(5);
  const Table table = make_table(random.normals(40, 3));
  const Table other = rows_of(table, random.permutation(40));
  EXPECT_NE(table.values, other.values);
  EXPECT_EQ(in_canonical_order(table).values, in_canonical_order(other).values);
}

}  // namespace
}  // namespace cda
