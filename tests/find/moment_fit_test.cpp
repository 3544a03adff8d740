// A fit from moments against the same fit from rows, on tables that are long enough for both.
#include "find/moment_fit.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "cda/extend/random.hpp"

namespace {

using namespace cda;

constexpr Index rows = 70'000;  // more than TableMoments::long_table
static_assert(rows > TableMoments::long_table);

// Skewed, mixed, far from zero, in units of all kinds.
Table made(Index count, Index columns, const char* stream) {
  Random random(5, stream);
  Matrix values = random.normals(count, columns);
  for (Index j = 0; j < columns; ++j) {
    if (j % 3 == 0) values.col(j) = values.col(j).array().square();
    if (j > 0) values.col(j) += 0.4 * values.col(j - 1);
  }
  values.col(0) = 1e6 + values.col(0).array();
  values.col(1) *= 1e-7;
  return make_table(values, {}, stream);
}

const Table& table_x() {
  static const Table table = made(rows, 6, "x");
  return table;
}
const Table& table_y() {
  static const Table table = made(rows + 123, 5, "y");
  return table;
}

double sine(const Vector& a, const Vector& b) {
  const Vector u = a.normalized(), v = b.normalized();
  return std::min((u - v).norm(), (u + v).norm());
}

// Angles are taken of weights times the columns' deviations: the columns' units do not matter then.
void expect_same_model(const Model& found, const Model& expected, double value, double angle) {
  ASSERT_EQ(found.pairs.size(), expected.pairs.size());
  const Vector x_widths = moments_of(table_x()).columns.covariance.diagonal().cwiseSqrt();
  const Vector y_widths = moments_of(table_y()).columns.covariance.diagonal().cwiseSqrt();
  for (std::size_t i = 0; i < expected.pairs.size(); ++i) {
    const Pair &a = found.pairs[i], &b = expected.pairs[i];
    EXPECT_NEAR(a.objective, b.objective, value * std::abs(b.objective));
    EXPECT_NEAR(a.divergence, b.divergence, value * std::abs(b.divergence));
    EXPECT_LT(sine(a.x_weights.cwiseProduct(x_widths), b.x_weights.cwiseProduct(x_widths)), angle);
    EXPECT_LT(sine(a.y_weights.cwiseProduct(y_widths), b.y_weights.cwiseProduct(y_widths)), angle);
    EXPECT_LT((a.x_loadings - b.x_loadings).cwiseAbs().maxCoeff(), 10.0 * angle);
    // Where means are zero, whether high X goes with high or low Y plays no part.
    const double sign = a.y_loadings.dot(b.y_loadings) < 0.0 ? -1.0 : 1.0;
    EXPECT_LT((a.y_loadings - sign * b.y_loadings).cwiseAbs().maxCoeff(), 10.0 * angle);
    EXPECT_NEAR(a.scale, b.scale, 1e-12);
  }
}

FitOptions asked(const char* method, const char* preparation) {
  FitOptions options{.method = method, .components = 3, .threads = 2};
  options.prepare = {{PartSpec(preparation)}};
  return options;
}

TEST(MomentFit, IsTheFitOfTheRows) {
  for (const char* preparation : {"minmax", "standardise"}) {
    const FitOptions options = asked("CDA_M", preparation);
    const Model by_rows = fit_by_rows(table_x(), table_y(), options);
    const Model found = fit(table_x(), table_y(), options);
    EXPECT_EQ(found.x.rows, rows);
    EXPECT_EQ(found.x.described_rows, TableMoments::kept_rows);
    EXPECT_EQ(by_rows.x.described_rows, 0);
    expect_same_model(found, by_rows, 1e-10, 1e-6);
    EXPECT_EQ(found.warnings, by_rows.warnings);
    EXPECT_EQ(found.in_force(), by_rows.in_force());
  }
}

TEST(MomentFit, IsTheFitOfTheRowsWhereNormsAreACost) {
  // Both are descents from starts of their own; only their ends are alike, so both go to the very end.
  FitOptions options = asked("rCDA_M", "minmax");
  options.stopping.gradient_tolerance = 1e-13;
  options.stopping.decrease_tolerance = 0.0;
  const Model found = fit(table_x(), table_y(), options), by_rows = fit_by_rows(table_x(), table_y(), options);
  EXPECT_NEAR(found.pairs[0].objective, by_rows.pairs[0].objective, 1e-10 * by_rows.pairs[0].objective);
  // Further pairs are orthogonal to directions that are alike to 1e-6 only, and values feel that.
  expect_same_model(found, by_rows, 1e-8, 1e-6);
}

TEST(MomentFit, DoesNotDependOnThreads) {
  FitOptions options = asked("CDA_M", "minmax");
  const std::string expected = fit(table_x(), table_y(), options).to_json();
  for (const int threads : {1, 3}) {
    options.threads = threads;
    EXPECT_EQ(fit(table_x(), table_y(), options).to_json(), expected);
  }
}

TEST(MomentFit, DependsOnTheOrderOfRowsByRoundingOnly) {
  const FitOptions options = asked("CDA_M", "minmax");
  Table turned = table_x();
  turned.values = table_x().values(Random(1, "order").permutation(rows), Eigen::all);
  const Model expected = fit(table_x(), table_y(), options), found = fit(turned, table_y(), options);
  expect_same_model(found, expected, 1e-11, 1e-8);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(found.pairs[i].agreement, expected.pairs[i].agreement, 1e-8);
}

TEST(MomentFit, IsTheSameFromFilesReadInBlocks) {
  const auto folder = std::filesystem::temp_directory_path();
  const std::string x = folder / "cda-moment-fit-x.csv", y = folder / "cda-moment-fit-y.csv";
  write_file(x, to_csv(table_x()));
  write_file(y, to_csv(table_y()));
  const FitOptions options = asked("CDA_M", "minmax");
  const Model streamed = fit(read_moments({x}), read_moments({y}), options);
  std::filesystem::remove(x);
  std::filesystem::remove(y);
  EXPECT_EQ(streamed.to_json(), fit(table_x(), table_y(), options).to_json());
}

TEST(MomentFit, ShowsShapesByRowsThatStandForAll) {
  const FitOptions options = asked("CDA_M", "minmax");
  const Model by_rows = fit_by_rows(table_x(), table_y(), options), found = fit(table_x(), table_y(), options);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(found.pairs[i].x_contrast, by_rows.pairs[i].x_contrast, 0.05 * by_rows.pairs[i].x_contrast + 0.002);
    EXPECT_NEAR(found.pairs[i].agreement, by_rows.pairs[i].agreement, 0.1);
  }
  const Model again = Model::from_json(found.to_json());
  EXPECT_EQ(again.x.described_rows, TableMoments::kept_rows);
  EXPECT_EQ(again.to_json(), found.to_json());
}

