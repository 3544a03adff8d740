#include "evidence/surrogates.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "divergence/quantiles.hpp"

namespace cda {
namespace {

TEST(Surrogates, CountThoseThatReachTheStatisticAndTheWorseSideDecides) {
  const Vector x = Vector::LinSpaced(19, 1.0, 19.0), y = Vector::LinSpaced(19, 11.0, 29.0);
  EXPECT_DOUBLE_EQ(compared(0.5, x, y).p, 1.0 / 20.0);
  EXPECT_DOUBLE_EQ(compared(3.0, x, y).p, 4.0 / 20.0);  // three of x reach it, none of y
  EXPECT_DOUBLE_EQ(compared(3.0, y, x).p, 4.0 / 20.0);
  EXPECT_DOUBLE_EQ(compared(100.0, x, y).p, 1.0);
  const NullAnswer answer = compared(3.0, x, y);
  EXPECT_DOUBLE_EQ(answer.quantiles[0], 1.0);
  EXPECT_DOUBLE_EQ(answer.quantiles[20], 19.0);
}

TEST(Surrogates, AFitWithoutAnswerReachesEverythingAndHasNoQuantiles) {
  Vector x = Vector::LinSpaced(9, 1.0, 9.0);
  const Vector y = x;
  x[4] = -std::numeric_limits<double>::infinity();
  const NullAnswer answer = compared(0.0, x, y);
  EXPECT_DOUBLE_EQ(answer.p, 2.0 / 10.0);
  EXPECT_TRUE(answer.quantiles.allFinite());
  const Vector none = Vector::Constant(9, x[4]);
  EXPECT_DOUBLE_EQ(compared(0.0, none, none).p, 1.0);
  EXPECT_EQ(compared(0.0, none, none).quantiles.size(), 0);
}

TEST(Surrogates, RoundingDoesNotMakeAMatchSpecial) {
  const double value = 2.25;
  const Vector same = Vector::Constant(19, value * (1.0 + 1e-15));
  EXPECT_DOUBLE_EQ(compared(value, same, same).p, 1.0);
}

TEST(Surrogates, MismatchIsTheDistanceLessTheWeightedContrasts) {
  Random random(1);
  const Vector a = random.normals(quantile_blocks, 1), b = random.normals(quantile_blocks, 1);
  const double blocks = quantile_blocks;
  const double expected = ((a - b).squaredNorm() - 0.25 * (a.squaredNorm() + b.squaredNorm())) / blocks;
  EXPECT_NEAR(mismatch(a, b, 0.25), expected, 1e-12);
  // Negative exactly where the agreement exceeds 1 - g.
  const Vector near_a = a + 0.3 * b;
  EXPECT_EQ(mismatch(a, near_a, 0.1) < 0.0, agreement(a, near_a) > 0.9);
  EXPECT_EQ(mismatch(a, near_a, 0.02) < 0.0, agreement(a, near_a) > 0.98);
}

TEST(Surrogates, BlocksRepeatIndependentRows) {
  Matrix independent(3, 1);
  independent << 1.0, 2.0, 3.0;
  EXPECT_EQ(block_count(7, 3), 3);
  Matrix expected(7, 1);
  expected << 1.0, 1.0, 1.0, 2.0, 2.0, 2.0, 3.0;
  EXPECT_EQ(in_blocks(independent, 7, 3), expected);
}

}  // namespace
}  // namespace cda
