#include <gtest/gtest.h>

#include <cmath>

#include "support/samples.hpp"

using namespace cda;
using cda::test::evaluate;
using cda::test::skewed_rows;

namespace {

double plain_sum(const Vector& x, const Vector& y, double order) {
  double total = 0.0;
  for (Index i = 0; i < x.size(); ++i)
    for (Index j = 0; j < y.size(); ++j) total += std::pow(std::abs(x[i] - y[j]), order);
  return total / static_cast<double>(x.size() * y.size());
}

TEST(ExtendedMallows, EqualsThePlainDoubleSumForEveryOrder) {
  const Vector x = skewed_rows(40, 3, "x").col(0), y = skewed_rows(30, 3, "y").col(1);
  for (const char* order : {"1", "1.5", "2", "3", "4", "5", "6", "7", "8", "9"}) {
    const auto divergence = divergences().make(std::string("extended_mallows:order=") + order);
    const double expected = plain_sum(x, y, std::stod(order));
    EXPECT_NEAR(evaluate(*divergence, x, y), expected, 1e-12 * std::max(1.0, expected)) << order;
  }
}

TEST(ExtendedMallows, IsTheSumOfVariancesAndTheSquaredGapOfMeans) {
  const Vector x = skewed_rows(50, 3, "x").col(0), y = skewed_rows(35, 3, "y").col(1);
  const auto variance = [](const Vector& v) { return (v.array() - v.mean()).square().mean(); };
  EXPECT_NEAR(evaluate(*divergences().make("extended_mallows"), x, y),
              variance(x) + variance(y) + std::pow(x.mean() - y.mean(), 2), 1e-13);
}

TEST(ExtendedMallows, KeepsItsAccuracyFarFromZero) {
  const Vector x = skewed_rows(50, 3, "x").col(0), y = skewed_rows(35, 3, "y").col(1);
  const Vector far_x = x.array() + 1e6, far_y = y.array() + 1e6;
  for (const char* order : {"1", "3", "4"}) {
    const auto divergence = divergences().make(std::string("extended_mallows:order=") + order);
    EXPECT_NEAR(evaluate(*divergence, far_x, far_y), evaluate(*divergence, x, y), 1e-8);
  }
}

TEST(ExtendedMallows, QuadraticFormIsTheValue) {
  const Sample x(skewed_rows(60, 4, "x")), y(skewed_rows(40, 3, "y"));
  const auto divergence = divergences().make("extended_mallows");
  const double scale = 1.3;
  const Matrix form = *divergence->quadratic_form(x, y, scale);
  Random random(1, "z");
  const Vector z = random.normals(7, 1);
  Projection px(x, z.head(4), Vector::Ones(1)), py(y, z.tail(3), Vector::Constant(1, scale));
  EXPECT_NEAR(divergence->evaluate(px, py, false), z.dot(form * z), 1e-12);
}

TEST(Wasserstein, EqualsSquaredShiftWhenOneSampleIsTranslated) {
  const Vector x = skewed_rows(50, 3, "x").col(0);
  EXPECT_NEAR(evaluate(*divergences().make("wasserstein"), x, x.array() + 0.7), 0.49, 1e-13);
}

// Replicating rows n x k times, as the paper does, changes no distribution.
TEST(Wasserstein, EqualsTheSortedDifferenceOfReplicatedSamples) {
  const Vector x = skewed_rows(7, 3, "x").col(0), y = skewed_rows(5, 3, "y").col(1);
  Vector many_x(35), many_y(35);
  for (Index i = 0; i < 35; ++i) {
    many_x[i] = x[i / 5];
    many_y[i] = y[i / 7];
  }
  std::sort(many_x.data(), many_x.data() + 35);
  std::sort(many_y.data(), many_y.data() + 35);
  EXPECT_NEAR(evaluate(*divergences().make("wasserstein"), x, y), (many_x - many_y).squaredNorm() / 35.0, 1e-14);
  EXPECT_NEAR(evaluate(*divergences().make("wasserstein:order=1"), x, y), (many_x - many_y).lpNorm<1>() / 35.0, 1e-14);
}

// scipy.stats.wasserstein_distance([0, 1, 3], [5, 6, 8]) = 5; ([0, 1, 3, 4.5], [0.2, 2, 7]) = 1.4083333333333332.
TEST(Wasserstein, AgreesWithSciPyInTheFirstPower) {
  const auto divergence = divergences().make("wasserstein:order=1");
  EXPECT_NEAR(evaluate(*divergence, (Vector(3) << 0, 1, 3).finished(), (Vector(3) << 5, 6, 8).finished()), 5.0, 1e-15);
  EXPECT_NEAR(evaluate(*divergence, (Vector(4) << 0, 1, 3, 4.5).finished(), (Vector(3) << 0.2, 2, 7).finished()),
              1.4083333333333332, 1e-14);
}

TEST(Wasserstein, IsNeverAboveTheExtendedMallowsDistance) {
  const Vector x = skewed_rows(40, 3, "x").col(0), y = skewed_rows(30, 3, "y").col(1);
  EXPECT_LT(evaluate(*divergences().make("wasserstein"), x, y),
            evaluate(*divergences().make("extended_mallows"), x, y));
}

TEST(Energy, EqualsItsDefinition) {
  const Vector x = skewed_rows(40, 3, "x").col(0), y = skewed_rows(30, 3, "y").col(1);
  EXPECT_NEAR(evaluate(*divergences().make("energy"), x, y),
              2.0 * plain_sum(x, y, 1.0) - plain_sum(x, x, 1.0) - plain_sum(y, y, 1.0), 1e-13);
}

}  // namespace
