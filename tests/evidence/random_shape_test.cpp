#include "evidence/random_shape.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "find/components/components.hpp"

namespace cda {
namespace {

// Integrals over the normal by the midpoint rule on [-6, 6]: exact to far below the tolerances, and another grid than
// the shape's own.
struct Moments3 {
  double mean = 0.0, variance = 0.0, contrast = 0.0;
};

Moments3 moments_of(const RandomShape& shape) {
  constexpr int points = 24001;
  constexpr double width = 12.0 / points;
  Moments3 found;
  double square = 0.0;
  for (int i = 0; i < points; ++i) {
    const double z = -6.0 + (i + 0.5) * width;
    const double weight = width * std::exp(-0.5 * z * z) / std::sqrt(2.0 * M_PI), value = shape.at(z);
    found.mean += weight * value;
    square += weight * value * value;
    found.contrast += weight * (value - z) * (value - z);
  }
  found.variance = square - found.mean * found.mean;
  return found;
}

TEST(RandomShape, HasMeanZeroVarianceOneAndTheContrastAskedFor) {
  Random random(5);
  for (const double wanted : {0.01, 0.05, 0.2}) {
    int reached = 0;
    for (int i = 0; i < 20; ++i) {
      const Moments3 found = moments_of(RandomShape(wanted, random));
      // The shape is linear between 181 nodes and constant beyond 4.5: good to a thousandth.
      EXPECT_NEAR(found.mean, 0.0, 2e-3);
      EXPECT_NEAR(found.variance, 1.0, 5e-3);
      EXPECT_LE(found.contrast, 1.01 * wanted + 1e-3) << "asked for " << wanted;
      if (found.contrast > 0.99 * wanted - 1e-3) ++reached;
    }
    EXPECT_GE(reached, 15) << "asked for " << wanted;  // a few shapes do not come that far from the normal
  }
}

TEST(RandomShape, IncreasesEverywhere) {
  Random random(6);
  for (int i = 0; i < 30; ++i) {
    const RandomShape shape(0.3, random);
    for (double z = -4.4; z < 4.4; z += 0.01) ASSERT_LE(shape.at(z), shape.at(z + 0.01));
    EXPECT_LT(shape.at(-2.0), shape.at(2.0));
  }
}

TEST(RandomShape, WithoutContrastIsTheNormal) {
  Random random(7);
  const RandomShape shape(0.0, random);
  for (double z = -3.0; z <= 3.0; z += 0.5) EXPECT_NEAR(shape.at(z), z, 1e-3);
}

TEST(RandomShape, DrawnSamplesShowTheContrastAndWhatSamplingAdds) {
  Random random(8);
  constexpr Index count = 4000;
  double total = 0.0;
  for (int i = 0; i < 40; ++i) total += contrast_of(RandomShape(0.1, random).drawn_deviation(count, random));
  // Sampling moves the mean by less than a hundredth; the shapes that fall short of what is asked lower it.
  EXPECT_LT(total / 40.0, 0.11);
  EXPECT_GT(total / 40.0, 0.07);
}

TEST(RandomShape, VariedStrengthsScatterAroundTheUnbiasedOneWithinBounds) {
  Random random(9);
  std::vector<double> strengths;
  for (int i = 0; i < 2001; ++i) strengths.push_back(RandomShape::varied_strength(0.11, 100, random));
  for (const double strength : strengths) {
    EXPECT_GE(strength, 0.003);
    EXPECT_LE(strength, 0.71);
  }
  std::nth_element(strengths.begin(), strengths.begin() + 1000, strengths.end());
  EXPECT_NEAR(strengths[1000], 0.1, 0.01);  // the median of a factor exp(.55 N(0, 1)) is 1; 3 standard errors are 5 %
  EXPECT_GE(RandomShape::varied_strength(0.001, 100, random), 0.003);
}

}  // namespace
}  // namespace cda
