// What every preparation promises, and what the way from columns to samples does with awkward ones.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "support/samples.hpp"

using namespace cda;
using cda::test::skewed_rows;

namespace {

const std::vector<std::string> five_names{"a", "b", "c", "d", "e"};

class EveryPreparation : public testing::TestWithParam<std::string> {};

TEST_P(EveryPreparation, AppliesToNewRowsWhatItLearntAndCanBeUndone) {
  const Matrix rows = skewed_rows(100, 5, "rows"), fresh = skewed_rows(10, 5, "fresh");
  const auto prepared = PreparedColumns::fit(rows, five_names, {GetParam()}, nullptr);
  EXPECT_LT((prepared.undo(prepared.apply(fresh)) - fresh).norm(), 1e-10);
  EXPECT_LT((prepared.apply(rows).topRows(3) - prepared.apply(rows.topRows(3))).norm(), 1e-12);
}

TEST_P(EveryPreparation, WeightsAndInterceptsGiveTheProjectedValues) {
  const Matrix rows = skewed_rows(100, 5, "rows");
  const auto prepared = PreparedColumns::fit(rows, five_names, {GetParam()}, nullptr);
  const Matrix directions = Random(1, "u").normals(prepared.outputs(), 2);
  const Matrix direct = prepared.apply(rows) * directions;
  const Matrix multiplied =
      (rows * prepared.weights(directions)).rowwise() + prepared.intercepts(directions).transpose();
  EXPECT_LT((direct - multiplied).norm(), 1e-11);
}

TEST_P(EveryPreparation, SetsConstantColumnsAsideWithWeightZero) {
  Matrix rows = skewed_rows(50, 5, "rows");
  rows.col(2).setConstant(0.1);
  std::vector<std::string> remarks;
  const auto prepared = PreparedColumns::fit(rows, five_names, {GetParam()}, &remarks);
  ASSERT_EQ(remarks.size(), 1U);
  EXPECT_EQ(remarks[0], "column \"c\" does not vary: set aside with weight 0");
  EXPECT_EQ(prepared.weights(Matrix::Ones(prepared.outputs(), 1))(2, 0), 0.0);
  EXPECT_TRUE(prepared.apply(rows).allFinite());
  EXPECT_LT((prepared.undo(prepared.apply(rows)) - rows).norm(), 1e-10);
}

TEST_P(EveryPreparation, StaysFiniteOnCollinearColumns) {
  Matrix rows = skewed_rows(50, 5, "rows");
  rows.col(4) = rows.col(0) + rows.col(1);
  rows.col(3) = rows.col(2);
  const auto prepared = PreparedColumns::fit(rows, five_names, {GetParam()}, nullptr);
  EXPECT_TRUE(prepared.apply(rows).allFinite());
  EXPECT_LT((prepared.undo(prepared.apply(rows)) - rows).norm(), 1e-9);
}

TEST_P(EveryPreparation, GivesTheSameAnswerAtEveryScaleFromOneEndOfTheDoublesToTheOther) {
  if (GetParam() == "centre" || GetParam() == "pca") return;  // these keep the columns' units, by definition
  const Matrix rows = skewed_rows(50, 5, "rows");
  const Matrix expected = PreparedColumns::fit(rows, five_names, {GetParam()}, nullptr).apply(rows);
  for (const double scale : {1e-300, 1e-150, 1e150, 1e300}) {
    const Matrix scaled = rows * scale;
    const Matrix got = PreparedColumns::fit(scaled, five_names, {GetParam()}, nullptr).apply(scaled);
    EXPECT_LT((got - expected).norm(), 1e-10) << scale;
  }
}

INSTANTIATE_TEST_SUITE_P(Catalogue, EveryPreparation, testing::ValuesIn(preparations().names()),
                         [](const auto& tested) { return tested.param; });

TEST(PreparedColumns, SurvivesARangeThatOverflows) {
  Matrix rows = skewed_rows(50, 2, "rows");
  rows(0, 0) = 1.7e308;
  rows(1, 0) = -1.7e308;
  const Matrix prepared = PreparedColumns::fit(rows, {"a", "b"}, {"minmax"}, nullptr).apply(rows);
  EXPECT_EQ(prepared.col(0).minCoeff(), 0.0);
  EXPECT_EQ(prepared.col(0).maxCoeff(), 1.0);
}

TEST(PreparedColumns, RefusesTablesWithoutVariation) {
  EXPECT_THROW(PreparedColumns::fit(Matrix::Ones(5, 2), {"a", "b"}, {"minmax"}, nullptr), Error);
}

TEST(PreparedColumns, RefusesCellsThatAreNotNumbers) {
  Matrix rows = Matrix::Ones(5, 2);
  rows(1, 1) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(PreparedColumns::fit(rows, {"a", "b"}, {"whiten"}, nullptr), Error);
}

TEST(MinMax, BringsEveryColumnToTheUnitInterval) {
  const Matrix rows = skewed_rows(50, 5, "rows");
  const Matrix prepared = PreparedColumns::fit(rows, five_names, {"minmax"}, nullptr).apply(rows);
  for (Index j = 0; j < 5; ++j) {
    EXPECT_EQ(prepared.col(j).minCoeff(), 0.0);
    EXPECT_NEAR(prepared.col(j).maxCoeff(), 1.0, 1e-15);
  }
}

TEST(Whiten, LeavesUncorrelatedColumnsOfVarianceOneAndDropsWhatHasNone) {
  Matrix rows = skewed_rows(200, 5, "rows");
  rows.col(4) = rows.col(0) - rows.col(1);
  const auto prepared = PreparedColumns::fit(rows, five_names, {"whiten"}, nullptr);
  ASSERT_EQ(prepared.outputs(), 4);
  EXPECT_LT((Sample(prepared.apply(rows)).covariance() - Matrix::Identity(4, 4)).norm(), 1e-9);
}

TEST(Pca, KeepsTheWidestDirectionsFirst) {
  const Matrix rows = skewed_rows(200, 5, "rows");
  const Matrix scores = PreparedColumns::fit(rows, five_names, {"pca:3"}, nullptr).apply(rows);
  ASSERT_EQ(scores.cols(), 3);
  const Matrix covariance = Sample(scores).covariance();
  EXPECT_GT(covariance(0, 0), covariance(1, 1));
  EXPECT_GT(covariance(1, 1), covariance(2, 2));
  EXPECT_NEAR(covariance(0, 1), 0.0, 1e-12);
}

}  // namespace
