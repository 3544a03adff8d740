#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "cda/error.hpp"
#include "cda/extend/random.hpp"
#include "cda/match.hpp"
#include "use/column_shapes.hpp"

namespace cda {
namespace {

// Five shapes no two of which are alike, also mirrored.
Matrix five_shapes(Index rows, const std::string& name) {
  Random random(3, name);
  Matrix values(rows, 5);
  for (Index i = 0; i < rows; ++i) {
    values(i, 0) = random.exponential();
    values(i, 1) = std::exp(random.normal());
    values(i, 2) = (random.uniform() < 0.3 ? 3.0 : 0.0) + 0.5 * random.normal();
    values(i, 3) = std::pow(random.normal() + 0.5, 3);
    values(i, 4) = std::sqrt(random.uniform());
  }
  return values;
}

Matrix reordered(const Matrix& values, const std::vector<Index>& rows, const std::vector<Index>& columns) {
  return values(rows, columns);
}

Matrix all_similarities(const Table& x, const Table& y) {
  const auto shapes = [](const Table& table) {
    std::vector<Column> columns;
    for (Index j = 0; j < table.columns(); ++j)
      columns.push_back(describe_column(table, j, *largest_exponent(table.values.col(j))));
    return shapes_of(columns, MatchUnits::standardised);
  };
  return similarities(shapes(x), shapes(y), MatchUnits::standardised).values;
}

double nan() { return std::numeric_limits<double>::quiet_NaN(); }

void expect_same(const std::optional<RunnerUp>& a, const std::optional<RunnerUp>& b) {
  ASSERT_EQ(a.has_value(), b.has_value());
  if (!a) return;
  EXPECT_EQ(a->column, b->column);
  EXPECT_EQ(a->similarity, b->similarity);
  EXPECT_EQ(a->margin, b->margin);
}

void expect_same(const ColumnMatches& a, const ColumnMatches& b) {
  ASSERT_EQ(a.matches.size(), b.matches.size());
  for (std::size_t i = 0; i < a.matches.size(); ++i) {
    const ColumnMatch &p = a.matches[i], &q = b.matches[i];
    EXPECT_EQ(p.x, q.x);
    EXPECT_EQ(p.y, q.y);
    EXPECT_EQ(p.sign, q.sign);
    EXPECT_EQ(p.sign_frequency, q.sign_frequency);
    EXPECT_EQ(p.similarity, q.similarity);
    EXPECT_EQ(p.sampling, q.sampling);
    EXPECT_EQ(p.frequency, q.frequency);
    EXPECT_EQ(p.as_similar, q.as_similar);
    EXPECT_EQ(p.verdict, q.verdict);
    EXPECT_EQ(p.notes, q.notes);
    expect_same(p.other_x, q.other_x);
    expect_same(p.other_y, q.other_y);
  }
}

TEST(ColumnMatch, FindsColumnsAgainInOtherRowsUnitsAndOrder) {
  const Matrix x = five_shapes(800, "x");
  const std::vector<Index> order = {3, 1, 4, 0, 2};
  const Matrix y = 7.0 + 40.0 * five_shapes(600, "y")(Eigen::all, order).array();
  const ColumnMatches found = match_columns(make_table(x), make_table(y, {}, "y"));
  ASSERT_EQ(found.matches.size(), 5U);
  for (const ColumnMatch& match : found.matches) {
    EXPECT_EQ(order[static_cast<std::size_t>(match.y)], match.x);
    EXPECT_EQ(match.sign, 1);
    EXPECT_GT(match.similarity, 0.98);
    EXPECT_EQ(match.verdict, MatchVerdict::clear) << match.x;
    EXPECT_GT(match.margin().value(), 0.0);
    EXPECT_GE(match.frequency, 0.9);
  }
  EXPECT_TRUE(found.unmatched_x.empty() && found.unmatched_y.empty() && found.warnings.empty());
}

TEST(ColumnMatch, FindsAMirroredColumnWithItsSign) {
  const Matrix x = five_shapes(800, "x");
  Matrix y = five_shapes(600, "y");
  y.col(1) = 100.0 - y.col(1).array();
  const ColumnMatches found = match_columns(make_table(x), make_table(y));
  for (const ColumnMatch& match : found.matches) {
    EXPECT_EQ(match.y, match.x);
    EXPECT_EQ(match.sign, match.x == 1 ? -1 : 1);
  }
}

TEST(ColumnMatch, IsTheSameForAnyThreadsAndAnyOrderOfRows) {
  const Matrix x = five_shapes(1500, "x"), y = five_shapes(300, "y");
  const ColumnMatches first = match_columns(make_table(x), make_table(y), {.threads = 1});
  for (const int threads : {2, 3}) {
    SCOPED_TRACE(threads);
    expect_same(first, match_columns(make_table(x), make_table(y), {.threads = threads}));
  }
  Random random(5, "order");
  const std::vector<Index> columns = {0, 1, 2, 3, 4};
  expect_same(first, match_columns(make_table(reordered(x, random.permutation(1500), columns)),
                                   make_table(reordered(y, random.permutation(300), columns))));
}

TEST(ColumnMatch, DrawsOtherResamplesForAnotherSeed) {
  const Matrix x = five_shapes(100, "x"), y = five_shapes(100, "y");
  const ColumnMatches a = match_columns(make_table(x), make_table(y), {.seed = 1});
  const ColumnMatches b = match_columns(make_table(x), make_table(y), {.seed = 2});
  EXPECT_EQ(a.matches[0].similarity, b.matches[0].similarity);
  EXPECT_NE(a.matches[0].sampling, b.matches[0].sampling);
}

// With 256 rows each block of the quantile function is one sorted value.
TEST(ColumnMatch, SimilarityIsTheCorrelationOrTheConcordanceOfSortedValues) {
  Vector x = five_shapes(256, "x").col(0), y = five_shapes(256, "y").col(1);
  y = 2.0 * y.array() + 1.0;
  const ColumnMatches standardised = match_columns(make_table(x), make_table(y));
  const ColumnMatches raw = match_columns(make_table(x), make_table(y), {.units = MatchUnits::raw});
  std::sort(x.begin(), x.end());
  std::sort(y.begin(), y.end());
  const double distance = (x - y).squaredNorm() / 256.0, apart = x.mean() - y.mean();
  x.array() -= x.mean();
  y.array() -= y.mean();
  EXPECT_NEAR(standardised.matches[0].similarity, x.dot(y) / (x.norm() * y.norm()), 1e-13);
  const double whole = (x.squaredNorm() + y.squaredNorm()) / 256.0 + apart * apart;
  EXPECT_NEAR(raw.matches[0].similarity, 1.0 - distance / whole, 1e-13);
}

TEST(ColumnMatch, OfStandardisedColumnsForgetsUnitsHoweverLargeOrFar) {
  const Matrix x = five_shapes(300, "x"), y = five_shapes(200, "y");
  const ColumnMatches plain = match_columns(make_table(x), make_table(y));
  for (const auto& [factor, offset] : {std::pair{1e305, 0.0}, {1e-305, 0.0}, {1.0, 1e6}, {-3.0, 2.0}}) {
    const ColumnMatches scaled = match_columns(make_table(x), make_table(y.array() * factor + offset));
    for (std::size_t i = 0; i < 5; ++i) {
      EXPECT_EQ(scaled.matches[i].y, plain.matches[i].y);
      EXPECT_EQ(scaled.matches[i].sign, factor < 0.0 ? -plain.matches[i].sign : plain.matches[i].sign);
      // An offset of a million costs six digits, and similarity looks at squares.
      EXPECT_NEAR(scaled.matches[i].similarity, plain.matches[i].similarity, 1e-9);
    }
  }
}

TEST(ColumnMatch, InRawUnitsTellsEqualShapesApartByPlaceAndWidth) {
  Random random(7, "raw");
  Matrix x = random.normals(400, 3), y = random.normals(300, 3);
  x.col(1).array() += 20.0;
  x.col(2) *= 30.0;
  const std::vector<Index> order = {2, 0, 1};
  y.col(0) *= 30.0;
  y.col(2).array() += 20.0;
  const ColumnMatches raw = match_columns(make_table(x), make_table(y), {.units = MatchUnits::raw});
  for (const ColumnMatch& match : raw.matches) {
    EXPECT_EQ(order[static_cast<std::size_t>(match.y)], match.x);
    EXPECT_EQ(match.verdict, MatchVerdict::clear);
    EXPECT_EQ(match.sign, 1);
  }
  for (const ColumnMatch& match : match_columns(make_table(x), make_table(y)).matches) {
    EXPECT_EQ(match.verdict, MatchVerdict::not_distinctive);
    EXPECT_EQ(match.notes.at(0), "a bell curve, not distinctive");
  }
}

TEST(ColumnMatch, CallsCountersFlatAndSignsOfSymmetricShapesUndetermined) {
  const Vector x = Vector::LinSpaced(500, 1.0, 500.0), y = Vector::LinSpaced(300, 1.0, 300.0);
  const ColumnMatch match = match_columns(make_table(x), make_table(y)).matches.at(0);
  EXPECT_EQ(match.verdict, MatchVerdict::not_distinctive);
  EXPECT_LT(match.sign_frequency, 0.9);
}

// A column without a counterpart could have a better place, at the cost of a match that is right: along a line of ever
// more skewed shapes b, a, c the squared distance of the ends exceeds the sum of the two between.
TEST(ColumnMatch, IsNotBrokenUpByColumnsWithoutACounterpart) {
  Random random(8, "counterparts");
  Matrix x(2000, 2), y(2000, 2);
  for (Index i = 0; i < 2000; ++i) {
    x(i, 0) = random.gamma(2.0);  // a
    x(i, 1) = random.normal();    // b
    y(i, 0) = random.gamma(2.0);  // a
    y(i, 1) = std::exp(1.5 * random.normal());
  }
  const Matrix s = all_similarities(make_table(x), make_table(y));
  ASSERT_LT(s(0, 0) + s(1, 1), s(0, 1) + s(1, 0)) << "the least sum of W2^2 would swap them";
  const ColumnMatches found = match_columns(make_table(x), make_table(y));
  EXPECT_EQ(found.matches[0].y, 0);
  EXPECT_EQ(found.matches[0].verdict, MatchVerdict::clear);
  EXPECT_EQ(found.matches[1].verdict, MatchVerdict::poor);
}

TEST(ColumnMatch, SamplingIsWhatTwoSamplesOfOneDistributionShow) {
  // The second has runs of several values drawn as one; a sum of them must be as noisy as the values.
  for (const Index rows : {200, 8000}) {
    Random random(9, "sampling");
    double seen = 0.0, told = 0.0;
    const Index columns = 150;
    Matrix x(rows, columns), y(rows, columns);
    for (double& value : x.reshaped()) value = random.exponential();
    for (double& value : y.reshaped()) value = random.exponential();
    for (Index j = 0; j < columns; ++j) {
      const ColumnMatch match =
          match_columns(make_table(x.col(j)), make_table(y.col(j)), {.bootstrap = 40}).matches.at(0);
      seen += 1.0 - match.similarity;
      told += match.sampling;
    }
    // Means of 150 skewed numbers vary by about a tenth.
    EXPECT_NEAR(told / seen, 1.0, 0.3) << rows;
  }
}

TEST(ColumnMatch, LeavesMissingCellsOutForTheirColumnOnly) {
  const Matrix whole = five_shapes(200, "x"), y = five_shapes(200, "y");
  Matrix holes = Matrix::Constant(500, 5, nan());
  for (Index j = 0; j < 5; ++j)
    for (Index i = 0; i < 200; ++i) holes((i * 2 + j * 37) % 500, j) = whole(i, j);
  expect_same(match_columns(make_table(whole), make_table(y)), match_columns(make_table(holes), make_table(y)));
}

TEST(ColumnMatch, ListsColumnsWithoutAPartnerWithTheReason) {
  Matrix x(300, 7);
  x.leftCols(5) = five_shapes(300, "x");
  x.col(5).setConstant(4.0);
  x.col(6).setConstant(nan());
  const Matrix y = five_shapes(300, "y").leftCols(4);
  const ColumnMatches found = match_columns(make_table(x), make_table(y));
  EXPECT_EQ(found.matches.size(), 4U);
  ASSERT_EQ(found.unmatched_x.size(), 3U);
  EXPECT_EQ(found.unmatched_x[0].column, 4);
  EXPECT_EQ(found.unmatched_x[0].reason, "left over");
  EXPECT_TRUE(found.unmatched_x[0].nearest.has_value());
  EXPECT_EQ(found.unmatched_x[1].reason, "constant");
  EXPECT_EQ(found.unmatched_x[2].reason, "empty");
  EXPECT_FALSE(found.unmatched_x[2].nearest.has_value());
  // The other way round it is Y that has columns left over, and the matches are the same.
  const ColumnMatches turned = match_columns(make_table(y), make_table(x));
  EXPECT_EQ(turned.unmatched_y.size(), 3U);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(turned.matches[i].y, found.matches[i].x);

  EXPECT_THROW(match_columns(make_table(Matrix::Ones(5, 2)), make_table(y)), Error);
}

TEST(ColumnMatch, WarnsOfFewValuesAndOfPairsWithoutCompetition) {
  Random random(10, "few");
  Vector x(200), y(100);
  for (double& value : x) value = random.uniform() < 0.3 ? 1.0 : 0.0;
  for (double& value : y) value = random.uniform() < 0.3 ? 1.0 : 0.0;
  const ColumnMatches found = match_columns(make_table(x, {"paid"}), make_table(y, {"settled"}));
  ASSERT_EQ(found.warnings.size(), 1U);
  EXPECT_NE(found.warnings[0].find("\"paid\" of X; \"settled\" of Y"), std::string::npos) << found.warnings[0];
  const ColumnMatch& match = found.matches.at(0);
  EXPECT_EQ(match.verdict, MatchVerdict::ambiguous);
  EXPECT_FALSE(match.margin() || match.as_similar);
  EXPECT_EQ(match.notes.at(0), "2 and 2 distinct values: such columns match easily");
}

TEST(ColumnMatch, AsSimilarIsAShareOfThePairsThatAreNotMatched) {
  const Table x = make_table(five_shapes(60, "x")), y = make_table(five_shapes(60, "y").leftCols(4));
  const Matrix all = all_similarities(x, y);
  const ColumnMatches found = match_columns(x, y);
  Matrix others = all;
  for (const ColumnMatch& match : found.matches) others(match.x, match.y) = -1.0;
  Index somewhere = 0;
  for (const ColumnMatch& match : found.matches) {
    EXPECT_NEAR(match.similarity, all(match.x, match.y), 1e-14);
    const Index count = (others.array() >= match.similarity).count();
    EXPECT_DOUBLE_EQ(match.as_similar.value(), static_cast<double>(count) / 16.0);
    somewhere += count;
  }
  EXPECT_GT(somewhere, 0);
}

TEST(ColumnMatch, ReportsProgressAndStopsWhenAsked) {
  const Table x = make_table(five_shapes(100, "x")), y = make_table(five_shapes(100, "y"));
  std::vector<double> shares;
  match_columns(x, y, {.threads = 2}, [&](double share) {
    shares.push_back(share);
    return true;
  });
  EXPECT_EQ(shares.size(), 5U + 5U + 99U);
  EXPECT_TRUE(std::is_sorted(shares.begin(), shares.end()));
  EXPECT_NEAR(shares.back(), 1.0, 1e-9);
  for (const std::size_t calls : {1U, 50U}) {
    std::size_t called = 0;
    try {
      match_columns(x, y, {.threads = 1}, [&](double) { return ++called < calls; });
      FAIL() << "not stopped";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), "interrupted");
      EXPECT_EQ(called, calls);
    }
  }
}

TEST(ColumnMatch, RefusesWhatMakesNoSense) {
  const Table table = make_table(five_shapes(50, "x"));
  EXPECT_THROW(match_columns(table, table, {.bootstrap = 18}), Error);
  EXPECT_THROW(match_units("standardized?"), Error);
  EXPECT_EQ(match_units("RAW"), MatchUnits::raw);
}

}  // namespace
}  // namespace cda