TEST(MomentFit, SetsAsideWhatDoesNotVaryAndNamesWhatDepends) {
  Table x = table_x();
  x.values.col(2).setConstant(4.0);
  x.values.col(3) = 2.0 * x.values.col(4).array() - 1.0;
  const FitOptions options = asked("CDA_M", "minmax");
  const Model by_rows = fit_by_rows(x, table_y(), options), found = fit(x, table_y(), options);
  EXPECT_EQ(found.warnings, by_rows.warnings);
  EXPECT_EQ(found.x.rank, 4);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(found.pairs[i].objective, by_rows.pairs[i].objective, 1e-10 * by_rows.pairs[i].objective);
    EXPECT_EQ(found.pairs[i].x_weights[2], 0.0);
    EXPECT_EQ(found.pairs[i].x_loadings[2], 0.0);
  }
}

TEST(MomentFit, LeavesNumbersBeyondTheirSquaresToTheRows) {
  Table x = table_x();
  x.values.col(1) *= 1e-200;
  const FitOptions options = asked("CDA_M", "minmax");
  EXPECT_FALSE(moments_instead(x, table_y(), options, {}));
  EXPECT_EQ(fit(x, table_y(), options).to_json(), fit_by_rows(x, table_y(), options).to_json());
  x.values(7, 0) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(fit(x, table_y(), options), Error);
}

TEST(MomentFit, IsForMethodsThatLookAtMomentsOnly) {
  const auto reason = [](FitOptions options) { return why_not_moments(options); };
  EXPECT_EQ(reason({.method = "CDA_M"}), "");
  EXPECT_EQ(reason({.method = "rCDA_M"}), "");
  EXPECT_NE(reason({.method = "iCDA"}), "");
  EXPECT_NE(reason({.method = "CDA_Q"}), "");
  EXPECT_NE(reason({.method = "cCDA"}), "");
  EXPECT_NE(reason({.method = "CDA_M", .divergence = PartSpec("extended_mallows:order=1")}), "");
  EXPECT_NE(reason({.method = "CDA_M", .max_columns = 2}), "");
  FitOptions whitened{.method = "CDA_M"};
  whitened.prepare = {{PartSpec("whiten")}};
  EXPECT_NE(reason(whitened), "");
  EXPECT_THROW(fit(moments_of(table_x()), moments_of(table_y()), {.method = "iCDA"}), Error);
}

TEST(MomentFit, LeavesShortTablesAsTheyWere) {
  Table x = table_x(), y = table_y();
  x.values.conservativeResize(3'000, Eigen::NoChange);
  y.values.conservativeResize(2'000, Eigen::NoChange);
  const FitOptions options = asked("CDA_M", "minmax");
  EXPECT_EQ(fit(x, y, options).to_json(), fit_by_rows(x, y, options).to_json());
}

}  // namespace
