// Every optimiser on every problem that knows its optimum; and what each owes its caller besides.
#include <gtest/gtest.h>

#include <cctype>
#include <cmath>
#include <limits>

#include "cda/error.hpp"
#include "support/problems.hpp"

namespace cda {
namespace {

std::vector<std::string> descents() {
  std::vector<std::string> names;
  for (const std::string& name : optimisers().names())
    if (!optimisers().make(name)->needs_quadratic_form()) names.push_back(name);
  names.push_back("natural_gradient:step=nelder_mead");
  return names;
}

class EveryOptimiser : public testing::TestWithParam<std::string> {
 protected:
  std::unique_ptr<Optimiser> optimiser() const { return optimisers().make(GetParam()); }
};

std::string readable(const testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  return name;
}

INSTANTIATE_TEST_SUITE_P(Catalogue, EveryOptimiser, testing::ValuesIn(descents()), readable);

TEST_P(EveryOptimiser, FindsEveryKnownOptimum) {
  for (const problems::Known& known : problems::all()) {
    SCOPED_TRACE(known.name);
    // Straight down with exact steps crawls along a curved valley: that is the method, not a mistake.
    if (GetParam().find("nelder_mead") != std::string::npos && known.name.find("rosenbrock") == 0) continue;
    Stopping stopping;
    stopping.iterations = known.iterations;
    stopping.decrease_tolerance = 1e-14;  // to the bottom: the rule for small decreases has a test of its own
    const Outcome outcome = optimiser()->minimise(known.problem, known.start, stopping);
    EXPECT_TRUE(converged(outcome.stopped)) << outcome.why;
    EXPECT_NEAR(outcome.value, known.optimum, known.tolerance) << outcome.why;
    const Vector off = known.problem.manifold->residual(outcome.point);
    if (off.size() > 0) {
      EXPECT_LT(off.lpNorm<Eigen::Infinity>(), 1e-11);  // the answer is on the set, whatever the way
    }
    EXPECT_EQ(outcome.value, known.problem.value(outcome.point, nullptr));
    EXPECT_LE(outcome.trace.size(), 200u);
    EXPECT_EQ(outcome.trace.front().iteration, 0);
    EXPECT_EQ(outcome.trace.back().iteration, outcome.iterations);
  }
}

// Five decreases of less than 1e-9 leave at most a few hundred times that below the value of a slow method.
TEST_P(EveryOptimiser, StopsNearTheOptimumByTheUsualRules) {
  for (const problems::Known& known : {problems::sphere_quadratic(12), problems::brockett(8, 3)}) {
    SCOPED_TRACE(known.name);
    const Outcome outcome = optimiser()->minimise(known.problem, known.start, {});
    EXPECT_TRUE(converged(outcome.stopped)) << outcome.why;
    EXPECT_NEAR(outcome.value, known.optimum, 3e-7 * known.optimum) << outcome.why;
  }
}

TEST_P(EveryOptimiser, GivesTheSameBitsAgain) {
  for (const problems::Known& known : {problems::brockett(8, 3), problems::sorted_samples(60, 4)}) {
    const Outcome once = optimiser()->minimise(known.problem, known.start, {});
    const Outcome again = optimiser()->minimise(known.problem, known.start, {});
    EXPECT_EQ(once.point, again.point);
    EXPECT_EQ(once.value, again.value);
    EXPECT_EQ(once.evaluations, again.evaluations);
    EXPECT_EQ(once.why, again.why);
  }
}

TEST_P(EveryOptimiser, CountsEveryEvaluation) {
  problems::Known known = problems::brockett(8, 3);
  int calls = 0;
  known.problem.value = [&calls, value = known.problem.value](const Vector& x, Vector* gradient) {
    ++calls;
    return value(x, gradient);
  };
  EXPECT_EQ(optimiser()->minimise(known.problem, known.start, {}).evaluations, calls);
}

TEST_P(EveryOptimiser, SaysThatTheIterationLimitWasReached) {
  const problems::Known known = problems::rosenbrock(10);
  Stopping stopping;
  stopping.iterations = 3;
  const Outcome outcome = optimiser()->minimise(known.problem, known.start, stopping);
  EXPECT_EQ(outcome.stopped, StopReason::iteration_limit);
  EXPECT_EQ(outcome.iterations, 3);
  EXPECT_NE(outcome.why.find("limit of 3 iterations"), std::string::npos) << outcome.why;
  EXPECT_LT(outcome.value, known.problem.value(known.start, nullptr));  // what was gained is kept
}

TEST_P(EveryOptimiser, StopsWhenTheObserverSaysSo) {
  const problems::Known known = problems::rosenbrock(10);
  const Outcome outcome = optimiser()->minimise(known.problem, known.start, {},
                                                [](const Progress& progress) { return progress.iteration < 2; });
  EXPECT_EQ(outcome.stopped, StopReason::interrupted);
  EXPECT_EQ(outcome.iterations, 2);
  EXPECT_NE(outcome.why.find("stopped by the caller after 2 iterations"), std::string::npos) << outcome.why;
}

TEST_P(EveryOptimiser, SaysThatTheStartIsNotFinite) {
  problems::Known known = problems::sphere_quadratic(4);
  Problem nowhere = known.problem;
  nowhere.value = [](const Vector&, Vector* gradient) {
    if (gradient) gradient->setZero();
    return std::numeric_limits<double>::infinity();
  };
  Outcome outcome = optimiser()->minimise(nowhere, known.start, {});
  EXPECT_EQ(outcome.stopped, StopReason::not_finite);
  EXPECT_NE(outcome.why.find("value at the start is not a finite number"), std::string::npos) << outcome.why;

  nowhere.value = [](const Vector&, Vector* gradient) {
    if (gradient) gradient->setConstant(std::nan(""));
    return 1.0;
  };
  outcome = optimiser()->minimise(nowhere, known.start, {});
  EXPECT_EQ(outcome.stopped, StopReason::not_finite);
  EXPECT_NE(outcome.why.find("gradient at the start"), std::string::npos) << outcome.why;

  known.start(1) = std::nan("");
  outcome = optimiser()->minimise(known.problem, known.start, {});
  EXPECT_EQ(outcome.stopped, StopReason::not_finite);
  EXPECT_NE(outcome.why.find("start has entries"), std::string::npos) << outcome.why;
}

// x - log x is not defined left of 0, where the first steps from 10 lead.
TEST_P(EveryOptimiser, TurnsBackWhereTheValueIsNotDefined) {
  Problem barrier;
  barrier.manifold = euclidean(2);
  barrier.value = [](const Vector& x, Vector* gradient) {
    if (gradient) *gradient = 50.0 * (1.0 - x.array().inverse());
    return 50.0 * (x.array() - x.array().log()).sum();
  };
  const Outcome outcome = optimiser()->minimise(barrier, Vector::Constant(2, 0.01), {});
  EXPECT_TRUE(converged(outcome.stopped)) << outcome.why;
  EXPECT_NEAR(outcome.value, 100.0, 1e-5);
}

TEST_P(EveryOptimiser, StaysWhereThereIsNothingToMoveAlong) {
  Problem problem;
  problem.manifold = product({sphere(1), sphere(1)});
  problem.value = [](const Vector& x, Vector* gradient) {
    if (gradient) gradient->setOnes();
    return x.sum();
  };
  const Vector start = Vector::Ones(2);
  const Outcome outcome = optimiser()->minimise(problem, start, {});
  EXPECT_EQ(outcome.stopped, StopReason::gradient) << outcome.why;
  EXPECT_EQ(outcome.point, start);
}

TEST_P(EveryOptimiser, MovesTheOtherFactorWhereOneIsASinglePoint) {
  const problems::Known inner = problems::sphere_quadratic(5);
  Problem problem;
  problem.manifold = product({sphere(1), inner.problem.manifold});
  problem.value = [inner](const Vector& x, Vector* gradient) {
    Vector part;
    const double value = inner.problem.value(x.tail(5), gradient ? &part : nullptr);
    if (gradient) *gradient << value, part;
    return x(0) * value;
  };
  Vector start(6);
  start << 1.0, inner.start;
  const Outcome outcome = optimiser()->minimise(problem, start, {});
  EXPECT_NEAR(outcome.value, inner.optimum, 1e-6) << outcome.why;
  EXPECT_NEAR(outcome.point(0), 1.0, 1e-12);
}

// A value flat but for rounding at its minimum: a tolerance that cannot be met must not end as a failure.
TEST_P(EveryOptimiser, TakesTheLimitOfRoundingForConvergence) {
  const problems::Known known = problems::sphere_quadratic(12);
  Stopping stopping;
  stopping.gradient_tolerance = 0.0;
  stopping.decrease_tolerance = 0.0;
  stopping.iterations = 2000;
  const Outcome outcome = optimiser()->minimise(known.problem, known.start, stopping);
  EXPECT_EQ(outcome.stopped, StopReason::decrease) << outcome.why;
  EXPECT_NEAR(outcome.value, known.optimum, 1e-12);
}

TEST_P(EveryOptimiser, ReportsAGradientThatPointsUphill) {
  problems::Known known = problems::sphere_quadratic(6);
  known.problem.value = [value = known.problem.value](const Vector& x, Vector* gradient) {
    const double result = value(x, gradient);
    if (gradient) *gradient *= -1.0;
    return result;
  };
  Stopping stopping;
  stopping.iterations = 50;
  const Outcome outcome = optimiser()->minimise(known.problem, known.start, stopping);
  EXPECT_FALSE(outcome.stopped == StopReason::gradient) << outcome.why;
  EXPECT_LE(outcome.value, known.problem.value(known.start, nullptr));
}

TEST_P(EveryOptimiser, RefusesAStartOfTheWrongSize) {
  const problems::Known known = problems::sphere_quadratic(6);
  try {
    optimiser()->minimise(known.problem, Vector::Ones(5), {});
    FAIL() << "a start of 5 numbers was taken for a problem of 6";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), "optimiser.start");
  }
}

TEST_P(EveryOptimiser, BringsAStartOffTheSetOntoIt) {
  const problems::Known known = problems::brockett(6, 2);
  const Outcome outcome = optimiser()->minimise(known.problem, 3.0 * known.start, {});
  EXPECT_NEAR(outcome.value, known.optimum, 1e-5) << outcome.why;
  EXPECT_LT(known.problem.manifold->residual(outcome.point).lpNorm<Eigen::Infinity>(), 1e-11);
}

TEST_P(EveryOptimiser, LetsTheObjectivesOwnErrorThrough) {
  problems::Known known = problems::sphere_quadratic(6);
  int calls = 0;
  known.problem.value = [&calls, value = known.problem.value](const Vector& x, Vector* gradient) {
    if (++calls == 5) throw Error(Fault::input, "test.fifth", "the fifth call");
    return value(x, gradient);
  };
  try {
    optimiser()->minimise(known.problem, known.start, {});
    FAIL() << "the objective's error was swallowed";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), "test.fifth");
  }
}

}  // namespace
}  // namespace cda
