#include <gtest/gtest.h>

#include <atomic>
#include <cmath>

#include "cda/error.hpp"
#include "cda/extend/random.hpp"
#include "peers/cca.hpp"
#include "peers/self_matching.hpp"
#include "peers/support.hpp"

namespace cda {
namespace {

// The same skewed sources seen by both tables through different mixtures with a little noise; Y in another order.
struct PlantedSpaces {
  Matrix x, y;
  std::vector<Index> partners;  // of X's rows

  PlantedSpaces(Index n, Index k, std::uint64_t seed) {
    Random random(seed, "planted");
    const Index most = std::max(n, k);
    Matrix sources(most, 3);
    for (Index j = 0; j < 3; ++j)
      for (Index i = 0; i < most; ++i) sources(i, j) = (3.0 - static_cast<double>(j)) * (random.exponential() - 1.0);
    const Matrix one = test::orthonormal(random.normals(4, 3)), other = test::orthonormal(random.normals(3, 3));
    const std::vector<Index> order = random.permutation(most);
    x = sources.topRows(n) * one.transpose() + 0.01 * random.normals(n, 4);
    y.resize(k, 3);
    partners.assign(static_cast<std::size_t>(n), -1);
    for (Index j = 0, source = 0; source < most && j < k; ++source) {
      const Index i = order[static_cast<std::size_t>(source)];
      if (k < n && i >= k) continue;  // of the shorter table every row has its partner in the longer
      y.row(j) = (sources.row(i) * other.transpose() + 0.01 * random.normals(1, 3));
      if (i < n) partners[static_cast<std::size_t>(i)] = j;
      ++j;
    }
  }
};

double cost_of_pairs(const Matrix& x, const Matrix& y) { return (x - y).squaredNorm(); }

double share_right(const std::vector<Index>& found, const std::vector<Index>& truth) {
  double right = 0.0, all = 0.0;
  for (std::size_t i = 0; i < truth.size(); ++i) {
    if (truth[i] < 0) continue;
    all += 1.0;
    right += found[i] == truth[i] ? 1.0 : 0.0;
  }
  return right / all;
}

SelfMatching matched(const Matrix& x, const Matrix& y, Index components, const SelfMatchingOptions& options = {},
                     int threads = 1) {
  const Executor executor(threads);
  const BaselineTask task = test::task_of(x, y, components, executor);
  Pace pace(task, 1000.0);
  return match_by_correlation(x, y, components, options, 1, executor, pace);
}

TEST(Ssc, FindsTheCorrespondenceOfRowsWhereTablesSeeTheSameSkewedSources) {
  const PlantedSpaces planted(600, 600, 1);
  const SelfMatching found = matched(planted.x, planted.y, 3, {.random_starts = 2});
  EXPECT_GT(share_right(found.partners, planted.partners), 0.95);  // a few lie closer to others than the noise
  EXPECT_TRUE(found.converged) << found.why;
  EXPECT_GT(found.held_out.minCoeff(), 0.9);
}

TEST(Ssc, FindsItForTheRowsOfTheShorterTable) {
  for (const auto& [n, k] : {std::pair<Index, Index>{280, 320}, {320, 280}}) {
    const PlantedSpaces planted(n, k, 2);
    const SelfMatching found = matched(planted.x, planted.y, 3);
    EXPECT_EQ(std::count(found.partners.begin(), found.partners.end(), -1), n - std::min(n, k));
    EXPECT_GT(share_right(found.partners, planted.partners), 0.6) << n;  // of the longer, some fit as well
    const SelfMatching nearest = matched(planted.x, planted.y, 3, {.random_starts = 0, .many_to_one = true});
    EXPECT_EQ(std::count(nearest.partners.begin(), nearest.partners.end(), -1), 0);
  }
}

TEST(Ssc, GoesOnInTheSameWayWhereOnlyNeighboursAreCandidates) {
  const PlantedSpaces planted(160, 160, 2);
  const SelfMatchingOptions sparse{.random_starts = 1, .limits = {.dense_rows = 10, .neighbours = 20, .rounds = 50}};
  const SelfMatching found = matched(planted.x, planted.y, 3, sparse);
  const SelfMatching dense = matched(planted.x, planted.y, 3, {.random_starts = 1});
  EXPECT_EQ(found.partners, dense.partners);
  EXPECT_EQ(found.excess, 0.0);
}

// Its directions are the canonical ones of the rows it matched, and the matching is the cheapest by these directions.
TEST(Ssc, EndsWhereNeitherStepChangesAnything) {
  const PlantedSpaces planted(200, 200, 3);
  for (const bool weighted : {false, true}) {
    const SelfMatchingOptions options{.weighted = weighted};
    const SelfMatching found = matched(planted.x, planted.y, 2, options);
    ASSERT_TRUE(found.converged);
    const Matrix y = planted.y(found.partners, Eigen::all);
    const CanonicalPairs pairs = canonical_pairs(planted.x, y, 2, options.kappa);
    EXPECT_EQ(pairs.x, found.x);
    EXPECT_EQ(pairs.correlations, found.correlations);
    if (found.why.find("repeats") == std::string::npos) continue;
    const Vector weights = weighted ? Vector(found.correlations.cwiseSqrt()) : Vector::Ones(2);
    const Matrix x_values = (planted.x.rowwise() - planted.x.colwise().mean()) * found.x * weights.asDiagonal();
    const Matrix y_values = (planted.y.rowwise() - planted.y.colwise().mean()) * found.y * weights.asDiagonal();
    EXPECT_NEAR(match_rows(x_values, y_values).cost, cost_of_pairs(x_values, y_values(found.partners, Eigen::all)),
                1e-9);
  }
}

// What its correlations are worth: rows that were matched by their values correlate, whatever they are.
TEST(Ssc, ReportsHighCorrelationsForTablesThatHaveNothingToDoWithEachOther) {
  const Matrix x = Random(4).normals(300, 4), y = Random(5).normals(300, 4);
  EXPECT_GT(matched(x, y, 2).held_out.minCoeff(), 0.9);
}

TEST(Ssc, OfOnePairMatchesRanks) {
  const PlantedSpaces planted(150, 150, 4);
  const SelfMatching found = matched(planted.x, planted.y, 1);
  const Vector x = planted.x * found.x.col(0), y = planted.y * found.y.col(0);
  if (found.why.find("repeats") == std::string::npos) return;
  for (std::size_t i = 1; i < found.partners.size(); ++i)
    EXPECT_EQ(x[static_cast<Index>(i)] < x[0], y[found.partners[i]] < y[found.partners[0]]);
}

TEST(Ssc, GivesTheSameBitsOnAnyNumberOfThreads) {
  const PlantedSpaces planted(120, 140, 5);
  const SelfMatching one = matched(planted.x, planted.y, 2);
  for (const int threads : {2, 3}) {
    const SelfMatching more = matched(planted.x, planted.y, 2, {}, threads);
    EXPECT_EQ(one.partners, more.partners);
    EXPECT_EQ(one.x, more.x);
    EXPECT_EQ(one.y, more.y);
    EXPECT_EQ(one.held_out, more.held_out);
  }
}

TEST(Ssc, SaysSoWhereRowsAreTooFewToHoldAnyOut) {
  const PlantedSpaces planted(7, 9, 6);
  const Executor executor(1);
  const BaselineMaps maps = baselines().make("ssc")->fit(test::task_of(planted.x, planted.y, 2, executor));
  EXPECT_TRUE(maps.directions.x.allFinite());
  EXPECT_EQ(maps.figures.size(), 2);
  ASSERT_EQ(maps.warnings.size(), 1U);
  EXPECT_NE(maps.warnings[0].find("too few rows"), std::string::npos);
}

TEST(Ssc, TakesWideTables) {
  const Matrix x = Random(7).normals(30, 50), y = Random(8).normals(25, 40);
  const Executor executor(1);
  for (const char* name : {"ssc", "ssc:weighted=yes", "ssc:many_to_one=yes"}) {
    const BaselineMaps maps = baselines().make(name)->fit(test::task_of(x, y, 3, executor));
    EXPECT_TRUE(maps.directions.x.allFinite() && maps.directions.y.allFinite()) << name;
    EXPECT_EQ(maps.directions.x.cols(), 3);
  }
}

TEST(Ssc, FinishesWithWhatItHasWhereItIsEnough) {
  const PlantedSpaces planted(100, 100, 7);
  const Executor executor(1);
  BaselineTask task = test::task_of(planted.x, planted.y, 2, executor);
  task.enough = [] { return std::string("time limit"); };
  const BaselineMaps maps = baselines().make("ssc")->fit(task);
  EXPECT_FALSE(maps.converged);
  EXPECT_EQ(maps.stopped, "time limit");
  EXPECT_TRUE(maps.directions.x.allFinite());
}

TEST(Ssc, EndsAtOnceWhereItIsToldTo) {
  const PlantedSpaces planted(100, 100, 7);
  const Executor executor(2);
  BaselineTask task = test::task_of(planted.x, planted.y, 2, executor);
  std::atomic<int> calls = 0;
  task.advance = [&](double share) {
    EXPECT_GE(share, 0.0);
    EXPECT_LE(share, 1.0);
    if (++calls == 3) throw Error(Fault::usage, "test.end", "the work is to end");
  };
  EXPECT_THROW(baselines().make("ssc")->fit(task), Error);
}

}  // namespace
}  // namespace cda
