#include "base/exponential.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "cda/extend/random.hpp"

using namespace cda;

namespace {

TEST(ExpInPlace, AgreesWithTheStandardLibraryToTheLastPlaces) {
  Random random(1, "exp");
  Vector values(10007);
  for (double& value : values) value = -700.0 * std::pow(random.uniform(), 3);
  Vector exponentials = values;
  exp_in_place(exponentials.data(), exponentials.size());
  for (Index i = 0; i < values.size(); ++i)
    EXPECT_NEAR(exponentials[i] / std::exp(values[i]), 1.0, 4.5e-16) << values[i];
}

TEST(ExpInPlace, IsExactAtZeroAndNothingFarBelow) {
  double values[3] = {0.0, -1e6, -800.0};
  exp_in_place(values, 3);
  EXPECT_EQ(values[0], 1.0);
  EXPECT_LT(values[1], 1e-300);
  EXPECT_LT(values[2], 1e-300);
}

}  // namespace
