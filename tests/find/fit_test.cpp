#include <gtest/gtest.h>

#include <cmath>

#include "support/samples.hpp"

using namespace cda;
using cda::test::all_methods;
using cda::test::skewed_rows;

namespace {

class EveryMethod : public testing::TestWithParam<std::string> {};

TEST_P(EveryMethod, ConvergesRepeatsOnAnyThreadsAndTransformsByItsWeights) {
  const Table x = make_table(skewed_rows(120, 5, "x"), {}, "x"), y = make_table(skewed_rows(100, 4, "y"), {}, "y");
  FitOptions options{.method = GetParam(), .components = 3, .starts = 8, .refined = 2, .threads = 1};
  const Model model = fit(x, y, options);
  ASSERT_EQ(model.pairs.size(), 3U);
  for (const Pair& pair : model.pairs) {
    // The distance of two samples has edges where values change places: a descent may end on one.
    const bool on_an_edge = options.method == "iCDA" && pair.stopped.find("edge") != std::string::npos;
    EXPECT_TRUE(pair.converged || on_an_edge) << pair.stopped;
    const Vector by_weights = (x.values * pair.x_weights).array() + pair.x_intercept;
    const auto column = &pair - model.pairs.data();
    EXPECT_LT((by_weights - model.transform(Side::x, x).col(column)).norm(), 1e-10);
    const Vector y_by_weights = (y.values * pair.y_weights).array() + pair.y_intercept;
    EXPECT_LT((y_by_weights - model.transform(Side::y, y).col(column)).norm(), 1e-10);
  }
  const std::string bytes = model.to_json();
  for (const int threads : {2, 3}) {
    options.threads = threads;
    EXPECT_EQ(fit(x, y, options).to_json(), bytes);
  }
}

TEST_P(EveryMethod, KeepsDirectionsUnitAndOrthogonalWhereItPromisesTo) {
  const Table x = make_table(skewed_rows(120, 5, "x"), {}, "x"), y = make_table(skewed_rows(100, 4, "y"), {}, "y");
  const Model model = fit(x, y, {.method = GetParam(), .components = 3, .starts = 8, .refined = 2});
  const bool hard = GetParam().rfind("CDA", 0) == 0 || GetParam().rfind("mCDA", 0) == 0;
  const bool in_turn = GetParam()[0] != 'm';
  const Matrix gram = model.directions.x.transpose() * model.directions.x;
  const Matrix y_gram = model.directions.y.transpose() * model.directions.y;
  for (Index i = 0; i < 3; ++i)
    for (Index j = 0; j < 3; ++j) {
      if (i == j) {
        EXPECT_NEAR(gram(i, i), 1.0, hard ? 1e-10 : 0.2);
        EXPECT_NEAR(y_gram(i, i), 1.0, hard ? 1e-10 : 0.2);
      } else {
        EXPECT_NEAR(gram(i, j), 0.0, hard || in_turn ? 1e-10 : 0.2);
        EXPECT_NEAR(y_gram(i, j), 0.0, hard || in_turn ? 1e-10 : 0.2);
      }
    }
}

INSTANTIATE_TEST_SUITE_P(Catalogue, EveryMethod, testing::ValuesIn(all_methods()),
                         [](const auto& tested) { return tested.param; });

// Scales separate the signal here, so that minimal divergence identifies it: two shared sources, narrow noise in X and
// wide noise in Y, rotated, drawn apart for X and Y.
struct Rotated {
  Matrix rows, truth;
};
Rotated rotated_sources(Random& random, Index rows, Index noise, double width) {
  Matrix columns(rows, 2 + noise);
  for (Index i = 0; i < rows; ++i) {
    columns(i, 0) = random.exponential() - 1.0;
    columns(i, 1) = 2.31 * ((random.uniform() < 0.25 ? 1.0 : 0.0) - 0.25) + 0.2 * random.normal();
    for (Index j = 0; j < noise; ++j) columns(i, 2 + j) = width * random.normal();
  }
  const Vector flat = stiefel(2 + noise, 2 + noise)->random_point(random);
  const Matrix rotation = Eigen::Map<const Matrix>(flat.data(), 2 + noise, 2 + noise);
  return {columns * rotation.transpose(), rotation.leftCols(2)};
}

TEST(Recovery, FindsSharedSourcesThatScaleSeparates) {
  const auto distance = [](const Matrix& found, const Matrix& truth) {
    return (found * found.transpose() - truth * truth.transpose()).norm() / 2.0;  // sqrt(2 r) = 2
  };
  double x_error = 0.0, y_error = 0.0;
  for (const std::uint64_t seed : {21, 22, 23, 24}) {
    Random random(seed, "identifiable");
    const Rotated x = rotated_sources(random, 1500, 5, 0.3), y = rotated_sources(random, 1500, 3, 3.0);
    const Model model = fit(make_table(x.rows), make_table(y.rows, {}, "y"),
                            {.method = "CDA_Q",
                             .divergence = "wasserstein",
                             .prepare = std::vector<PartSpec>{"centre"},
                             .scale = "1",
                             .components = 2});
    // Centred only: weights of the original columns are the directions.
    Matrix x_found(x.rows.cols(), 2), y_found(y.rows.cols(), 2);
    x_found << model.pairs[0].x_weights, model.pairs[1].x_weights;
    y_found << model.pairs[0].y_weights, model.pairs[1].y_weights;
    x_error += distance(x_found, x.truth) / 4.0;
    y_error += distance(y_found, y.truth) / 4.0;
  }
  // A random frame scores .85 among 7 columns and .77 among 5.
  EXPECT_LT(x_error, 0.3);
  EXPECT_LT(y_error, 0.15);
}

TEST(Fit, DoesNotDependOnTheOrderOfRows) {
  const Matrix x = skewed_rows(200, 4, "x"), y = skewed_rows(150, 3, "y");
  const Matrix x_reversed = x.colwise().reverse(), y_reversed = y.colwise().reverse();
  for (const char* method : {"CDA_M", "CDA_Q", "CDA_P"}) {
    const FitOptions options{.method = method, .components = 1};
    const Model there = fit(make_table(x), make_table(y, {}, "y"), options);
    const Model back = fit(make_table(x_reversed), make_table(y_reversed, {}, "y"), options);
    EXPECT_EQ(there.to_json(), back.to_json()) << method;
  }
}

TEST(Fit, ReachesTheDualBoundForTheExtendedMallowsDistance) {
  const Model model =
      fit(make_table(skewed_rows(300, 6, "x")), make_table(skewed_rows(250, 5, "y"), {}, "y"), {.method = "CDA_M"});
  ASSERT_EQ(model.pairs.size(), 5U);
  for (const Pair& pair : model.pairs) {
    ASSERT_TRUE(pair.lower_bound.has_value());
    EXPECT_NEAR(pair.objective, *pair.lower_bound, 1e-8 * std::abs(pair.objective));
  }
}

TEST(Fit, CollapsesAsPublishedAndSaysSo) {
  const Table x = make_table(skewed_rows(200, 7, "x")), y = make_table(skewed_rows(180, 5, "y"), {}, "y");
  try {
    fit(x, y, {.method = "rCDA_M", .as_published = true, .components = 1});
    FAIL() << "rCDA_M as published has its minimum at zero";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), "fit.collapsed");
    EXPECT_EQ(error.fault(), Fault::numerical);
  }
}

