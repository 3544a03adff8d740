#include "divergence/quantiles.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "cda/extend/random.hpp"

namespace cda {
namespace {

TEST(Quantiles, AreBlockMeansOfTheStepFunction) {
  Vector values(3);
  values << 1.0, 2.0, 6.0;
  Vector expected(2);  // the first half holds all of 1 and half of 2
  expected << (2.0 * 1.0 + 1.0 * 2.0) / 3.0, (1.0 * 2.0 + 2.0 * 6.0) / 3.0;
  EXPECT_LT((quantile_function(values, 2) - expected).norm(), 1e-15);
  EXPECT_EQ(quantile_function(values, 3), values);
}

TEST(Quantiles, KeepTheMeanForAnySizes) {
  Random random(1, "quantiles");
  for (const Index n : {1, 2, 7, 255, 256, 257, 1000}) {
    const Vector values = random.normals(n, 1);
    EXPECT_NEAR(quantile_function_of(values).mean(), values.mean(), 1e-13) << n;
  }
}

TEST(Quantiles, OfTheNormalAreOddAndConverge) {
  for (const Index blocks : {1, 2, 5, 256, 4001}) {
    const Vector z = normal_quantiles(blocks);
    EXPECT_EQ(z, -z.reverse()) << blocks;
    // Block means lose the variance within blocks: nearly all of it is in the two tails.
    EXPECT_LT(z.squaredNorm() / static_cast<double>(blocks), 1.0);
  }
  EXPECT_NEAR(normal_quantiles(2)[1], std::sqrt(2.0 / M_PI), 1e-15);  // mean of the upper half
  EXPECT_NEAR(normal_quantiles(4001).squaredNorm() / 4001.0, 1.0, 1e-3);
}

TEST(Agreement, IsOneForTheSameShapeAndStaysWithinItsBounds) {
  Random random(2, "agreement");
  const Vector z = normal_quantiles();
  const auto skewed = [&](Index count) -> Vector {
    Vector values(count);
    for (double& value : values) value = random.exponential();
    values.array() -= values.mean();
    return quantile_function_of(values / std::sqrt(values.squaredNorm() / static_cast<double>(count)));
  };
  const Vector a = skewed(40) - z, b = skewed(1000) - z;
  EXPECT_DOUBLE_EQ(agreement(a, a), 1.0);
  EXPECT_DOUBLE_EQ(agreement(a, -a), -1.0);
  EXPECT_GT(agreement(a, b), 0.8);
  EXPECT_LT(agreement(a, mirrored(b + z) - z), 0.5);  // a skewed shape is not its mirror image
  EXPECT_EQ(agreement(Vector::Zero(4), Vector::Zero(4)), 0.0);
}

}  // namespace
}  // namespace cda
