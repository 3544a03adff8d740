// What must not matter: more columns than rows in memory, the order of rows and columns, which table is called X,
// signs. Each test has the number of its row in the list of what users may count on.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "base/linear_algebra.hpp"
#include "support/samples.hpp"

using namespace cda;
using cda::test::all_methods;
using cda::test::skewed_rows;

namespace {

Table permuted_columns(const Table& table, const std::vector<Index>& order) {
  Table other = table;
  other.select_columns(order);
  return other;
}

// Without any m x m matrix: 5000 x 5000 numbers are 200 MB and their eigenvectors take a minute.
TEST(DegenerateData, D12ManyColumnsAndFewRowsAreFittedInTheSpaceOfTheRows) {
  const Matrix x_values = Random(1, "wide x").normals(20, 5000), y_values = Random(1, "wide y").normals(15, 3000);
  const Table x = make_table(x_values), y = make_table(y_values, {}, "y");
  for (const std::string& method : all_methods()) {
    if (method == "rCDA_M") continue;  // so much room has directions of no variance at all, and it collapses onto them
    SCOPED_TRACE(method);
    const Model model = fit(x, y, {.method = method, .components = 2, .starts = 6, .refined = 2});
    ASSERT_EQ(model.pairs.size(), 2U);
    EXPECT_TRUE(model.transform(Side::x, x_values).allFinite());
    const bool whole_space = model.x_preparation.outputs() == 5000;  // else fewer dimensions are looked at
    EXPECT_TRUE(!whole_space || model.x.rank == 19);
    for (const Pair& pair : model.pairs) {
      const Vector by_weights = (x_values * pair.x_weights).array() + pair.x_intercept;
      const Vector mapped = model.transform(Side::x, x_values).col(&pair - model.pairs.data());
      EXPECT_LT((by_weights - mapped).norm(), 1e-8 * std::max(1.0, mapped.norm()));
    }
  }
}

TEST(DegenerateData, D12AxesOfFewRowsAreThoseOfTheCovariance) {
  const Matrix rows = skewed_rows(12, 20, "x");
  const Matrix centred = rows.rowwise() - rows.colwise().mean();
  const Axes few = axes_of_few_rows(centred), all = principal_axes(centred.transpose() * centred / 12.0);
  ASSERT_EQ(few.values.size(), 11);
  EXPECT_LT((few.values - all.values.tail(11)).cwiseAbs().maxCoeff(), 1e-12 * all.values.maxCoeff());
  EXPECT_LT((few.vectors.transpose() * few.vectors - Matrix::Identity(11, 11)).cwiseAbs().maxCoeff(), 1e-12);
  const Matrix products = few.vectors.transpose() * all.vectors.rightCols(11);
  EXPECT_LT((products.cwiseAbs() - Matrix::Identity(11, 11)).cwiseAbs().maxCoeff(), 1e-8);
}

TEST(DegenerateData, D12MomentsOfFewRowsAreTheSameWithoutTheMatrix) {
  const Sample sample(skewed_rows(8, 14, "x"));
  ASSERT_TRUE(sample.few_rows());
  const Matrix directions = Random(2, "directions").normals(14, 3);
  EXPECT_LT((sample.spread(directions) - sample.covariance() * directions).norm(), 1e-12);
  EXPECT_LT((sample.covariance_of(directions) - directions.transpose() * sample.covariance() * directions).norm(),
            1e-12);
  EXPECT_NEAR(sample.total_variance(), sample.covariance().trace(), 1e-12);
  EXPECT_EQ(sample.space().cols(), 7);
  EXPECT_LT((sample.space().transpose() * sample.space() - Matrix::Identity(7, 7)).norm(), 1e-12);
}

TEST(DegenerateData, D15ComponentsOutOfRangeAreRefusedWithTheRange) {
  const Table x = make_table(skewed_rows(60, 4, "x")), y = make_table(skewed_rows(50, 3, "y"), {}, "y");
  for (const Index components : {Index{-1}, Index{4}, Index{1000000000}}) {
    try {
      fit(x, y, {.components = components});
      ADD_FAILURE() << components;
    } catch (const Error& error) {
      EXPECT_EQ(error.fault(), Fault::usage);
    }
  }
}

// The last pair has one direction left on the one side, and two on the other.
TEST(DegenerateData, TheLastPairMayHaveOneDirectionLeft) {
  const Table x = make_table(skewed_rows(60, 3, "x")), y = make_table(skewed_rows(50, 4, "y"), {}, "y");
  for (const std::string& method : all_methods()) {
    SCOPED_TRACE(method);
    const Model model = fit(x, y, {.method = method, .components = 3, .starts = 6, .refined = 2});
    ASSERT_EQ(model.pairs.size(), 3U);
    EXPECT_TRUE(model.transform(Side::x, x).allFinite() && model.transform(Side::y, y).allFinite());
  }
}

TEST(DegenerateData, D18TheOrderOfRowsDoesNotMatter) {
  const Matrix x = skewed_rows(120, 4, "x"), y = skewed_rows(90, 3, "y");
  Random random(8, "order");
  const Matrix x_mixed = x(random.permutation(120), Eigen::all), y_mixed = y(random.permutation(90), Eigen::all);
  for (const std::string& method : all_methods()) {
    const FitOptions options{.method = method, .components = 2, .starts = 8, .refined = 2};
    EXPECT_EQ(fit(make_table(x), make_table(y, {}, "y"), options).to_json(),
              fit(make_table(x_mixed), make_table(y_mixed, {}, "y"), options).to_json())
        << method;
  }
}

TEST(DegenerateData, D19TheOrderOfColumnsDoesNotMatter) {
  const Table x = make_table(skewed_rows(120, 5, "x")), y = make_table(skewed_rows(90, 4, "y"), {}, "y");
  const std::vector<Index> x_order{3, 0, 4, 2, 1}, y_order{2, 3, 1, 0};
  const Table x_mixed = permuted_columns(x, x_order), y_mixed = permuted_columns(y, y_order);
  for (const std::string& method : all_methods()) {
    SCOPED_TRACE(method);
    const FitOptions options{.method = method, .components = 2, .starts = 8, .refined = 2};
    const Model one = fit(x, y, options), other = fit(x_mixed, y_mixed, options);
    ASSERT_EQ(one.pairs.size(), other.pairs.size());
    for (std::size_t i = 0; i < one.pairs.size(); ++i) {
      // To the last bit: columns are taken in an order of their own.
      EXPECT_EQ(one.pairs[i].objective, other.pairs[i].objective);
      EXPECT_EQ(Vector(one.pairs[i].x_weights(x_order)), other.pairs[i].x_weights);
      EXPECT_EQ(Vector(one.pairs[i].y_weights(y_order)), other.pairs[i].y_weights);
    }
  }
}

TEST(DegenerateData, D20ExchangedTablesGiveExchangedPairs) {
  const Table x = make_table(skewed_rows(120, 5, "x")), y = make_table(skewed_rows(90, 4, "y"), {}, "y");
  for (const std::string& method : all_methods()) {
    SCOPED_TRACE(method);
    const FitOptions options{.method = method, .components = 1};
    const Model one = fit(x, y, options), other = fit(y, x, options);
    const Pair &there = one.pairs[0], &back = other.pairs[0];
    EXPECT_NEAR(there.scale * back.scale, 1.0, 1e-12);
    // Values are compared: signs may be turned on both sides together.
    const auto correlation = [](const Vector& a, const Vector& b) {
      const Vector p = a.array() - a.mean(), q = b.array() - b.mean();
      return p.dot(q) / (p.norm() * q.norm());
    };
    const double in_x = correlation(one.transform(Side::x, x), other.transform(Side::y, x));
    const double in_y = correlation(one.transform(Side::y, y), other.transform(Side::x, y));
    // The valleys of the smoothed divergences are flat, and a cost of norms does not change with the scale.
    const double close = method == "iCDA" || method == "CDA_M" ? 1e-6 : 1e-2;
    EXPECT_GT(std::abs(in_x), 1.0 - close);
    EXPECT_GT(std::abs(in_y), 1.0 - close);
    EXPECT_GT(in_x * in_y, 0.0);
  }
}

TEST(DegenerateData, D21TheLeadingColumnOfXHasAPositiveLoading) {
  const Table x = make_table(skewed_rows(120, 5, "x")), y = make_table(skewed_rows(90, 4, "y"), {}, "y");
  const Table turned = make_table(-x.values);
  for (const std::string& method : all_methods()) {
    SCOPED_TRACE(method);
    const FitOptions options{.method = method, .components = 2, .starts = 8, .refined = 2};
    const bool together = method[0] == 'm';
    for (const Table* table : {&x, &turned})
      for (const Pair& pair : fit(*table, y, options).pairs) {
        Index leading = 0;
        const Vector& judged = together ? pair.x_direction : pair.x_loadings;
        judged.cwiseAbs().maxCoeff(&leading);
        EXPECT_GT(judged[leading], 0.0);
      }
  }
}

TEST(DegenerateData, D22TheSeedAndAnyNumberOfThreadsGiveTheSameBytes) {
  const Table x = make_table(skewed_rows(120, 5, "x")), y = make_table(skewed_rows(90, 4, "y"), {}, "y");
  FitOptions options{.starts = 8, .seed = 5, .threads = 1};
  const std::string bytes = fit(x, y, options).to_json();
  for (const int threads : {1, 2, 3, 8}) {
    options.threads = threads;
    EXPECT_EQ(fit(x, y, options).to_json(), bytes);
  }
}

}  // namespace
