// Held-out rows and bootstraps.
#include <gtest/gtest.h>

#include <cmath>

#include "evidence/planted.hpp"

namespace cda {
namespace {

using test::examined;

FitOptions informative() {
  FitOptions options;
  options.starts = 40;
  options.refined = 4;
  options.threads = 1;
  return options;
}

EvidenceOptions resampling(int bootstraps) {
  return {.null = EvidenceOptions::Null::automatic, .surrogates = 0, .bootstraps = bootstraps};
}

// Correlation of each column with the source.
Vector loadings(const Matrix& values, const Vector& source) {
  const auto standardised = [](const Vector& column) -> Vector {
    const Vector centred = column.array() - column.mean();
    return centred / centred.norm();
  };
  Vector found(values.cols());
  for (Index j = 0; j < values.cols(); ++j) found[j] = standardised(values.col(j)).dot(standardised(source));
  return found;
}

Index covered(const Intervals& intervals, const Vector& truth) {
  Index inside = 0;
  for (Index j = 0; j < truth.size(); ++j)
    if (intervals(j, 0) <= truth[j] && truth[j] <= intervals(j, 1)) ++inside;
  return inside;
}

TEST(Resampling, FindsAPlantedPairAgainAndItsLoadings) {
  Random random(4, "planted");
  const Vector x_source = test::two_groups(400, random), y_source = test::two_groups(400, random);
  const Table x = test::mixed(x_source, 4, random, "x").table, y = test::mixed(y_source, 4, random, "y").table;
  const auto [model, evidence] = examined(x, y, informative(), resampling(39));
  const PairEvidence& pair = evidence.pairs[0];
  EXPECT_GE(*pair.stability, 0.95);
  EXPECT_GE(*pair.sign, 0.95);  // 35 to 65 is not symmetric
  EXPECT_GE(*pair.agreement_held_out, 0.8);
  EXPECT_LE(*pair.agreement_at_least, *pair.agreement_held_out);
  ASSERT_TRUE(pair.intervals);
  const PairIntervals& ranges = *pair.intervals;
  ASSERT_EQ(ranges.x_loadings.rows(), 4);
  // Both signs of a pair say the same.
  const Vector x_truth = loadings(x.values, x_source), y_truth = loadings(y.values, y_source);
  const double sign = x_truth.dot(model.pairs[0].x_loadings) < 0.0 ? -1.0 : 1.0;
  EXPECT_GE(covered(ranges.x_loadings, sign * x_truth) + covered(ranges.y_loadings, sign * y_truth), 7);
  for (const Intervals* intervals : {&ranges.x_weights, &ranges.y_weights, &ranges.x_loadings, &ranges.y_loadings})
    EXPECT_TRUE((intervals->col(0).array() <= intervals->col(1).array()).all());
}

TEST(Resampling, DoesNotFindAPairOfGaussianTablesAgain) {
  const Table x = test::gaussian_table(200, 5, "x"), y = test::gaussian_table(200, 5, "y");
  const auto [model, evidence] = examined(x, y, informative(), resampling(15));
  EXPECT_LT(*evidence.pairs[0].stability, 0.4);
  EXPECT_FALSE(evidence.pairs[0].intervals);  // no intervals around what is not stable
  EXPECT_EQ(evidence.pairs[0].verdict, Verdict::no_evidence);
}

TEST(Resampling, HeldOutDivergenceTellsTheSameDistributionFromAnother) {
  Random random(8, "held out");
  FitOptions options;
  options.method = "CDA_Q";
  options.starts = 10;
  options.refined = 2;
  options.threads = 1;
  options.prepare = std::vector<PartSpec>{};
  const Table x = make_table(random.normals(300, 1), {}, "x"), y = make_table(random.normals(300, 1), {}, "y");
  const Table far = make_table(random.normals(300, 1).array() + 3.0, {}, "y");
  const PairEvidence same = examined(x, y, options, resampling(0)).evidence.pairs[0];
  const PairEvidence other = examined(x, far, options, resampling(0)).evidence.pairs[0];
  EXPECT_LT(*same.divergence_held_out, 5.0 * *same.divergence_of_chance);
  EXPECT_GT(*other.divergence_held_out, 20.0 * *other.divergence_of_chance);
}

TEST(Resampling, SurvivesRowsWithFewerDimensionsThanPairs) {
  // Nine rows in eight columns: resampled, about six different ones are left, and half of them are four.
  const Table x = test::gaussian_table(9, 8, "x"), y = test::gaussian_table(9, 8, "y");
  FitOptions options;
  options.method = "CDA_M";
  options.threads = 1;
  const auto [model, evidence] = examined(x, y, options, resampling(9));
  EXPECT_EQ(evidence.pairs.size(), 8U);
  for (const PairEvidence& pair : evidence.pairs) EXPECT_TRUE(pair.stability.has_value());
}

TEST(Resampling, SurvivesTablesThatCannotBeHalved) {
  const Table x = test::gaussian_table(3, 2, "x"), y = test::gaussian_table(3, 2, "y");
  FitOptions options;
  options.method = "CDA_M";
  options.threads = 1;
  const auto [model, evidence] = examined(x, y, options, resampling(5));
  EXPECT_FALSE(evidence.pairs[0].divergence_held_out.has_value());
}

TEST(Resampling, FollowsTheGlobalSolverByDescent) {
  // `exact` finds the global optimum from nowhere; following a pair to other rows needs a descent.
  const Table x = test::two_group_table(60, 3, "x"), y = test::two_group_table(60, 3, "y");
  FitOptions options;
  options.method = "CDA_M";
  options.threads = 1;
  options.components = 1;
  const Model model = fit(x, y, options);
  const Model moved = follow(model, x, y, options.threads);
  EXPECT_NEAR(moved.pairs[0].objective, model.pairs[0].objective, 1e-6 * std::abs(model.pairs[0].objective) + 1e-9);
}

TEST(Resampling, FollowRefusesMorePairsThanDimensions) {
  const Table x = test::gaussian_table(50, 4, "x"), y = test::gaussian_table(50, 4, "y");
  FitOptions options;
  options.method = "CDA_M";
  options.threads = 1;
  const Model model = fit(x, y, options);
  Table few = x;
  few.values = x.values.topRows(3);
  try {
    follow(model, few, y, options.threads);
    FAIL() << "followed four pairs in two dimensions";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), "data.rank");
    EXPECT_EQ(error.fault(), Fault::numerical);
  }
}

}  // namespace
}  // namespace cda
