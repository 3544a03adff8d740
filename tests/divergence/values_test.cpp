// A divergence of samples as they stand: the value is that of their projections, the derivatives those of the value.
#include "cda/extend/values.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "cda/error.hpp"
#include "cda/extend/random.hpp"

namespace {

using cda::divergence_of_values;
using cda::Index;
using cda::Matrix;

struct Samples {
  Matrix x, y;
};

Samples samples(Index dimension) {
  cda::Random random(5, "values");
  Samples made{random.normals(23, dimension), random.normals(17, dimension)};
  made.y = 1.4 * made.y.array() + 0.3;
  return made;
}

// The value with one cell moved, bandwidths and centres decided where it stood.
double moved(const cda::Divergence& divergence, Samples at, bool in_x, Index row, Index column, double step) {
  const auto as_it_stands = [](const cda::Sample& sample) {
    return cda::Projection(sample, Matrix::Identity(sample.dimension(), sample.dimension()),
                           cda::Vector::Ones(sample.dimension()));
  };
  const cda::Sample x(at.x), y(at.y);
  const auto decided = divergence.needs_tuning() ? divergence.tuned(as_it_stands(x), as_it_stands(y), 0) : nullptr;
  (in_x ? at.x : at.y)(row, column) += step;
  return divergence_of_values(decided ? *decided : divergence, at.x, at.y);
}

class DivergenceByValues : public testing::TestWithParam<std::string> {};

TEST_P(DivergenceByValues, HasTheDerivativesOfItsValueByEveryCell) {
  const auto divergence = cda::divergences().make(GetParam());
  for (const Index dimension : {1, 2}) {
    const Samples at = samples(dimension);
    Matrix dx, dy;
    const double value = divergence_of_values(*divergence, at.x, at.y, &dx, &dy);
    EXPECT_DOUBLE_EQ(value, divergence_of_values(*divergence, at.x, at.y));
    ASSERT_EQ(dx.rows(), at.x.rows());
    ASSERT_EQ(dy.cols(), dimension);
    constexpr double step = 1e-6;
    for (const bool in_x : {true, false})
      for (Index row = 0; row < 5; ++row)
        for (Index column = 0; column < dimension; ++column) {
          const double slope =
              (moved(*divergence, at, in_x, row, column, step) - moved(*divergence, at, in_x, row, column, -step)) /
              (2.0 * step);
          // Central differences: O(step^2) and rounding over the step.
          EXPECT_NEAR((in_x ? dx : dy)(row, column), slope, 1e-7 * std::max(1.0, std::abs(value)))
              << GetParam() << " in " << dimension << " dimensions";
        }
  }
}

INSTANTIATE_TEST_SUITE_P(Catalogue, DivergenceByValues, testing::ValuesIn(cda::divergences().names()));

TEST(DivergenceOfValues, RefusesWhatCannotBeCompared) {
  const auto divergence = cda::divergences().make("wasserstein");
  EXPECT_THROW(divergence_of_values(*divergence, Matrix::Ones(3, 1), Matrix::Ones(3, 2)), cda::Error);
  EXPECT_THROW(divergence_of_values(*divergence, Matrix::Ones(3, 1), Matrix(0, 1)), cda::Error);
  EXPECT_THROW(divergence_of_values(*divergence, Matrix::Constant(3, 1, NAN), Matrix::Ones(3, 1)), cda::Error);
}

class WithoutStatistic : public cda::Divergence {
 public:
  double evaluate(cda::Projection&, cda::Projection&, bool) const override { return 2.0; }
};

TEST(DivergenceOfValues, GivesTheValueOfAnyDivergenceAndTheDerivativesOfThoseOnAStatistic) {
  Matrix dx, dy;
  const Matrix ones = Matrix::Ones(3, 1);
  EXPECT_EQ(divergence_of_values(WithoutStatistic(), ones, ones), 2.0);
  EXPECT_THROW(divergence_of_values(WithoutStatistic(), ones, ones, &dx, &dy), cda::Error);
}

}  // namespace
