#include "studies/paired_tests.hpp"

#include <gtest/gtest.h>

#include <cmath>

using namespace cda;

namespace {

TEST(PairedTests, SignedRanksEqualScipysExactTest) {
  // scipy.stats.wilcoxon(d, mode="exact") of SciPy 1.10
  EXPECT_NEAR(signed_rank_p({0.3, -0.1, 0.45, 0.2, 0.7, -0.05, 0.9, 0.33, 0.12, 0.6}), 0.009765625, 1e-14);
}

TEST(PairedTests, SignedRanksOfManyDifferencesWithTiesEqualScipysApproximation) {
  std::vector<double> differences;
  for (int i = 0; i < 60; ++i) differences.push_back(((i * 37) % 61 - 22) / 10.0);
  // scipy.stats.wilcoxon(d, correction=True, mode="approx")
  EXPECT_NEAR(signed_rank_p(differences), 0.001968782136114518, 1e-12);
}

TEST(PairedTests, SignedRanksWithTiesCountEverySign) {
  // Ranks 1.5, 1.5, 3: the sum of negative ones is at most 1.5 for {}, {1.5} and {1.5} of 8 sets of signs.
  EXPECT_NEAR(signed_rank_p({1.0, -1.0, 2.0}), 2.0 * 3.0 / 8.0, 1e-15);
}

TEST(PairedTests, TenRunsCannotGoBelowTwoIn1024) {
  EXPECT_NEAR(signed_rank_p({1, 2, 3, 4, 5, 6, 7, 8, 9, 10}), 2.0 / 1024.0, 1e-16);
  EXPECT_EQ(signed_rank_p({}), 1.0);
  EXPECT_EQ(signed_rank_p({0.0, 0.0}), 1.0);
}

TEST(PairedTests, HolmMultipliesTheSmallestMostAndNeverDecreases) {
  const std::vector<double> corrected = holm({0.01, 0.04, 0.03, 0.005});
  EXPECT_NEAR(corrected[3], 0.02, 1e-15);
  EXPECT_NEAR(corrected[0], 0.03, 1e-15);
  EXPECT_NEAR(corrected[2], 0.06, 1e-15);
  EXPECT_NEAR(corrected[1], 0.06, 1e-15);  // .04 alone would be less than the one before
  EXPECT_EQ(holm({0.9, 0.8})[0], 1.0);
}

TEST(PairedTests, SpreadIsThatOfASample) {
  const MeanAndSpread found = spread({1.0, 2.0, 3.0, 4.0});
  EXPECT_DOUBLE_EQ(found.mean, 2.5);
  EXPECT_NEAR(found.sd, std::sqrt(5.0 / 3.0), 1e-15);
  EXPECT_TRUE(std::isnan(spread({1.0}).sd));
  EXPECT_TRUE(std::isnan(spread({}).mean));
}

}  // namespace
