#include "evidence/tail.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "cda/extend/random.hpp"

namespace cda {
namespace {

std::vector<double> exponential_sample(std::size_t count) {
  Random random(3);
  std::vector<double> sample(count);
  for (double& value : sample) value = random.exponential();
  return sample;
}

TEST(Tail, ShareAboveNeverIncreasesAndStaysInRange) {
  const Tail tail(exponential_sample(500));
  double before = 1.0;
  for (double value = -1.0; value < 60.0; value += 0.01) {
    const double share = tail.share_above(value);
    ASSERT_LE(share, before);
    ASSERT_GT(share, 0.0);
    before = share;
  }
  EXPECT_EQ(tail.share_above(-1.0), 1.0);
}

TEST(Tail, IsTheShareOfTheSampleAtItsOwnQuantiles) {
  const std::vector<double> sample = exponential_sample(2000);
  const Tail tail(sample);
  std::vector<double> sorted = sample;
  std::sort(sorted.begin(), sorted.end());
  for (const double share : {0.25, 0.5, 0.75, 0.9}) {
    const double value = sorted[static_cast<std::size_t>(share * 1999.0)];
    EXPECT_NEAR(tail.share_above(value), 1.0 - share, 0.002);
  }
}

TEST(Tail, FollowsAnExponentialFarBeyondTheSample) {
  const Tail tail(exponential_sample(4000));
  // The mean excess of 400 values is known to 5 %; twelve of them beyond the 90 % quantile make that 60 % in the share.
  EXPECT_NEAR(std::log(tail.share_above(3.0)), -3.0, 0.3);
  EXPECT_NEAR(std::log(tail.share_above(12.0)), -12.0, 1.5);
}

TEST(Tail, OfEqualValuesHasNothingAboveThem) {
  const Tail tail(std::vector<double>(50, 2.0));
  EXPECT_EQ(tail.share_above(2.0), 1.0);
  EXPECT_LT(tail.share_above(2.1), 1e-100);
}

TEST(Tail, NullQuantilesRunFromTheSmallestToTheLargest) {
  const std::vector<double> sample = exponential_sample(101);
  const Vector quantiles = null_quantiles(sample);
  ASSERT_EQ(quantiles.size(), 21);
  EXPECT_EQ(quantiles[0], *std::min_element(sample.begin(), sample.end()));
  EXPECT_EQ(quantiles[20], *std::max_element(sample.begin(), sample.end()));
  for (Index i = 1; i <= 20; ++i) EXPECT_GE(quantiles[i], quantiles[i - 1]);
}

}  // namespace
}  // namespace cda
