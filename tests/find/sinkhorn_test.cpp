// The plan against a plain implementation in double precision, and the sums it promises.
#include "find/clouds/sinkhorn.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "cda/extend/random.hpp"

using namespace cda;

namespace {

double log_sum(const Vector& values) {
  const double largest = values.maxCoeff();
  return largest + std::log((values.array() - largest).exp().sum());
}

// f and g in turn, with logarithms throughout: nothing is skipped, floored or absorbed.
Matrix plain_plan(const Matrix& similarities, const Vector& a, const Vector& b, double blur, int turns, double reach) {
  const double mean = a.dot(similarities * b);
  const double unit = blur * std::sqrt(a.dot(similarities.cwiseAbs2() * b) - mean * mean);
  const Matrix exponent = similarities / unit;
  const double power = std::isfinite(reach) ? reach / (reach + blur) : 1.0;
  // The first turn starts from factors that make the largest entry of every row 1.
  Vector f = -exponent.rowwise().maxCoeff(), g = Vector::Zero(b.size());
  for (int turn = 0; turn < turns; ++turn) {
    for (Index j = 0; j < g.size(); ++j) g[j] = std::log(b[j]) - power * log_sum(exponent.col(j) + f);
    for (Index i = 0; i < f.size(); ++i) f[i] = std::log(a[i]) - power * log_sum(exponent.row(i).transpose() + g);
  }
  Matrix plan = exponent;
  plan.colwise() += f;
  plan.rowwise() += g.transpose();
  return plan.array().exp();
}

struct Problem {
  Matrix similarities;
  Vector a, b;
};

Problem random_problem(Index n, Index k) {
  Random random(3, "sinkhorn");
  Problem problem{random.normals(n, 4) * random.normals(4, k), random.normals(n, 1).cwiseAbs(),
                  random.normals(k, 1).cwiseAbs()};
  problem.a.array() += 0.2;
  problem.b.array() += 0.2;
  problem.a /= problem.a.sum();
  problem.b /= problem.b.sum();
  return problem;
}

Matrix planned(const Problem& problem, const SinkhornOptions& options) {
  return sinkhorn(problem.similarities.cast<float>(), problem.a.cast<float>(), problem.b.cast<float>(), options)
      .entries()
      .cast<double>();
}

TEST(Sinkhorn, EqualsAPlainImplementation) {
  const Problem problem = random_problem(40, 30);
  for (const double blur : {1.0, 0.1, 0.02})
    for (const int turns : {1, 20, 60}) {
      const Matrix expected = plain_plan(problem.similarities, problem.a, problem.b, blur, turns, INFINITY);
      // Exponents reach hundreds at the smallest blur, of which single precision keeps seven digits.
      EXPECT_LT((planned(problem, {.blur = blur, .turns = turns, .tolerance = 0.0}) - expected).cwiseAbs().sum(),
                2e-4 / blur)
          << blur;
    }
}

TEST(Sinkhorn, MeetsTheSumsOfRowsAndColumns) {
  const Problem problem = random_problem(25, 35);
  const Matrix plan = planned(problem, {.blur = 0.3, .turns = 500, .tolerance = 0.0});
  EXPECT_LT((plan.rowwise().sum() - problem.a).cwiseAbs().maxCoeff(), 1e-6);
  EXPECT_LT((plan.colwise().sum().transpose() - problem.b).cwiseAbs().maxCoeff(), 1e-6);
  EXPECT_GE(plan.minCoeff(), 0.0);
}

TEST(Sinkhorn, StopsWhenTheSumsAreAsNearAsAsked) {
  const Problem problem = random_problem(40, 30);
  const Matrix plan = planned(problem, {.blur = 0.1, .turns = 10000, .tolerance = 0.05});
  EXPECT_LT((plan.colwise().sum().transpose() - problem.b).cwiseAbs().sum(), 0.05);
  EXPECT_GT((plan.colwise().sum().transpose() - problem.b).cwiseAbs().sum(), 1e-6);
  EXPECT_LT((plan.rowwise().sum() - problem.a).cwiseAbs().maxCoeff(), 1e-6);
}

TEST(Sinkhorn, ApproachesTheBestMatchingOfOneDimensionAsTheBlurVanishes) {
  Vector x(6), y(6);
  x << -2.0, -1.2, -0.3, 0.4, 1.1, 2.5;
  y << 1.0, -1.0, 2.0, -2.2, 0.1, -0.4;  // in increasing order: 3, 1, 5, 4, 0, 2
  const Problem problem{x * y.transpose(), Vector::Constant(6, 1.0 / 6.0), Vector::Constant(6, 1.0 / 6.0)};
  const Matrix plan = planned(problem, {.blur = 0.002, .turns = 4000, .tolerance = 0.0});
  const Index partners[] = {3, 1, 5, 4, 0, 2};
  for (Index i = 0; i < 6; ++i) EXPECT_GT(6.0 * plan(i, partners[i]), 0.95) << i;
}

TEST(Sinkhorn, IsFiniteForBlursThatPlainFactorsCannotExpress) {
  const Problem problem = random_problem(30, 30);
  const Matrix plan = planned(problem, {.blur = 0.001, .turns = 300, .tolerance = 0.0});
  EXPECT_TRUE(plan.allFinite());
  EXPECT_NEAR(plan.sum(), 1.0, 1e-4);
}

TEST(Sinkhorn, WithAReachEqualsAPlainImplementationAndLosesWhatHasNoCounterpart) {
  // Squared distances of two samples, a third of the second far from all of the first.
  Random random(1, "reach");
  const Vector x = random.normals(30, 1);
  Vector y = random.normals(30, 1);
  y.tail(10).array() += 30.0;
  const Matrix distances = (x.replicate(1, 30) - y.transpose().replicate(30, 1)).cwiseAbs2();
  const Vector uniform = Vector::Constant(30, 1.0 / 30.0);
  const Problem problem{-distances, uniform, uniform};
  const SinkhornOptions options{.blur = 0.05, .turns = 200, .reach = 0.2};
  const Matrix plan = planned(problem, options);
  EXPECT_LT((plan - plain_plan(problem.similarities, uniform, uniform, 0.05, 200, 0.2)).cwiseAbs().sum(), 5e-3);
  EXPECT_LT(plan.rightCols(10).sum(), 0.05);
  EXPECT_GT(plan.leftCols(20).sum(), 0.5);
}

// However far the reach: else tables of many rows would couple more than there is.
TEST(Sinkhorn, CouplesNoMoreThanThereIsWhereNoSimilarityIsPositive) {
  for (const Index rows : {30, 500}) {
    Random random(1, "mass");
    const Vector x = random.normals(rows, 1), y = random.normals(rows, 1),
                 uniform = Vector::Constant(rows, 1.0 / static_cast<double>(rows));
    const Problem problem{-(x.replicate(1, rows) - y.transpose().replicate(rows, 1)).cwiseAbs2(), uniform, uniform};
    double before = 0.0;
    for (const double reach : {0.01, 0.1, 1.0, 10.0}) {
      const double mass = planned(problem, {.turns = 500, .reach = reach}).sum();
      EXPECT_LT(mass, 1.0) << rows << " rows, reach " << reach;
      EXPECT_GT(mass, before) << rows << " rows, reach " << reach;
      before = mass;
    }
    EXPECT_GT(before, 0.98) << rows;
  }
}

TEST(Sinkhorn, GoesOnFromAPlanForNearlyTheSameSimilarities) {
  const Problem problem = random_problem(40, 30);
  const FloatVector a = problem.a.cast<float>(), b = problem.b.cast<float>();
  const SinkhornOptions exact{.blur = 0.1, .turns = 2000, .tolerance = 1e-5};
  const FloatMatrix similar = problem.similarities.cast<float>();
  const FloatMatrix nearly = similar + 0.02F * Random(4, "other").normals(40, 30).cast<float>();
  const FloatVector before = sinkhorn(similar, a, b, exact).logarithms;
  const FloatMatrix cold = sinkhorn(nearly, a, b, exact).entries();
  EXPECT_LT((sinkhorn(nearly, a, b, exact, before).entries() - cold).cwiseAbs().sum(), 1e-3F);
  // Few turns lead nearer from there than from nothing.
  const SinkhornOptions few{.blur = 0.1, .turns = 3, .tolerance = 0.0};
  const float from_before = (sinkhorn(nearly, a, b, few, before).entries() - cold).cwiseAbs().sum();
  EXPECT_LT(from_before, 0.2F * (sinkhorn(nearly, a, b, few).entries() - cold).cwiseAbs().sum());
  // And where the similarities are quite others, it arrives too.
  const FloatMatrix others = Random(5, "others").normals(40, 30).cast<float>();
  EXPECT_LT((sinkhorn(others, a, b, exact, 5.0F * before).entries() - sinkhorn(others, a, b, exact).entries())
                .cwiseAbs()
                .sum(),
            2e-3F);
}

TEST(Plan, AddsUpBetweenWithoutBeingWrittenDown) {
  const Problem problem = random_problem(20, 15);
  Random random(2, "scores");
  const FloatMatrix x = random.normals(20, 3).cast<float>(), y = random.normals(15, 2).cast<float>();
  const Plan plan = sinkhorn(problem.similarities.cast<float>(), problem.a.cast<float>(), problem.b.cast<float>(), {});
  const Matrix direct = x.cast<double>().transpose() * plan.entries().cast<double>() * y.cast<double>();
  EXPECT_LT((plan.between(x, y) - direct).norm(), 1e-5);
}

TEST(Sinkhorn, SpreadsEvenlyWhereAllIsAlike) {
  const Problem problem{Matrix::Zero(4, 5), Vector::Constant(4, 0.25), Vector::Constant(5, 0.2)};
  EXPECT_LT((planned(problem, {}) - Matrix::Constant(4, 5, 0.05)).norm(), 1e-6);
}

}  // namespace
