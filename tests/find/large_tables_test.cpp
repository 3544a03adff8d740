// What long tables get: rows prepared without a second copy, loadings from moments, and a search that climbs from few
// rows to all of them.
#include <gtest/gtest.h>

#include <cmath>

#include "cda/extend/fit_summary.hpp"
#include "find/pairs/search.hpp"
#include "find/pairs/sparse.hpp"
#include "support/samples.hpp"

using namespace cda;
using cda::test::skewed_rows;

namespace {

Table x_table(Index rows = 300) { return make_table(skewed_rows(rows, 5, "x"), {}, "x"); }
Table y_table(Index rows = 260) { return make_table(skewed_rows(rows, 4, "y"), {}, "y"); }

TEST(LargeTables, TablesThatAreGivenUpLeadToTheSameModel) {
  for (const char* method : {"iCDA", "CDA_M", "rCDA_Q", "PCA"}) {
    const FitOptions options{.method = method, .components = 2, .summarise = true};
    Table x = x_table(), y = y_table();
    const std::string bytes = fit(x, y, options).to_json();
    EXPECT_EQ(fit(std::move(x), std::move(y), options).to_json(), bytes) << method;
  }
}

// Rows are then put in order where they are, and what is left out makes room for the columns after it.
TEST(LargeTables, ThatAreGivenUpMayHaveColumnsThatAreSetAside) {
  const FitOptions whitened{.components = 2},
      bent{.prepare = std::vector<PartSpec>{"rank_gauss", "whiten"}, .components = 2};
  for (const FitOptions& options : {whitened, bent}) {
    Table x = x_table(), y = y_table();
    x.values.col(1).setConstant(3.0);
    for (Index i = 0; i < y.rows(); ++i) y.values(i, 0) = static_cast<double>(i % 3);  // few values
    const std::string bytes = fit(x, y, options).to_json();
    EXPECT_EQ(fit(std::move(x), std::move(y), options).to_json(), bytes);
  }
}

TEST(LargeTables, AreGivenUpOnceTheirRowsArePrepared) {
  Table x = x_table(), y = y_table();
  bool seen_empty = false;
  fit(std::move(x), std::move(y), {.method = "CDA_M", .components = 1}, [&](const FitProgress&) {
    seen_empty = seen_empty || (x.rows() == 0 && y.rows() == 0);  // NOLINT(bugprone-use-after-move): that is the claim
    return true;
  });
  EXPECT_TRUE(seen_empty);
}

TEST(LargeTables, LoadingsByMomentsAreCorrelationsWithTheColumns) {
  Table x = x_table(), y = y_table();
  x.values.col(4) = x.values.col(0) - 2.0 * x.values.col(1);  // whitening loses a dimension
  for (const std::vector<PartSpec>& prepare :
       {std::vector<PartSpec>{"whiten"}, {"whiten:rows=100"}, {"standardise", "pca:3", "whiten"}}) {
    const Model model = fit(x, y, {.prepare = prepare, .components = 2, .starts = 8, .refined = 2});
    const Matrix by_x = correlations(x.values, model.x_preparation, model.transform(Side::x, x), Executor(1));
    const Matrix by_y = correlations(y.values, model.y_preparation, model.transform(Side::y, y), Executor(1));
    for (std::size_t i = 0; i < model.pairs.size(); ++i) {
      const auto column = static_cast<Index>(i);
      EXPECT_LT((model.pairs[i].x_loadings - by_x.col(column)).cwiseAbs().maxCoeff(), 1e-9);
      EXPECT_LT((model.pairs[i].y_loadings - by_y.col(column)).cwiseAbs().maxCoeff(), 1e-9);
    }
  }
}

TEST(LargeTables, TheSummaryOfAFitIsThatOfItsTables) {
  for (const char* method : {"iCDA", "CDA_Q", "TCA"}) {
    const Table x = x_table(), y = make_table(skewed_rows(260, 5, "y"), x.names);
    const Model model = fit(x, y, {.method = method, .components = 2, .summarise = true});
    const FitSummary expected = summarise_fit(model, x, y);
    ASSERT_TRUE(model.summary.has_value());
    ASSERT_EQ(model.summary->pairs.size(), expected.pairs.size());
    for (std::size_t i = 0; i < expected.pairs.size(); ++i) {
      const auto off = [](const Vector& a, const Vector& b) { return (a - b).norm() / b.norm(); };
      EXPECT_LT(off(model.summary->pairs[i].x_quantiles, expected.pairs[i].x_quantiles), 1e-5);
      EXPECT_LT(off(model.summary->pairs[i].y_density, expected.pairs[i].y_density), 1e-4);
    }
    EXPECT_EQ(model.summary->joint.size(), expected.joint.size());
  }
}

// The points of a search, once more by one that remembers.
TEST(LargeTables, ASearchThatRemembersProjectionsGetsTheSameValuesByFewerPasses) {
  const Sample x(skewed_rows(rows_worth_remembering, 5, "x")), y(skewed_rows(1000, 4, "y"));
  const auto formulation = formulations().make(PartSpec("iterative"));
  for (const char* divergence : {"wasserstein", "quadratic:bandwidth=0.5"}) {
    const Comparison comparison{x, y, divergences().make(PartSpec(divergence)), {ScaleRule::Kind::fixed, 0.7}};
    const PairProblem posed = formulation->pose(comparison, no_directions(comparison), 1);
    std::vector<Vector> points, gradients;
    std::vector<double> values;
    Problem recorded = posed.problem();
    ASSERT_TRUE(recorded.for_one_search);
    recorded.for_one_search = nullptr;
    recorded.value = [&, plain = recorded.value](const Vector& point, Vector* gradient) {
      values.push_back(plain(point, gradient));
      points.push_back(point);
      gradients.push_back(*gradient);
      return values.back();
    };
    const Vector start = posed.starts(1, Random(0, "start")).back();
    const Outcome outcome = optimisers().make(PartSpec("lbfgs"))->minimise(recorded, start, {.iterations = 30});
    ASSERT_GT(outcome.evaluations, outcome.iterations + 1) << divergence;  // some lines took more than one trial
    const Problem::Value remembering = posed.problem().for_one_search();
    const Index before = x.passes();
    for (std::size_t i = 0; i < points.size(); ++i) {
      Vector gradient;
      EXPECT_NEAR(remembering(points[i], &gradient), values[i], 1e-12) << divergence << ", point " << i;
      EXPECT_LT((gradient - gradients[i]).norm(), 1e-9) << divergence << ", point " << i;
    }
    EXPECT_LT(x.passes() - before, 2 * static_cast<Index>(points.size())) << divergence;
  }
}

TEST(RowLadder, ClimbsByTensWhileARungIsASmallPart) {
  EXPECT_EQ(row_ladder(2000, 2000), std::vector<Index>());
  EXPECT_EQ(row_ladder(1000, 0), std::vector<Index>());
  EXPECT_EQ(row_ladder(99'999, 2000), (std::vector<Index>{2000}));
  EXPECT_EQ(row_ladder(100'000, 2000), (std::vector<Index>{2000, 20'000}));
  EXPECT_EQ(row_ladder(10'000'000, 2000), (std::vector<Index>{2000, 20'000, 200'000, 2'000'000}));
}

// By way of 200 and 2000 rows: as low as a search on all rows from the beginning, measured by how high one stands after
// a single step from a random start.
TEST(RowLadder, EndsAsLowAsASearchOnAllRows) {
  const Table x = x_table(11'000), y = y_table(10'500);
  for (const char* method : {"CDA_Q", "rCDA_Q"}) {
    FitOptions options{.method = method, .components = 1, .starts = 40, .refined = 6, .scouting_rows = 200};
    const Model climbed = fit(x, y, options);
    EXPECT_TRUE(climbed.pairs[0].converged) << climbed.pairs[0].stopped;
    options.scouting_rows = 0;
    const Model whole = fit(x, y, options);
    FitOptions hasty = options;
    hasty.starts = hasty.refined = hasty.stopping.iterations = 1;
    const double high = fit(x, y, hasty).pairs[0].objective;
    EXPECT_LE(climbed.pairs[0].objective, whole.pairs[0].objective + 2e-3 * high) << method << " " << high;
    EXPECT_LT(3 * climbed.x.passes, whole.x.passes) << method;  // that is what it is for
  }
}

TEST(RowLadder, FindsTheShapesOfAllRows) {
  const SyntheticPair made = synthesise({.kind = "sources", .n = 6000, .k = 5500, .m = 5, .l = 5, .seed = 3});
  FitOptions options{.scouting_rows = 0};
  const Model whole = fit(made.x, made.y, options);
  options.scouting_rows = 100;
  const Model climbed = fit(made.x, made.y, options);
  ASSERT_EQ(climbed.pairs.size(), whole.pairs.size());
  for (std::size_t i = 0; i < whole.pairs.size(); ++i)
    EXPECT_NEAR(climbed.pairs[i].x_contrast, whole.pairs[i].x_contrast, 1e-3 * whole.pairs[i].x_contrast);
}

}  // namespace