TEST(Fit, TriesBothSignsWhereOneDirectionIsLeft) {
  const Matrix x = skewed_rows(100, 1, "x");
  const Model model = fit(make_table(x), make_table(-2.0 * x, {}, "y"),
                          {.method = "CDA_Q", .prepare = std::vector<PartSpec>{"standardise"}});
  EXPECT_EQ(model.pairs[0].x_direction[0], 1.0);
  EXPECT_EQ(model.pairs[0].y_direction[0], -1.0);
  EXPECT_TRUE(model.pairs[0].converged);
}

TEST(Fit, RefusesMoreComponentsThanDimensionsVary) {
  Matrix x = skewed_rows(100, 4, "x");
  x.col(3) = x.col(0);
  const Table y = make_table(skewed_rows(100, 5, "y"), {}, "y");
  EXPECT_THROW(fit(make_table(x), y, {.components = 4}), Error);
  const Model model = fit(make_table(x), y, {.method = "CDA_M", .components = 3});
  EXPECT_EQ(model.x.rank, 3);
  // A pair of constants would have no spread at all.
  for (Index j = 0; j < 3; ++j) {
    const Vector values = model.transform(Side::x, x).col(j);
    EXPECT_GT((values.array() - values.mean()).abs().maxCoeff(), 1e-3);
  }
}

