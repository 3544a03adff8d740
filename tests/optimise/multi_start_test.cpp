#include "optimise/multi_start.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <thread>

#include "cda/error.hpp"
#include "support/problems.hpp"

namespace cda {
namespace {

std::vector<Vector> random_starts(const Problem& problem, int count) {
  Random random(3, "starts");
  std::vector<Vector> starts;
  for (int i = 0; i < count; ++i) starts.push_back(problem.manifold->random_point(random));
  return starts;
}

TEST(MultiStart, GivesTheSameResultOnAnyNumberOfThreads) {
  const Problem problem = problems::two_spheres(8, 6, 1.0, false, 5);
  const auto starts = random_starts(problem, 30);
  const auto optimiser = optimisers().make("lbfgs");
  const MultiStartResult one = multi_start(problem, starts, *optimiser, Executor(1), {.refined = 6});
  ASSERT_EQ(one.refined.size(), 6u);
  for (const int threads : {2, 3}) {
    const MultiStartResult other = multi_start(problem, starts, *optimiser, Executor(threads), {.refined = 6});
    ASSERT_EQ(other.refined.size(), one.refined.size());
    EXPECT_EQ(other.evaluations, one.evaluations);
    for (std::size_t i = 0; i < one.refined.size(); ++i) {
      EXPECT_EQ(other.refined[i].start, one.refined[i].start);
      EXPECT_EQ(other.refined[i].outcome.point, one.refined[i].outcome.point);
    }
  }
}

TEST(MultiStart, SortsByValueAndCountsAllEvaluations) {
  Problem problem = problems::two_spheres(8, 6, 1.0, false, 5);
  std::atomic<int> calls = 0;
  problem.value = [&calls, value = problem.value](const Vector& x, Vector* gradient) {
    ++calls;
    return value(x, gradient);
  };
  const auto optimiser = optimisers().make("lbfgs");
  const MultiStartResult result =
      multi_start(problem, random_starts(problem, 30), *optimiser, Executor(2), {.refined = 6});
  EXPECT_EQ(result.evaluations, calls);
  for (std::size_t i = 1; i < result.refined.size(); ++i)
    EXPECT_LE(result.refined[i - 1].outcome.value, result.refined[i].outcome.value);
  EXPECT_EQ(result.best().value, result.refined.front().outcome.value);
}

TEST(MultiStart, RefinesDifferentStartsOnly) {
  const problems::Known known = problems::sphere_quadratic(6);
  const Vector other = -known.start;
  Vector close = known.start + 0.01 * Vector::Unit(6, 2);
  const auto optimiser = optimisers().make("lbfgs");
  const MultiStartResult result =
      multi_start(known.problem, {known.start, close, known.start, other}, *optimiser, Executor(1), {.refined = 4});
  EXPECT_EQ(result.refined.size(), 2u);
}

TEST(MultiStart, SkipsStartsThatAreNotFinite) {
  problems::Known known = problems::sphere_quadratic(6);
  known.problem.value = [value = known.problem.value](const Vector& x, Vector* gradient) {
    const double result = value(x, gradient);
    return x(0) < 0.0 ? std::nan("") : result;
  };
  Vector bad = known.start, good = known.start;
  bad(0) = -std::abs(bad(0));
  good(0) = std::abs(good(0));
  const auto optimiser = optimisers().make("lbfgs");
  const MultiStartResult result =
      multi_start(known.problem, {bad, good, Vector::Constant(6, NAN)}, *optimiser, Executor(1), {});
  EXPECT_EQ(result.skipped, 2);
  ASSERT_EQ(result.refined.size(), 1u);
  EXPECT_EQ(result.refined[0].start, 1);

  const MultiStartResult none = multi_start(known.problem, {bad}, *optimiser, Executor(1), {});
  EXPECT_EQ(none.best().stopped, StopReason::not_finite);
  EXPECT_NE(none.best().why.find("any of the 1 start"), std::string::npos);
}

TEST(MultiStart, StopsAllSoonWhenTheObserverSaysSo) {
  const problems::Known known = problems::rosenbrock(10);
  Random random(4);
  std::vector<Vector> starts;
  for (int i = 0; i < 6; ++i) starts.push_back(random.normals(10, 1));
  int calls = 0;  // calls come one at a time, from whichever thread
  const auto optimiser = optimisers().make("natural_gradient");
  const MultiStartResult result = multi_start(known.problem, starts, *optimiser, Executor(3), {.refined = 6},
                                              [&](const Progress&) { return ++calls < 10; });
  EXPECT_TRUE(result.interrupted);
  EXPECT_EQ(calls, 10);
  for (const Refined& one : result.refined) EXPECT_EQ(one.outcome.stopped, StopReason::interrupted);
}

// A value that takes longer than anybody should have to wait before being asked.
Problem costly(Problem problem, std::atomic<int>& values) {
  problem.value = [value = problem.value, &values](const Vector& point, Vector* gradient) {
    ++values;
    std::this_thread::sleep_for(std::chrono::milliseconds(120));
    return value(point, gradient);
  };
  return problem;
}

TEST(MultiStart, StopsWhileItLooksAtCostlyStarts) {
  std::atomic<int> values{0};
  const problems::Known known = problems::sphere_quadratic(6);
  const Problem problem = costly(known.problem, values);
  const std::vector<Vector> starts = random_starts(problem, 50);
  for (const int threads : {1, 2}) {
    values = 0;
    const MultiStartResult result = multi_start(problem, starts, *optimisers().make("lbfgs"), Executor(threads),
                                                {.refined = 6}, [](const Progress&) { return false; });
    EXPECT_TRUE(result.interrupted);
    EXPECT_LE(values, threads);  // those under way when the observer was first asked
  }
}

TEST(MultiStart, StopsInsideACostlyLineSearch) {
  // Every point but the start is far too high: a search for a step tries some dozen lengths.
  Problem problem = problems::sphere_quadratic(6).problem;
  const Vector start = random_starts(problem, 1).front();
  problem.value = [value = problem.value, start](const Vector& point, Vector* gradient) {
    return value(point, gradient) + ((point - start).norm() > 1e-12 ? 1e3 : 0.0);
  };
  std::atomic<int> values{0};
  int asked = 0;
  const Outcome outcome = optimisers().make("lbfgs")->minimise(costly(problem, values), start, {},
                                                               [&](const Progress&) { return ++asked < 3; });
  EXPECT_EQ(outcome.stopped, StopReason::interrupted) << outcome.why;
  EXPECT_EQ(outcome.iterations, 0);
  EXPECT_LE(values, 3);
  EXPECT_EQ(asked, 3);
}

TEST(MultiStart, IsEnoughInsideACostlyLineSearchToo) {
  std::atomic<int> values{0};
  const problems::Known known = problems::rosenbrock(10);
  Stopping stopping;
  stopping.enough = [&values]() -> std::string { return values >= 3 ? "time limit" : ""; };
  const Outcome outcome = optimisers().make("lbfgs")->minimise(costly(known.problem, values), known.start, stopping);
  EXPECT_EQ(outcome.stopped, StopReason::enough);
  EXPECT_EQ(outcome.why, "time limit");
  EXPECT_EQ(values, 3);
}

TEST(MultiStart, RefusesAnEmptyList) {
  const problems::Known known = problems::sphere_quadratic(6);
  EXPECT_THROW(multi_start(known.problem, {}, *optimisers().make("lbfgs"), Executor(1), {}), Error);
}

}  // namespace
}  // namespace cda
