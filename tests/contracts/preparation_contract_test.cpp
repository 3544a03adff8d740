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
  if (prepared.linear()) {
    EXPECT_LT((prepared.undo(prepared.apply(fresh)) - fresh).norm(), 1e-10);
  } else {
    EXPECT_THROW(prepared.undo(prepared.apply(fresh)), Error);
  }
  EXPECT_TRUE(prepared.apply(fresh).allFinite());
  EXPECT_LT((prepared.apply(rows).topRows(3) - prepared.apply(rows.topRows(3))).norm(), 1e-12);
}

TEST_P(EveryPreparation, WeightsAndInterceptsGiveTheProjectedValues) {
  const Matrix rows = skewed_rows(100, 5, "rows");
  const auto prepared = PreparedColumns::fit(rows, five_names, {GetParam()}, nullptr);
  if (!prepared.linear()) {
    EXPECT_THROW(prepared.weights(Matrix::Ones(prepared.outputs(), 1)), Error);
    return;
  }
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
  EXPECT_TRUE(prepared.apply(rows).allFinite());
  if (!prepared.linear()) return;
  EXPECT_EQ(prepared.weights(Matrix::Ones(prepared.outputs(), 1))(2, 0), 0.0);
  EXPECT_LT((prepared.undo(prepared.apply(rows)) - rows).norm(), 1e-10);
}

TEST_P(EveryPreparation, StaysFiniteOnCollinearColumns) {
  Matrix rows = skewed_rows(50, 5, "rows");
  rows.col(4) = rows.col(0) + rows.col(1);
  rows.col(3) = rows.col(2);
  const auto prepared = PreparedColumns::fit(rows, five_names, {GetParam()}, nullptr);
  EXPECT_TRUE(prepared.apply(rows).allFinite());
  if (!prepared.linear()) return;
  EXPECT_LT((prepared.undo(prepared.apply(rows)) - rows).norm(), 1e-9);
}

TEST_P(EveryPreparation, ComesBackFromAModelFileAsItWas) {
  FitOptions options;
  options.method = "PCA";
  options.components = 2;
  options.prepare = std::vector<PartSpec>{GetParam()};
  const Matrix rows = skewed_rows(60, 5, "rows"), fresh = skewed_rows(20, 5, "fresh");
  const Model model = fit(make_table(rows), make_table(skewed_rows(50, 4, "y")), options);
  const Model again = Model::from_json(model.to_json());
  EXPECT_EQ(again.transform(Side::x, fresh), model.transform(Side::x, fresh));
  EXPECT_EQ(again.to_json(), model.to_json());
}

TEST_P(EveryPreparation, LeavesARowWithAMissingCellWithoutAValueAndTheOthersAsTheyAre) {
  const Matrix rows = skewed_rows(60, 5, "rows");
  const auto prepared = PreparedColumns::fit(rows, five_names, {GetParam(), "standardise"}, nullptr);
  Matrix holed = rows.topRows(3);
  holed(1, 2) = std::numeric_limits<double>::quiet_NaN();
  const Matrix got = prepared.apply(holed), expected = prepared.apply(rows);
  EXPECT_TRUE(std::isnan((got.row(1) * Vector::Ones(got.cols()))(0)));
  EXPECT_EQ(got.row(0), expected.row(0));
  EXPECT_EQ(got.row(2), expected.row(2));
}

