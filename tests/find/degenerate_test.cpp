// Degenerate data: tables that are too small, constant, repeated, dependent, huge or tiny. Each test has the number of
// its row in the list of what users may count on.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "support/samples.hpp"

using namespace cda;
using cda::test::all_methods;
using cda::test::skewed_rows;

namespace {

Table table_x(const Matrix& values) { return make_table(values, {}, "x"); }
Table table_y(const Matrix& values) { return make_table(values, {}, "y"); }

bool warned(const Model& model, const std::string& words) {
  return std::any_of(model.warnings.begin(), model.warnings.end(),
                     [&](const std::string& warning) { return warning.find(words) != std::string::npos; });
}

Error refusal(const Table& x, const Table& y, const FitOptions& options) {
  try {
    fit(x, y, options);
  } catch (const Error& error) {
    return error;
  }
  return {Fault::internal, "accepted", "accepted"};
}

void expect_sound(const Model& model, const Table& x, const Table& y) {
  EXPECT_TRUE(model.transform(Side::x, x.values).allFinite());
  EXPECT_TRUE(model.transform(Side::y, y.values).allFinite());
  for (const Pair& pair : model.pairs) {
    EXPECT_TRUE(pair.x_weights.allFinite() && pair.y_weights.allFinite());
    EXPECT_TRUE(pair.x_loadings.allFinite() && pair.y_loadings.allFinite());
    EXPECT_TRUE(std::isfinite(pair.divergence) && std::isfinite(pair.objective) && std::isfinite(pair.agreement));
  }
  const std::string bytes = model.to_json();
  EXPECT_EQ(Model::from_json(bytes).to_json(), bytes);
}

// The largest difference of two models' values on the same rows, in units of their spread.
double difference(const Matrix& a, const Matrix& b) {
  double worst = 0.0;
  for (Index j = 0; j < a.cols(); ++j) {
    const double spread = std::sqrt((a.col(j).array() - a.col(j).mean()).square().mean());
    worst = std::max(worst, (a.col(j) - b.col(j)).cwiseAbs().maxCoeff() / spread);
  }
  return worst;
}

TEST(DegenerateData, D01NeedsTwoRowsAndSaysHowManyThereAre) {
  const Error error = refusal(table_x(skewed_rows(1, 3, "x")), table_y(skewed_rows(50, 3, "y")), {});
  EXPECT_EQ(error.fault(), Fault::input);
  EXPECT_NE(error.message().find("X needs at least 2 rows, found 1"), std::string::npos);
  EXPECT_EQ(refusal(table_x(skewed_rows(50, 3, "x")), table_y(skewed_rows(1, 3, "y")), {}).fault(), Fault::input);
}

TEST(DegenerateData, D02FitsTwoToFourRowsWithAWarning) {
  for (Index rows = 2; rows <= 4; ++rows)
    for (const std::string& method : all_methods()) {
      SCOPED_TRACE(fmt::format("{}, {} rows", method, rows));
      const Table x = table_x(skewed_rows(rows, 3, "x")), y = table_y(skewed_rows(40, 2, "y"));
      const Model model = fit(x, y, {.method = method, .starts = 6, .refined = 2});
      EXPECT_TRUE(warned(model, "too few"));
      expect_sound(model, x, y);
    }
}

TEST(DegenerateData, D03OneColumnEachIsASignAndAScaleOfOne) {
  const Table x = table_x(skewed_rows(60, 1, "x")), y = table_y(skewed_rows(50, 1, "y"));
  for (const std::string& method : all_methods()) {
    SCOPED_TRACE(method);
    const Model model = fit(x, y, {.method = method});
    ASSERT_EQ(model.pairs.size(), 1U);
    EXPECT_EQ(model.pairs[0].x_direction[0], 1.0);
    EXPECT_EQ(std::abs(model.pairs[0].y_direction[0]), 1.0);
    EXPECT_EQ(model.pairs[0].scale, 1.0);
    expect_sound(model, x, y);
  }
}

TEST(DegenerateData, D04AConstantColumnHasWeightZero) {
  Matrix values = skewed_rows(80, 4, "x");
  values.col(2).setConstant(7.25);
  const Table x = table_x(values), y = table_y(skewed_rows(70, 3, "y"));
  for (const std::string& method : all_methods()) {
    SCOPED_TRACE(method);
    const Model model = fit(x, y, {.method = method, .components = 2, .starts = 6, .refined = 2});
    EXPECT_TRUE(warned(model, "column \"x3\" does not vary"));
    for (const Pair& pair : model.pairs) {
      EXPECT_EQ(pair.x_weights[2], 0.0);
      EXPECT_EQ(pair.x_loadings[2], 0.0);
    }
    expect_sound(model, x, y);
  }
}

TEST(DegenerateData, D05NothingThatVariesIsAnErrorOfTheData) {
  const Error error = refusal(table_x(Matrix::Constant(30, 3, 4.0)), table_y(skewed_rows(50, 3, "y")), {});
  EXPECT_EQ(error.fault(), Fault::numerical);
  EXPECT_NE(error.message().find("X"), std::string::npos);
}

TEST(DegenerateData, D06RepeatedRowsLeaveEverythingFiniteWithAWarning) {
  Matrix values = skewed_rows(90, 3, "x");
  for (Index i = 0; i < 60; ++i) values.row(i) = values.row(0);
  const Table x = table_x(values), y = table_y(skewed_rows(70, 3, "y"));
  for (const std::string& method : all_methods()) {
    SCOPED_TRACE(method);
    const Model model = fit(x, y, {.method = method, .starts = 6, .refined = 2});
    EXPECT_TRUE(warned(model, "59 of 90 rows repeat another"));
    expect_sound(model, x, y);
  }
}

TEST(DegenerateData, D07MoreComponentsThanTheRankAreRefusedWithTheRank) {
  Matrix values = skewed_rows(80, 4, "x");
  values.col(3) = 2.0 * values.col(0) - values.col(1);
  const Table x = table_x(values), y = table_y(skewed_rows(70, 5, "y"));
  for (const std::string& method : all_methods()) {
    SCOPED_TRACE(method);
    const Error error = refusal(x, y, {.method = method, .components = 4});
    EXPECT_EQ(error.fault(), Fault::usage);
    EXPECT_NE(error.message().find("the smaller rank is 3 (X has rank 3, Y 5)"), std::string::npos) << error.message();
    const Model model = fit(x, y, {.method = method, .components = 3, .starts = 6, .refined = 2});
    EXPECT_EQ(model.x.rank, 3);
    expect_sound(model, x, y);
  }
}

// Columns that differ from a combination of the others by rounding span what those span.
TEST(DegenerateData, D08NearlyDependentColumnsDoNotTurnTheSubspace) {
  Random random(3, "near");
  Matrix exact = skewed_rows(120, 4, "x");
  exact.col(3) = exact.col(0) + exact.col(1);
  Matrix near = exact;
  for (Index i = 0; i < near.rows(); ++i) near(i, 3) *= 1.0 + 1e-14 * random.normal();
  const Table y = table_y(skewed_rows(100, 3, "y"));
  for (const char* method : {"iCDA", "CDA_M"}) {
    SCOPED_TRACE(method);
    const FitOptions options{.method = method, .components = 2, .starts = 20};
    const Model one = fit(table_x(exact), y, options), other = fit(table_x(near), y, options);
    EXPECT_EQ(one.x.rank, 3);
    EXPECT_EQ(other.x.rank, 3);
    EXPECT_LT(difference(one.x_preparation.apply(exact), other.x_preparation.apply(near)), 1e-6);
    const Sample a(one.x_preparation.apply(exact)), b(other.x_preparation.apply(near));
    EXPECT_LT((a.space() * a.space().transpose() - b.space() * b.space().transpose()).norm(), 1e-6);
  }
  // The one method whose optimum is a point and not a flat valley.
  const FitOptions options{.method = "CDA_M", .components = 2};
  EXPECT_LT(difference(fit(table_x(exact), y, options).transform(Side::x, exact),
                       fit(table_x(near), y, options).transform(Side::x, near)),
            1e-6);
}

// Columns are brought to magnitude one by powers of two: units that are powers of two leave every bit as it was.
TEST(DegenerateData, D09UnitsNearTheEndsOfTheRangeChangeNothing) {
  const Matrix values = skewed_rows(80, 3, "x");
  const Table x = table_x(values), y = table_y(skewed_rows(70, 3, "y"));
  for (const std::string& method : all_methods()) {
    const FitOptions options{.method = method, .components = 1, .starts = 6, .refined = 2};
    const Model plain = fit(x, y, options);
    for (const double unit : {0x1.0p996, 0x1.0p-996, 1e300, 1e-300}) {
      SCOPED_TRACE(fmt::format("{} in units of {}", method, unit));
      const Table scaled = table_x(values * unit);
      const Model model = fit(scaled, y, options);
      expect_sound(model, scaled, y);
      EXPECT_LT(difference(model.x_preparation.apply(scaled.values), plain.x_preparation.apply(values)), 1e-10);
      if (unit == 1e300 || unit == 1e-300) {
        // Other roundings: the valley is as deep, up to what the search still tells apart.
        EXPECT_NEAR(model.pairs[0].objective, plain.pairs[0].objective, 1e-5);
      } else {
        EXPECT_EQ(model.pairs[0].objective, plain.pairs[0].objective);
        EXPECT_EQ(model.transform(Side::x, scaled.values), plain.transform(Side::x, values));
      }
    }
  }
}

TEST(DegenerateData, D09ARangeBeyondTheLargestNumberIsStillARange) {
  Matrix values = skewed_rows(80, 3, "x");
  values.col(1) *= 1.0 / values.col(1).cwiseAbs().maxCoeff();
  Matrix wide = values;
  wide.col(1) *= 0x1.fffffffffffffp1023;
  wide(0, 1) = -std::numeric_limits<double>::max();
  wide(1, 1) = std::numeric_limits<double>::max();
  values(0, 1) = -1.0;
  values(1, 1) = 1.0;
  const Table y = table_y(skewed_rows(70, 3, "y"));
  for (const std::string& method : all_methods()) {
    SCOPED_TRACE(method);
    const FitOptions options{.method = method, .components = 1, .starts = 6, .refined = 2};
    const Model plain = fit(table_x(values), y, options), model = fit(table_x(wide), y, options);
    expect_sound(model, table_x(wide), y);
    EXPECT_LT(difference(model.x_preparation.apply(wide), plain.x_preparation.apply(values)), 1e-10);
    EXPECT_NEAR(model.pairs[0].objective, plain.pairs[0].objective, 1e-5);
  }
}

TEST(DegenerateData, D10NumbersBelowTheNormalOnesAreMappedAndTheirWeightsWarnedOf) {
  const Matrix values = skewed_rows(80, 3, "x");
  Matrix tiny = values;
  tiny.col(2) *= 1e-310;
  const Table x = table_x(tiny), y = table_y(skewed_rows(70, 3, "y"));
  for (const std::string& method : all_methods()) {
    SCOPED_TRACE(method);
    const FitOptions options{.method = method, .components = 1, .starts = 6, .refined = 2};
    const Model model = fit(x, y, options), plain = fit(table_x(values), y, options);
    expect_sound(model, x, y);
    EXPECT_TRUE(warned(model, "\"x3\" are so small"));
    EXPECT_LT(difference(model.x_preparation.apply(tiny), plain.x_preparation.apply(values)), 1e-10);
    EXPECT_NEAR(model.pairs[0].objective, plain.pairs[0].objective, 1e-5);
  }
}

TEST(DegenerateData, D11AnOffsetOfABillionCostsNoDigits) {
  Matrix values = skewed_rows(200, 3, "x");
  for (double& value : values.reshaped()) value = std::round(value * 0x1.0p20) * 0x1.0p-20;  // exact after the offset
  Matrix far = values;
  far.col(0).array() += 1e9;
  far.col(2).array() -= 1e9;
  const Table y = table_y(skewed_rows(150, 3, "y"));
  for (const std::string& method : all_methods()) {
    SCOPED_TRACE(method);
    const FitOptions options{.method = method, .components = 1, .starts = 6, .refined = 2};
    const Model near = fit(table_x(values), y, options), there = fit(table_x(far), y, options);
    EXPECT_NEAR(there.pairs[0].objective, near.pairs[0].objective, 1e-8 * std::abs(near.pairs[0].objective));
    EXPECT_LT(difference(there.transform(Side::x, far), near.transform(Side::x, values)), 1e-6);
  }
}

// Means and variances of far columns against sums in long double.
TEST(DegenerateData, D11MomentsMatchALongDoubleReference) {
  Matrix far = skewed_rows(500, 2, "x");
  far.array() += 1e9;
  const Sample sample(far);
  for (Index j = 0; j < far.cols(); ++j) {
    long double mean = 0.0L, variance = 0.0L;
    for (const double value : far.col(j)) mean += value;
    mean /= 500.0L;
    for (const double value : far.col(j)) variance += (value - mean) * (value - mean);
    variance /= 500.0L;
    EXPECT_NEAR(sample.mean()[j] - 1e9, static_cast<double>(mean - 1e9L), 1e-6);
    EXPECT_NEAR(sample.covariance()(j, j) / static_cast<double>(variance), 1.0, 1e-8);
  }
}

}  // namespace