TEST(Fit, CollapsesOnTheShippedKindOfTablesToo) {
  const SyntheticPair buildings = synthesise({.kind = "buildings"});
  EXPECT_THROW(fit(buildings.x, buildings.y, {.method = "rCDA_M", .as_published = true, .components = 1}), Error);
}

TEST(Fit, TakesASmallScaleThatWasAskedFor) {
  const Table x = make_table(skewed_rows(80, 3, "x")), y = make_table(skewed_rows(80, 3, "y"), {}, "y");
  const Model model = fit(x, y, {.method = "CDA_Q", .scale = "0.0005", .components = 1});
  EXPECT_EQ(model.pairs[0].scale, 0.0005);
}

TEST(Fit, RefusesTheExactSolverForJointPairs) {
  const Table x = make_table(skewed_rows(80, 3, "x")), y = make_table(skewed_rows(80, 3, "y"), {}, "y");
  try {
    fit(x, y, {.method = "mCDA_P", .divergence = "extended_mallows", .optimiser = "exact", .components = 2});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), "exact.not_quadratic");
  }
}

TEST(Fit, SaysSoWhereNoValueIsFinite) {
  const Matrix x = 1e20 * skewed_rows(50, 1, "x"), y = 1e20 * skewed_rows(50, 1, "y");
  try {
    fit(make_table(x), make_table(y, {}, "y"),
        {.method = "CDA_Q", .divergence = "extended_mallows:order=20", .prepare = std::vector<PartSpec>{"centre"}});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), Fault::numerical);
  }
}

TEST(Fit, KeepsItsBandwidthOnZerosAndOnes) {
  Random random(4, "bits");
  Matrix x(300, 1), y(250, 1);
  for (double& value : x.reshaped()) value = random.uniform() < 0.2 ? 1.0 : 0.0;
  for (double& value : y.reshaped()) value = random.uniform() < 0.21 ? 1.0 : 0.0;
  const Model model = fit(make_table(x), make_table(y, {}, "y"), {.method = "rCDA_Q"});
  EXPECT_TRUE(model.pairs[0].converged);
  EXPECT_NEAR(std::abs(model.pairs[0].x_norm), 1.0, 0.1);
}

TEST(Fit, StopsWhenTheObserverSaysSo) {
  const Table x = make_table(skewed_rows(100, 4, "x")), y = make_table(skewed_rows(100, 5, "y"), {}, "y");
  int calls = 0;
  try {
    fit(x, y, {.method = "CDA_Q"}, [&](const FitProgress&) { return ++calls < 13; });  // tables are prepared by then
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), "interrupted");
  }
  EXPECT_LT(calls, 28);
}

TEST(Fit, CanBeStoppedWhileTablesArePrepared) {
  const Table x = make_table(skewed_rows(60, 3, "x")), y = make_table(skewed_rows(50, 3, "y"), {}, "y");
  for (const char* method : {"iCDA", "PCA"})
    for (int last = 1; last <= 6; ++last) {
      int calls = 0;
      try {
        fit(x, y, {.method = method}, [&](const FitProgress& progress) {
          EXPECT_EQ(progress.share, 0.0);
          return ++calls < last;
        });
        FAIL();
      } catch (const Error& error) {
        EXPECT_EQ(error.code(), "interrupted");
      }
      EXPECT_EQ(calls, last) << method;
    }
}

TEST(Model, MatchesColumnsByNameAndListsWhatIsMissing) {
  const Table x = make_table(skewed_rows(60, 3, "x"), {"a", "b", "c"}),
              y = make_table(skewed_rows(50, 3, "y"), {}, "y");
  const Model model = fit(x, y, {.method = "CDA_M", .components = 1});
  Matrix reordered(60, 4);
  reordered << x.values.col(2), x.values.col(0), Vector::Zero(60), x.values.col(1);
  std::vector<std::string> remarks;
  EXPECT_EQ(model.transform(Side::x, make_table(reordered, {"c", "a", "extra", "b"}), &remarks),
            model.transform(Side::x, x));
  EXPECT_EQ(remarks.size(), 1U);
  try {
    model.transform(Side::x, make_table(x.values, {"a", "z", "c"}));
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(error.message().find("\"b\""), std::string::npos);
  }
}

}  // namespace
