#include "cda/synthetic.hpp"

#include <gtest/gtest.h>

#include <Eigen/QR>
#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "files/support.hpp"
#include "table/synthetic_kinds.hpp"

namespace {

using namespace cda;
using data_tests::error_of;

double correlation(const Vector& a, const Vector& b) {
  const Vector x = a.array() - a.mean(), y = b.array() - b.mean();
  return x.dot(y) / std::sqrt(x.squaredNorm() * y.squaredNorm());
}

// Mean square of what is left of `y` when the columns of `x` and a constant have explained what they can.
double residual_variance(const Matrix& x, const Vector& y) {
  Matrix design(x.rows(), x.cols() + 1);
  design << x, Vector::Ones(x.rows());
  return (y - design * design.householderQr().solve(y)).squaredNorm() / static_cast<double>(x.rows());
}

// The four noise terms, where rows are paired.
Matrix noise_terms(const std::string& kind, const Matrix& x, const Matrix& y) {
  Matrix noise = y.leftCols(4);
  const auto x1 = x.col(0).array(), x2 = x.col(1).array(), x3 = x.col(2).array(), x4 = x.col(3).array(),
             x5 = x.col(4).array();
  const bool linear = kind == "linear", nonlinear = kind == "nonlinear";
  noise.col(0).array() -= (linear ? x1.eval() : x1.square().eval()) + 2 * x2;
  noise.col(1).array() -= (linear ? x3.eval() : x3.cube().eval()) + 2 * x4;
  noise.col(2).array() -= nonlinear ? x5.exp().eval() : x5.eval();
  noise.col(3).array() -= nonlinear ? (x2 + x5).cos().eval() : (x2 + x5).eval();
  return noise;
}

TEST(Synthetic, SameSeedGivesTheSameBytesAndAnotherSeedOthers) {
  for (const std::string& kind : synthetic_kinds()) {
    const SyntheticPair first = synthesise({.kind = kind, .seed = 4}), again = synthesise({.kind = kind, .seed = 4}),
                        other = synthesise({.kind = kind, .seed = 5});
    EXPECT_EQ(to_csv(first.x), to_csv(again.x)) << kind;
    EXPECT_EQ(to_csv(first.y), to_csv(again.y)) << kind;
    EXPECT_EQ(to_json(first.truth), to_json(again.truth)) << kind;
    EXPECT_NE(to_csv(first.x), to_csv(other.x)) << kind;
    EXPECT_NE(to_csv(first.y), to_csv(other.y)) << kind;
  }
}

TEST(Synthetic, ZeroMeansTheDefaultOfTheKind) {
  const auto sizes = [](const char* kind) {
    const SyntheticPair pair = synthesise({.kind = kind});
    return std::vector<Index>{pair.x.rows(), pair.x.columns(), pair.y.rows(), pair.y.columns()};
  };
  EXPECT_EQ(sizes("linear"), (std::vector<Index>{1000, 7, 1000, 5}));
  EXPECT_EQ(sizes("sources"), (std::vector<Index>{1000, 8, 1000, 6}));
  EXPECT_EQ(sizes("buildings"), (std::vector<Index>{2000, 9, 1500, 7}));
}

TEST(Synthetic, RemovesTheShareAskedForAfterK) {
  const Planted all = plant({.kind = "linear", .n = 300, .k = 200, .shuffle = false});
  const Planted some = plant({.kind = "linear", .n = 300, .k = 200, .shuffle = false, .remove = 0.15});
  EXPECT_EQ(some.pair.x.values, all.pair.x.values);
  ASSERT_EQ(some.pair.y.rows(), 170);
  // What is left is left in order, and each row is one of the rows there were.
  Index at = 0;
  for (Index i = 0; i < some.pair.y.rows(); ++i, ++at) {
    while (at < 200 && some.pair.y.values.row(i) != all.pair.y.values.row(at)) ++at;
    ASSERT_LT(at, 200);
    EXPECT_EQ(some.y_sources.row(i), all.y_sources.row(at));
  }
}

TEST(Synthetic, NoiseColumnsBelongToNoDirection) {
  for (const std::string& kind : synthetic_kinds()) {
    const SyntheticPair plain = synthesise({.kind = kind}), wide = synthesise({.kind = kind, .noise_columns = 3});
    ASSERT_EQ(wide.x.columns(), plain.x.columns() + 3);
    ASSERT_EQ(wide.y.columns(), plain.y.columns() + 3);
    EXPECT_EQ(wide.x.values.leftCols(plain.x.columns()), plain.x.values);
    EXPECT_EQ(wide.truth.x_directions.topRows(plain.x.columns()), plain.truth.x_directions);
    EXPECT_EQ(wide.truth.x_directions.bottomRows(3).norm(), 0.0);
    EXPECT_EQ(wide.truth.y_directions.bottomRows(3).norm(), 0.0);
    EXPECT_EQ(wide.x.names.back(), "noise3");
    EXPECT_NE(wide.x.values.rightCols(1).topRows(9), wide.y.values.rightCols(1).topRows(9));
  }
}

TEST(Synthetic, RefusesOptionsThatMakeNoSense) {
  for (const SyntheticOptions& options :
       std::vector<SyntheticOptions>{{.kind = "linaer"},
                                     {.kind = "linear", .m = 4},
                                     {.kind = "mixed", .l = 4},
                                     {.kind = "linear", .n = 1},
                                     {.kind = "linear", .k = -3},
                                     {.kind = "linear", .remove = 1.0},
                                     {.kind = "linear", .remove = std::nan("")},
                                     {.kind = "linear", .noise = -0.1},
                                     {.kind = "linear", .noise_columns = -1},
                                     {.kind = "linear", .n = 10, .k = 2, .remove = 0.5},
                                     {.kind = "sources", .shared = 4, .own = 3},
                                     {.kind = "sources", .shared = 9},
                                     {.kind = "sources", .l = 3, .shared = 3, .own = 1},
                                     {.kind = "sources", .shared = -1},
                                     {.kind = "buildings", .m = 10}})
    EXPECT_EQ(error_of([&] { synthesise(options); }).fault(), Fault::usage);
  EXPECT_EQ(error_of([] { synthesise({.kind = "linear", .n = Index{1} << 60}); }).fault(), Fault::resource);
}

class Relations : public testing::TestWithParam<std::string> {};

TEST_P(Relations, HoldWithNoiseOfTheStatedVariance) {
  const std::string kind = GetParam();
  for (const double variance : {0.5, 2.0}) {
    const SyntheticPair pair = synthesise({.kind = kind, .n = 20000, .k = 20000, .shuffle = false, .noise = variance});
    const Matrix noise = noise_terms(kind, pair.x.values, pair.y.values);
    for (Index j = 0; j < 4; ++j) {
      const double expected = kind == "nonlinear" && j == 3 ? variance / 5 : variance;
      // Five standard errors: the variance of normals has relative standard error sqrt(2 / n) = .01, the mean .007.
      EXPECT_NEAR(noise.col(j).squaredNorm() / 20000, expected, 0.05 * expected) << kind << j;
      EXPECT_NEAR(noise.col(j).mean(), 0.0, 0.035 * std::sqrt(expected)) << kind << j;
    }
    for (Index j = 0; j < 7; ++j) EXPECT_NEAR(pair.x.values.col(j).squaredNorm() / 20000, 1.0, 0.05);
    EXPECT_NEAR(pair.y.values.col(4).squaredNorm() / 20000, 1.0, 0.05);
  }
}

TEST_P(Relations, AreExactWithoutNoise) {
  const SyntheticPair pair = synthesise({.kind = GetParam(), .n = 50, .k = 50, .shuffle = false, .noise = 0.0});
  EXPECT_LT(noise_terms(GetParam(), pair.x.values, pair.y.values).cwiseAbs().maxCoeff(), 1e-12);
}

TEST_P(Relations, AreHiddenByShufflingButNotLost) {
  const SyntheticOptions options{.kind = GetParam(), .n = 400, .k = 400, .noise = 0.0};
  const Planted planted = plant(options);
  EXPECT_GT(noise_terms(GetParam(), planted.pair.x.values, planted.pair.y.values).cwiseAbs().maxCoeff(), 1.0);
  EXPECT_LT(noise_terms(GetParam(), planted.y_sources, planted.pair.y.values).cwiseAbs().maxCoeff(), 1e-12);
}

TEST_P(Relations, PairRowsInOrderAlsoWhereTheTablesDifferInLength) {
  for (const Index k : {300, 700}) {
    const SyntheticPair pair = synthesise({.kind = GetParam(), .n = 500, .k = k, .shuffle = false, .noise = 0.0});
    ASSERT_EQ(pair.y.rows(), k);
    const Index common = std::min<Index>(500, k);
    const Matrix noise = noise_terms(GetParam(), pair.x.values.topRows(common), pair.y.values.topRows(common));
    EXPECT_LT(noise.cwiseAbs().maxCoeff(), 1e-12);
  }
}

TEST_P(Relations, TruthIsAnOrthonormalBasisOfTheSignal) {
  const Truth truth = synthesise({.kind = GetParam(), .m = 9, .l = 6}).truth;
  const Index rank = GetParam() == "linear" ? 4 : 5;
  ASSERT_EQ(truth.x_directions.cols(), rank);
  ASSERT_EQ(truth.x_directions.rows(), 9);
  ASSERT_EQ(truth.y_directions.rows(), 6);
  EXPECT_LT((truth.x_directions.transpose() * truth.x_directions - Matrix::Identity(rank, rank)).norm(), 1e-14);
  EXPECT_EQ(truth.y_directions, Matrix(Matrix::Identity(6, 4)));
  Matrix signal = Matrix::Zero(9, 4);
  signal(0, 0) = 1, signal(1, 0) = 2, signal(2, 1) = 1, signal(3, 1) = 2, signal(4, 2) = 1;
  signal(1, 3) = signal(4, 3) = 1;
  const Matrix projected = truth.x_directions * (truth.x_directions.transpose() * signal);
  EXPECT_LT((projected - signal).norm(), 1e-14);
  EXPECT_EQ(truth.pairs.size(), 4u);
}

INSTANTIATE_TEST_SUITE_P(Synthetic, Relations, testing::Values("linear", "mixed", "nonlinear"));

TEST(SourceShapes, HaveTheMomentsOnTheirLabel) {
  struct Moments {
    double skewness, kurtosis;
  };
  const double w = std::exp(0.64);
  const std::map<std::string, Moments> expected{{"two-group", {0, 1.3438}},
                                                {"uniform", {0, 1.8}},
                                                {"u-shaped", {0, 1.5}},
                                                {"rare-group", {2.053, 6.606}},
                                                {"three-group", {0, 1.6817}},
                                                {"exponential", {2, 9}},
                                                {"gamma", {2 / std::sqrt(3.0), 5}},
                                                {"log-normal", {(w + 2) * std::sqrt(w - 1), 0}},
                                                {"laplace", {0, 6}},
                                                {"t", {0, 0}}};
  ASSERT_EQ(source_shapes().size(), expected.size());
  constexpr int draws = 400000;
  for (const std::string& shape : source_shapes()) {
    Random random(1, shape);
    double sums[5] = {};
    for (int i = 0; i < draws; ++i) {
      const double value = draw_shape(shape, random);
      for (int power = 1; power <= 4; ++power) sums[power] += std::pow(value, power) / draws;
    }
    const auto& [skewness, kurtosis] = expected.at(shape);
    // Fourth moments with a standard error of several units, or an infinite one.
    const bool heavy = shape == "log-normal" || shape == "t";
    EXPECT_NEAR(sums[1], 0.0, 5 / std::sqrt(draws)) << shape;
    EXPECT_NEAR(sums[2], 1.0, heavy ? 0.05 : 0.025) << shape;
    EXPECT_NEAR(sums[3], skewness, heavy ? 0.6 : 0.12) << shape;
    if (heavy) continue;
    EXPECT_NEAR(sums[4], kurtosis, 0.02 + 0.12 * std::max(0.0, kurtosis - 3)) << shape;
  }
}

TEST(Sources, AreRecoveredByTheTruthsDirections) {
  const Planted planted = plant({.kind = "sources", .n = 500, .k = 400, .shared = 4, .own = 2, .seed = 3});
  const SyntheticPair& pair = planted.pair;
  ASSERT_EQ(pair.truth.x_directions.cols(), 4);
  for (Index i = 0; i < 4; ++i) {
    EXPECT_NEAR(pair.truth.x_directions.col(i).norm(), 1.0, 1e-14);
    EXPECT_NEAR(correlation(pair.x.values * pair.truth.x_directions.col(i), planted.x_sources.col(i)), 1.0, 1e-12);
    EXPECT_NEAR(correlation(pair.y.values * pair.truth.y_directions.col(i), planted.y_sources.col(i)), 1.0, 1e-12);
    // No column shows a source on its own: the mixing is general.
    for (Index j = 0; j < pair.x.columns(); ++j)
      EXPECT_LT(std::abs(correlation(pair.x.values.col(j), planted.x_sources.col(i))), 0.99);
  }
  // Drawn independently: row i of one has nothing to do with row i of the other. Five standard errors.
  for (Index i = 0; i < 4; ++i)
    EXPECT_LT(std::abs(correlation(planted.x_sources.col(i).head(400), planted.y_sources.col(i))), 0.25);
}

// Sources are independent and stay in the table: the own ones, too, are a combination of its columns.
TEST(Sources, OfOneTableAloneAreInItAndLeaveWithItsRows) {
  const SyntheticOptions options{.kind = "sources", .n = 500, .k = 400, .shared = 2, .own = 2, .seed = 3};
  const Planted planted = plant(options);
  const auto unexplained = [](const Table& table, const Matrix& sources) {
    const Matrix weights = table.values.colPivHouseholderQr().solve(sources);
    return (table.values * weights - sources).norm();
  };
  ASSERT_EQ(planted.x_own.cols(), 2);
  EXPECT_LT(unexplained(planted.pair.x, planted.x_own), 1e-9);
  EXPECT_LT(unexplained(planted.pair.y, planted.y_own), 1e-9);
  SyntheticOptions fewer = options;
  fewer.remove = 0.5;
  const Planted rest = plant(fewer);
  ASSERT_EQ(rest.y_own.rows(), 200);
  EXPECT_LT(unexplained(rest.pair.y, rest.y_own), 1e-9);
}

TEST(Sources, HaveDifferentShapesEach) {
  const Truth truth = synthesise({.kind = "sources", .l = 8, .shared = 4, .own = 3, .seed = 8}).truth;
  std::set<std::string> shapes(truth.sources.begin(), truth.sources.end());
  shapes.insert(truth.x_own.begin(), truth.x_own.end());
  shapes.insert(truth.y_own.begin(), truth.y_own.end());
  EXPECT_EQ(shapes.size(), 10u);
  EXPECT_EQ(shapes, std::set<std::string>(source_shapes().begin(), source_shapes().end()));
}

TEST(Sources, MayShareNothing) {
  const SyntheticPair pair = synthesise({.kind = "sources", .shared = 0, .own = 2});
  EXPECT_EQ(pair.truth.x_directions.cols(), 0);
  EXPECT_EQ(pair.truth.x_own.size(), 2u);
}

TEST(Sources, AreMixedByAWellConditionedMatrix) {
  const SyntheticPair pair = synthesise({.kind = "sources", .n = 4000, .m = 40, .l = 6});
  const Matrix covariance = pair.x.values.transpose() * pair.x.values / 4000.0;
  const Eigen::JacobiSVD<Matrix> svd(covariance);
  // The square of at most 10, and a little for the sample: 40 columns among 4000 rows stretch by (1 +- .1)^2.
  EXPECT_LT(svd.singularValues()(0) / svd.singularValues()(39), 100 * 1.6);
}

TEST(Buildings, DriversAreStandardisedAndOfTheirShape) {
  const Planted planted = plant({.kind = "buildings", .n = 100000});
  for (Index i = 0; i < 3; ++i) {
    EXPECT_NEAR(planted.x_sources.col(i).mean(), 0.0, 0.016);
    EXPECT_NEAR(planted.x_sources.col(i).squaredNorm() / 1e5, 1.0, 0.03);
  }
  EXPECT_NEAR(planted.x_sources.col(0).minCoeff(), -0.97, 0.02);
  EXPECT_LE(planted.x_sources.col(1).cwiseAbs().maxCoeff(), std::sqrt(2.0));
  EXPECT_NEAR(planted.x_sources.col(2).array().cube().mean(), std::sqrt(2.0), 0.15);  // gamma(2)
}

TEST(Buildings, DirectionsAreTheBestLinearEstimatesOfTheDrivers) {
  const Planted planted = plant({.kind = "buildings", .n = 20000, .k = 20000});
  const SyntheticPair& pair = planted.pair;
  for (Index i = 0; i < 3; ++i) {
    for (const bool x : {true, false}) {
      const Matrix& values = x ? pair.x.values : pair.y.values;
      const Vector driver = x ? planted.x_sources.col(i) : planted.y_sources.col(i);
      const Vector estimate = values * (x ? pair.truth.x_directions : pair.truth.y_directions).col(i);
      const double variance = (driver.array() - driver.mean()).square().mean();
      const double best = std::sqrt(1.0 - residual_variance(values, driver) / variance);
      EXPECT_GT(correlation(estimate, driver), 0.97) << i;
      EXPECT_NEAR(correlation(estimate, driver), best, 0.001) << i;
    }
  }
}

TEST(Buildings, SensorsFollowTheDriversTheTruthNames) {
  const Planted planted = plant({.kind = "buildings"});
  const SyntheticPair& pair = planted.pair;
  ASSERT_EQ(pair.truth.pairs.size(), 3u);
  const auto check = [](const Table& table, const Matrix& drivers, Index driver, const std::string& listed) {
    for (Index j = 0; j < table.columns(); ++j) {
      const std::string name = table.names[static_cast<std::size_t>(j)];
      const double share = std::pow(correlation(table.values.col(j), drivers.col(driver)), 2);
      const bool named = (", " + listed + ",").find(", " + name + ",") != std::string::npos;
      EXPECT_EQ(named, share > 0.25) << name << " follows driver " << driver << " with " << share;
    }
  };
  for (Index i = 0; i < 3; ++i) {
    check(pair.x, planted.x_sources, i, pair.truth.pairs[static_cast<std::size_t>(i)].first);
    check(pair.y, planted.y_sources, i, pair.truth.pairs[static_cast<std::size_t>(i)].second);
  }
}

TEST(Buildings, ReadingsAreBelievable) {
  const SyntheticPair pair = synthesise({.kind = "buildings", .n = 20000, .k = 20000, .seed = 2});
  for (const Table* table : {&pair.x, &pair.y})
    for (Index j = 0; j < table->columns(); ++j) {
      const std::string& name = table->names[static_cast<std::size_t>(j)];
      const bool below_zero = name == "outdoor_temperature_C", share = name.find("percent") != std::string::npos;
      EXPECT_GE(table->values.col(j).minCoeff(), below_zero ? -30.0 : 0.0) << name;
      EXPECT_LE(table->values.col(j).maxCoeff(), share ? 100.0 : 20000.0) << name;
    }
}

TEST(TruthJson, ListsDirectionsByColumn) {
  Truth truth;
  truth.x_directions = Matrix::Identity(2, 1);
  truth.y_directions = Matrix::Constant(1, 1, 0.1);
  truth.sources = {"s"};
  truth.pairs = {{"a", "b"}};
  truth.seed = 18446744073709551615u;
  std::string compact = to_json(truth);
  compact.erase(std::remove_if(compact.begin(), compact.end(), [](char c) { return c == ' ' || c == '\n'; }),
                compact.end());
  EXPECT_EQ(compact, R"({"x_directions":[[1.0,0.0]],"y_directions":[[0.1]],"sources":["s"],)"
                     R"("pairs":[{"x":"a","y":"b"}],"seed":18446744073709551615})");
}

}  // namespace