TEST_P(EveryPreparation, GivesTheSameAnswerAtEveryScaleFromOneEndOfTheDoublesToTheOther) {
  if (!preparations().make(GetParam())->forgets_units()) {  // these keep the columns' units, by definition
    EXPECT_NE(GetParam(), "whiten");
    return;
  }
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

TEST(RowL2, BringsEveryRowToLengthOneAndLeavesRowsOfZeros) {
  Matrix rows = skewed_rows(50, 5, "rows");
  rows.row(7).setZero();
  rows.row(8) *= 1e300;
  const Matrix unit = PreparedColumns::fit(rows, five_names, {"row-l2"}, nullptr).apply(rows);
  for (Index i = 0; i < 50; ++i) EXPECT_NEAR(unit.row(i).norm(), i == 7 ? 0.0 : 1.0, 1e-14) << i;
}

TEST(RowL2, SaysWhenNothingIsLeftOfAnOnlyColumn) {
  const Matrix rows = skewed_rows(50, 1, "rows").cwiseAbs();
  EXPECT_THROW(PreparedColumns::fit(rows, {"a"}, {"row-l2"}, nullptr), Error);
}

TEST(Log1p, IsTheLogarithmOfCountsAndItsMirrorImageBelowZero) {
  Matrix rows(4, 1);
  rows << 0.0, 1.0, 99.0, -1.0;
  const Matrix got = PreparedColumns::fit(rows, {"a"}, {"log1p"}, nullptr).apply(rows);
  EXPECT_EQ(got(0, 0), 0.0);
  EXPECT_NEAR(got(1, 0), 0.6931471805599453, 1e-15);
  EXPECT_NEAR(got(2, 0), 4.605170185988092, 1e-14);
  EXPECT_EQ(got(3, 0), -got(1, 0));
}

TEST(Winsorise, HoldsCellsToTheQuantilesOfTheRowsFittedOn) {
  Matrix rows(101, 1);
  for (Index i = 0; i <= 100; ++i) rows(i, 0) = static_cast<double>(i);
  const auto prepared = PreparedColumns::fit(rows, {"a"}, {"winsorise:0.05"}, nullptr);
  Matrix fresh(4, 1);
  fresh << -1000.0, 50.25, 97.0, 1e6;
  const Matrix got = prepared.apply(fresh);
  EXPECT_NEAR(got(0, 0), 5.0, 1e-12);
  EXPECT_NEAR(got(1, 0), 50.25, 1e-12);
  EXPECT_NEAR(got(2, 0), 95.0, 1e-12);
  EXPECT_NEAR(got(3, 0), 95.0, 1e-12);
}

TEST(Winsorise, LeavesAColumnOfWhichNothingWouldRemain) {
  Matrix rows = Matrix::Zero(200, 1);
  rows(17, 0) = 1.0;
  EXPECT_EQ(PreparedColumns::fit(rows, {"a"}, {"winsorise:0.05"}, nullptr).apply(rows), rows);
}

TEST(RankGauss, KeepsTheOrderAndMakesABellCurve) {
  const Matrix rows = skewed_rows(2000, 2, "rows").array().exp();
  const Matrix got = PreparedColumns::fit(rows, {"a", "b"}, {"rank-gauss"}, nullptr).apply(rows);
  for (Index j = 0; j < 2; ++j) {
    EXPECT_NEAR(got.col(j).mean(), 0.0, 0.01);
    EXPECT_NEAR(got.col(j).array().square().mean(), 1.0, 0.02);
    EXPECT_NEAR(got.col(j).array().cube().mean(), 0.0, 0.05);
    Index lowest = 0, lowest_before = 0;
    rows.col(j).minCoeff(&lowest_before);
    got.col(j).minCoeff(&lowest);
    EXPECT_EQ(lowest, lowest_before);
  }
}

TEST(RankGauss, GivesEqualValuesTheMiddleOfTheirRanks) {
  Matrix rows(4, 1);
  rows << 1.0, 2.0, 2.0, 3.0;
  const Matrix got = PreparedColumns::fit(rows, {"a"}, {"rank-gauss"}, nullptr).apply(rows);
  EXPECT_EQ(got(1, 0), 0.0);
  EXPECT_EQ(got(2, 0), 0.0);
  EXPECT_NEAR(got(0, 0), -1.1503493803760079, 1e-9);  // the normal quantile of 1/8, by SciPy
}

TEST(PreparedColumns, BendsInTheOrderGiven) {
  const Matrix rows = skewed_rows(50, 3, "rows").cwiseAbs() * 100.0;
  const auto prepared =
      PreparedColumns::fit(rows, {"a", "b", "c"}, {"log1p", "row-l2", "standardise", "pca:2"}, nullptr);
  ASSERT_EQ(prepared.steps().size(), 4U);
  EXPECT_EQ(prepared.steps()[0].spec.name, "log1p");
  EXPECT_EQ(prepared.outputs(), 2);
  EXPECT_FALSE(prepared.linear());
  const Matrix before =
      PreparedColumns::fit(rows, {"a", "b", "c"}, {"row-l2", "log1p", "standardise", "pca:2"}, nullptr).apply(rows);
  EXPECT_GT((prepared.apply(rows) - before).norm(), 1e-3);
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
