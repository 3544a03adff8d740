// RV rises from turn to turn, and on a problem small enough to try everything the starts find its maximum.
#include "find/clouds/ascent.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "cda/extend/random.hpp"

using namespace cda;

namespace {

CloudPart all_of(const Matrix& rows, double emphasis = 0.5) {
  const PointCloud cloud = point_cloud(rows, {.most = 20, .emphasis = emphasis}, Executor(1));
  std::vector<Index> every(static_cast<std::size_t>(rows.rows()));
  std::iota(every.begin(), every.end(), 0);
  return part_of(cloud, every);
}

Matrix lopsided(Index rows, Index columns, const char* name) {
  Matrix normals = Random(5, name).normals(rows, columns);
  normals = normals.array() + 0.4 * normals.array().square();
  for (Index j = 0; j < columns; ++j) normals.col(j) *= 1.0 / static_cast<double>(j + 1);
  return normals;
}

TEST(PointCloud, HasScoresOfVarianceOneWithoutTheDimensionsThatDoNotVary) {
  Matrix rows = lopsided(50, 4, "cloud");
  rows.col(3) = rows.col(0) - 2.0 * rows.col(1);
  const PointCloud cloud = point_cloud(rows, {}, Executor(1));
  ASSERT_EQ(cloud.dimension(), 3);
  const Matrix white = cloud.white.cast<double>();
  EXPECT_LT((white.transpose() * white / 50.0 - Matrix::Identity(3, 3)).norm(), 1e-5);
  EXPECT_LT(((rows.rowwise() - cloud.mean.transpose()) * cloud.axes - white).norm(), 1e-4);
  EXPECT_EQ(cloud.shares[0], 1.0F);
  EXPECT_NEAR(cloud.shares[1], std::pow(cloud.variances[1] / cloud.variances[0], 0.25), 1e-6);
}

TEST(PointCloud, IsTheSameByRandomProjectionsAsByTheCovariance) {
  const Matrix rows = lopsided(400, 60, "wide");
  const PointCloud exact = point_cloud(rows, {.most = 5}, Executor(1));
  const PointCloud random = point_cloud(rows, {.most = 5, .exact_columns = 10}, Executor(1));
  EXPECT_LT((exact.variances - random.variances).cwiseAbs().maxCoeff(), 1e-4 * exact.variances[0]);
  for (Index j = 0; j < 3; ++j)  // those that stand apart
    EXPECT_GT(std::abs(exact.white.col(j).dot(random.white.col(j))) / 400.0F, 0.99F) << j;
}

TEST(PointCloud, DoesNotDependOnTheUnitOfTheTable) {
  const Matrix rows = lopsided(40, 4, "units");
  const PointCloud plain = point_cloud(rows, {}, Executor(1));
  for (const double unit : {1e-250, 1e250}) {
    const PointCloud scaled = point_cloud(rows * unit, {}, Executor(1));
    EXPECT_LT((scaled.white - plain.white).norm(), 1e-4) << unit;
    EXPECT_TRUE(scaled.axes.allFinite());
  }
}

TEST(SignStarts, AreAllSignsOfTheLeadingComponents) {
  EXPECT_EQ(sign_starts(5, 4, 3).size(), 14U);  // 2 + 4 + 8
  EXPECT_EQ(sign_starts(1, 4, 3).size(), 2U);
  for (const Matrix& start : sign_starts(3, 3, 2)) EXPECT_NEAR(start.norm(), 1.0, 1e-15);
}

TEST(Ascent, NeverLowersTheCorrelationWhenPlansAreNearlyExact) {
  const CloudPart x = all_of(lopsided(40, 4, "x")), y = all_of(lopsided(50, 3, "y"));
  for (const Matrix& start : sign_starts(4, 3, 2)) {
    double before = 0.0;
    for (int iterations = 1; iterations <= 8; ++iterations) {
      const AscentOptions options{.iterations = iterations,
                                  .same_as_before = 2.0,
                                  .same_as_other = 2.0,
                                  .transport = {.blur = 0.01, .turns = 1500, .tolerance = 1e-4}};
      const double now = ascend(x, y, {start}, false, options, Executor(1), {}).front().correlation;
      EXPECT_GT(now, before - 1e-3) << iterations;  // the blur that is left
      before = now;
    }
  }
}

TEST(Ascent, FindsTheBestOfAllMatchingsOfSixRows) {
  const CloudPart x = all_of(lopsided(6, 3, "six x"), 1.0), y = all_of(lopsided(6, 3, "six y"), 1.0);
  const Matrix xs = x.scores.cast<double>(), ys = y.scores.cast<double>();
  std::vector<Index> order{0, 1, 2, 3, 4, 5};
  double best = 0.0;
  do {
    best = std::max(best, (xs.transpose() * ys(order, Eigen::all) / 6.0).squaredNorm());
  } while (std::next_permutation(order.begin(), order.end()));
  best /= (xs.transpose() * xs / 6.0).norm() * (ys.transpose() * ys / 6.0).norm();
  const AscentOptions options{.iterations = 40,
                              .same_as_before = 2.0,
                              .same_as_other = 2.0,
                              .transport = {.blur = 0.005, .turns = 3000, .tolerance = 1e-4}};
  const auto found = ascend(x, y, sign_starts(x.scores.cols(), y.scores.cols(), 3), true, options, Executor(1), {});
  EXPECT_LT(found.front().correlation, best * (1.0 + 1e-3));  // RV is convex in the plan: none beats the matchings
  EXPECT_GT(found.front().correlation, best * 0.97);
}

TEST(Ascent, KeepsTheCorrelationBelowOneWithARowFarOut) {
  Matrix far = lopsided(60, 3, "far x");
  far.row(0) *= 60.0;
  const CloudPart x = all_of(far), y = all_of(lopsided(60, 4, "far y"));
  for (const int turns : {2, 100})
    for (const Optimum& one :
         ascend(x, y, sign_starts(3, 4, 3), true, {.iterations = 6, .transport = {.turns = turns}}, Executor(1), {})) {
      EXPECT_LE(one.correlation, 1.0 + 1e-5);
      EXPECT_GT(one.correlation, 0.0);
    }
}

TEST(Ascent, ArrivesWhereItArrivesWithoutStepsAhead) {
  const CloudPart x = all_of(lopsided(80, 5, "x")), y = all_of(lopsided(70, 4, "y"));
  const auto run = [&](double ahead) {
    return ascend(x, y, {sign_starts(5, 4, 3).back()}, true,
                  {.iterations = 200,
                   .same_as_before = 1.0 - 1e-8,
                   .ahead = ahead,
                   .transport = {.turns = 2000, .tolerance = 1e-4}},
                  Executor(1), {})
        .front();
  };
  const Optimum plain = run(0.0), ahead = run(0.5);
  EXPECT_GT(cosine(plain.moment, ahead.moment), 0.9999);
  EXPECT_LT(ahead.iterations, plain.iterations);
}

TEST(Ascent, GivesUpWhatIsFarBehind) {
  const CloudPart x = all_of(lopsided(80, 5, "x")), y = all_of(lopsided(70, 4, "y"));
  const auto run = [&](double behind) {
    return ascend(x, y, sign_starts(5, 4, 3), true, {.behind = behind}, Executor(1), {});
  };
  const auto all = run(1.0), near = run(0.1);
  ASSERT_FALSE(near.empty());
  EXPECT_LT(near.size(), all.size());
  EXPECT_EQ(near.front().moment, all.front().moment);  // the best goes its way
  for (const Optimum& one : near) EXPECT_GE(one.correlation, 0.9 * near.front().correlation);
}

TEST(Ascent, GivesTheSameBitsOnAnyNumberOfThreads) {
  const CloudPart x = all_of(lopsided(80, 5, "x")), y = all_of(lopsided(70, 4, "y"));
  const auto run = [&](int threads) { return ascend(x, y, sign_starts(5, 4, 3), true, {}, Executor(threads), {}); };
  const auto one = run(1);
  for (const int threads : {2, 3, 8}) {
    const auto several = run(threads);
    ASSERT_EQ(several.size(), one.size());
    for (std::size_t i = 0; i < one.size(); ++i) EXPECT_EQ(several[i].moment, one[i].moment);
  }
}

TEST(Ascent, EndsWhenItIsEnough) {
  const CloudPart x = all_of(lopsided(80, 5, "x")), y = all_of(lopsided(70, 4, "y"));
  int asked = 0;
  const auto found = ascend(x, y, sign_starts(5, 4, 2), true, {}, Executor(1), [&] { return ++asked < 2; });
  for (const Optimum& one : found) EXPECT_LE(one.iterations, 2);
}

}  // namespace
