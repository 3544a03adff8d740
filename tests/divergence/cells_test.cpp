#include "divergence/cells.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <numbers>

#include "cda/extend/random.hpp"
#include "divergence/observe.hpp"

namespace cda {
namespace {

// A grid whose period is a little longer than the range of the values, as divergences ask for.
FrequencyGrid grid_for(const Vector& values, Index count) {
  const double lowest = values.minCoeff(), highest = values.maxCoeff();
  return {0.5 * (lowest + highest), 2.0 * std::numbers::pi / (1.05 * (highest - lowest)), count};
}

std::complex<double> plain_sum(const Vector& values, const FrequencyGrid& grid, Index q) {
  std::complex<double> sum = 0.0;
  for (const double value : values) sum += std::polar(1.0, static_cast<double>(q) * grid.step * (value - grid.centre));
  return sum;
}

TEST(Cells, SumsEqualTheirDefinition) {
  Random random(1, "cells");
  const Vector values = random.normals(3000, 1).array().cube();
  for (const Index count : {2, 7, 40, 1500}) {
    const FrequencyGrid grid = grid_for(values, count);
    const ComplexVector sums = Cells(grid).sums(values, Executor(2));
    ASSERT_EQ(sums.size(), count);
    for (Index q = 0; q < count; q += std::max<Index>(1, count / 9))
      EXPECT_LT(std::abs(sums[q] - plain_sum(values, grid, q)), 2e-12 * 3000.0) << count << " " << q;
  }
}

TEST(Cells, EvaluationsEqualTheirDefinition) {
  Random random(2, "cells");
  const Vector values = random.normals(500, 1);
  for (const Index count : {1, 2, 40, 700}) {
    const FrequencyGrid grid = grid_for(values, count);
    ComplexVector coefficients(count);
    coefficients.real() = random.normals(count, 1);
    coefficients.imag() = random.normals(count, 1);
    const Vector found = Cells(grid).evaluated(coefficients, values, Executor(2));
    const double size = coefficients.cwiseAbs().sum();
    for (Index i = 0; i < values.size(); i += 37) {
      std::complex<double> plain = 0.0;
      for (Index q = 0; q < count; ++q)
        plain += coefficients[q] * std::polar(1.0, static_cast<double>(q) * grid.step * (values[i] - grid.centre));
      EXPECT_NEAR(found[i], plain.real(), 2e-12 * size) << count << " " << i;
    }
  }
}

// The ends of the range lie in the first and the last cell, also where they lie on the edge of the period.
TEST(Cells, TakeValuesOnTheEdgeOfThePeriod) {
  const Vector values = Vector::LinSpaced(101, -1.0, 1.0);
  const FrequencyGrid grid{0.0, std::numbers::pi, 30};
  const ComplexVector sums = Cells(grid).sums(values, Executor(1));
  for (Index q = 0; q < 30; ++q) EXPECT_LT(std::abs(sums[q] - plain_sum(values, grid, q)), 1e-9) << q;
}

TEST(Cells, GiveTheSameBitsOnAnyNumberOfThreads) {
  Random random(3, "cells");
  const Vector values = random.normals(30000, 1);
  const FrequencyGrid grid = grid_for(values, 50);
  const Cells cells(grid);
  const ComplexVector one = cells.sums(values, Executor(1));
  for (const int threads : {2, 3, 5}) {
    EXPECT_EQ(cells.sums(values, Executor(threads)), one);
    EXPECT_EQ(cells.evaluated(one, values, Executor(threads)), cells.evaluated(one, values, Executor(1)));
  }
}

// Below the number of values at which cells pay, all frequencies are gone through; both ways lead to the same.
TEST(FourierSums, AreTheSameWithAndWithoutCells) {
  Random random(4, "cells");
  const Vector many = random.normals(20000, 1), few = many.head(500);
  const FrequencyGrid grid = grid_for(many, 60);
  ASSERT_TRUE(Cells::worthwhile(many.size(), grid));
  ASSERT_FALSE(Cells::worthwhile(few.size(), grid));
  const ComplexVector with = fourier_sums(many, many.size(), grid, Executor(2)),
                      without = fourier_sums(few, few.size(), grid, Executor(2));
  for (Index q = 0; q < 60; ++q) {
    EXPECT_LT(std::abs(with[q] - plain_sum(many, grid, q) / 20000.0), 2e-12) << q;
    EXPECT_LT(std::abs(without[q] - plain_sum(few, grid, q) / 500.0), 2e-12) << q;
  }
  Gradient<FourierSums> gradient{with, 0.0};
  const Vector of_many = pull_back(gradient, many, many.size(), grid, Executor(2)) * 20000.0;
  const Vector of_few = pull_back(gradient, few, few.size(), grid, Executor(2)) * 500.0;
  EXPECT_LT((of_many.head(500) - of_few).cwiseAbs().maxCoeff(), 1e-11 * of_few.cwiseAbs().maxCoeff());
}

}  // namespace
}  // namespace cda
