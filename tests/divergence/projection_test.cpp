#include <gtest/gtest.h>

#include <cmath>

#include "divergence/observe.hpp"
#include "support/samples.hpp"

using namespace cda;
using cda::test::skewed_rows;

namespace {

TEST(Sample, MomentsAreThoseOfThePlainFormulas) {
  const Matrix rows = skewed_rows(9000, 4, "rows");
  const Sample sample(rows, Executor(2));
  const Matrix centred = rows.rowwise() - rows.colwise().mean();
  EXPECT_LT((sample.mean() - rows.colwise().mean().transpose()).norm(), 1e-13);
  EXPECT_LT((sample.covariance() - centred.transpose() * centred / 9000.0).norm(), 1e-12);
}

TEST(Sample, MomentsSurviveALargeOffset) {
  const Matrix rows = skewed_rows(5000, 3, "rows");
  const Sample near(rows), far((rows.array() + 1e9).matrix());
  // Adding 1e9 rounds the values themselves to 1e-7.
  EXPECT_LT((near.covariance() - far.covariance()).norm(), 1e-6);
}

TEST(Sample, ChoosesTheSameRowsWhateverTheirOrder) {
  const Matrix rows = skewed_rows(500, 3, "rows");
  Matrix reversed = rows.colwise().reverse();
  const auto content = [](const Sample& sample) {
    std::vector<double> first;
    for (const Index i : sample.choose(40, 7)) first.push_back(sample.rows()(i, 0));
    return first;
  };
  EXPECT_EQ(content(Sample(rows)), content(Sample(reversed)));
  EXPECT_NE(Sample(rows).choose(40, 7), Sample(rows).choose(40, 8));
}

TEST(Sample, ChoosesRepeatedRowsAsOftenAsTheirShare) {
  Matrix rows(5000, 1);
  for (Index i = 0; i < 5000; ++i) rows(i, 0) = static_cast<double>(i % 5);
  const Sample sample(rows);
  Vector counts = Vector::Zero(5);
  for (const Index i : sample.choose(500, 3)) counts[static_cast<Index>(rows(i, 0))] += 1.0;
  EXPECT_GT(counts.minCoeff(), 60.0);  // 100 expected, standard deviation 9
  EXPECT_LT(counts.maxCoeff(), 140.0);
}

TEST(Sample, SpaceLeavesOutAConstantColumn) {
  Matrix rows = skewed_rows(100, 3, "rows");
  rows.col(2).setConstant(1.0);
  const Matrix space = Sample(rows).space();
  ASSERT_EQ(space.cols(), 2);
  EXPECT_EQ(space.row(2).norm(), 0.0);
}

TEST(RowKeys, DoNotDependOnUnitsOrTheOrderOfColumns) {
  const Matrix rows = skewed_rows(300, 2, "rows");
  Matrix swapped(300, 2);
  swapped << 1e300 * rows.col(1), (rows.col(0).array() + 5.0);
  EXPECT_EQ(row_keys(rows, {1, 2}), row_keys(swapped, {2, 1}));
}

TEST(Sample, SpaceLeavesOutDirectionsWithoutVariance) {
  Matrix rows = skewed_rows(200, 4, "rows");
  rows.col(3) = rows.col(0) - 2.0 * rows.col(1);
  const Matrix space = Sample(rows).space();
  ASSERT_EQ(space.cols(), 3);
  const Vector null = (Vector(4) << 1, -2, 0, -1).finished();
  EXPECT_LT((space.transpose() * null).norm(), 1e-9);
  EXPECT_LT((space.transpose() * space - Matrix::Identity(3, 3)).norm(), 1e-12);
  EXPECT_EQ(Sample(skewed_rows(200, 4, "rows")).space(), Matrix::Identity(4, 4));
}

TEST(Projection, ValuesAndGradientsAreThoseOfThePlainProducts) {
  const Sample sample(skewed_rows(5000, 4, "rows"), Executor(2));
  Random random(1, "directions");
  const Matrix directions = random.normals(4, 2), d_values = random.normals(5000, 2);
  const Vector scales = (Vector(2) << 0.5, 2.0).finished();
  Projection projection(sample, directions, scales);
  EXPECT_LT((projection.values() - sample.rows() * directions * scales.asDiagonal()).norm(), 1e-11);
  projection.add_value_gradient(d_values);
  EXPECT_LT((projection.d_directions() - sample.rows().transpose() * d_values * scales.asDiagonal()).norm(), 1e-10);
  EXPECT_NEAR(projection.d_scales()[1], (sample.rows() * directions.col(1)).dot(d_values.col(1)), 1e-10);
}

TEST(FourierSums, EqualTheirDefinitionForManyFrequencies) {
  const Vector values = skewed_rows(5000, 2, "rows").col(0);
  const FrequencyGrid grid{0.3, 0.7, 300};
  const ComplexVector sums = fourier_sums(values, values.size(), grid, Executor(2));
  for (const Index q : {0, 1, 63, 64, 65, 200, 299}) {
    std::complex<double> plain = 0.0;
    for (Index i = 0; i < values.size(); ++i)
      plain += std::polar(1.0, static_cast<double>(q) * 0.7 * (values[i] - 0.3)) / 5000.0;
    EXPECT_NEAR(std::abs(sums[q] - plain), 0.0, 1e-12) << q;
  }
}

TEST(ProjectionMemory, ADirectionInThePlaneOfTwoEarlierOnesNeedsNoPass) {
  const Matrix rows = skewed_rows(5000, 6, "rows");
  const Sample sample(rows, Executor(2));
  Random random(0, "directions");
  const Vector from = random.normals(6, 1).col(0).normalized(), along = random.normals(6, 1).col(0);
  ProjectionMemory memory;
  const auto error = [&](double length) {
    const Vector direction = (from + length * along).normalized();
    return (*memory.values(sample, direction) - rows * direction).cwiseAbs().maxCoeff();
  };
  const Index before = sample.passes();
  EXPECT_LT(error(0.0), 1e-14);
  EXPECT_LT(error(1e-3), 1e-14);
  EXPECT_EQ(sample.passes() - before, 2);
  for (const double length : {2e-4, 5e-4, 4e-3, 1e-3}) EXPECT_LT(error(length), 1e-12) << length;
  EXPECT_EQ(sample.passes() - before, 2);
}

TEST(ProjectionMemory, GoesThroughTheRowsWhereEarlierOnesSayTooLittle) {
  const Sample sample(skewed_rows(500, 6, "rows"));
  Random random(0, "directions");
  const Vector from = random.normals(6, 1).col(0).normalized(), along = random.normals(6, 1).col(0);
  const auto passes_for = [&](const std::vector<Vector>& directions) {
    ProjectionMemory memory;
    const Index before = sample.passes();
    for (const Vector& direction : directions)
      EXPECT_LT((*memory.values(sample, direction) - sample.rows() * direction).cwiseAbs().maxCoeff(), 1e-12);
    return sample.passes() - before;
  };
  EXPECT_EQ(passes_for({from, along, from + random.normals(6, 1).col(0)}), 3);  // another plane
  EXPECT_EQ(passes_for({from, from + 1e-9 * along, from + along}), 3);          // all digits would be lost
  EXPECT_EQ(passes_for({from, 2.0 * from, from + along}), 3);                   // no plane yet
}

}  // namespace
