#include "optimise/stopping.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <nlopt.hpp>

#include "support/problems.hpp"

namespace cda {
namespace {

Iterate at(double value, double gradient_norm) {
  Iterate iterate;
  iterate.point = Vector::Zero(1);
  iterate.value = value;
  iterate.gradient_norm = gradient_norm;
  return iterate;
}

TEST(Stopping, SaysThatTheGradientVanishedWithItsFigures) {
  const Stopping stopping;
  const Observer nobody;
  Watch watch(stopping, nobody);
  EXPECT_FALSE(watch.stop_at_start(at(2.0, 1.0), true));
  EXPECT_TRUE(watch.stop(at(1.0, 3.1e-8)));
  const Outcome outcome = std::move(watch).outcome(at(1.0, 3.1e-8), 2);
  EXPECT_EQ(outcome.why, "the gradient vanished: 3.1e-08 after 1 iteration");
  EXPECT_EQ(outcome.stopped, StopReason::gradient);
  EXPECT_TRUE(converged(outcome.stopped));
}

TEST(Stopping, CountsSmallDecreasesInARow) {
  const Stopping stopping;
  const Observer nobody;
  Watch watch(stopping, nobody);
  double value = 1.0;
  EXPECT_FALSE(watch.stop_at_start(at(value, 1.0), true));
  for (int i = 0; i < 4; ++i) EXPECT_FALSE(watch.stop(at(value -= 1e-10, 1.0)));
  EXPECT_FALSE(watch.stop(at(value -= 0.1, 1.0)));  // a large one: counting begins again
  for (int i = 0; i < 4; ++i) EXPECT_FALSE(watch.stop(at(value -= 1e-10, 1.0)));
  EXPECT_TRUE(watch.stop(at(value -= 1e-10, 1.0)));
  EXPECT_EQ(std::move(watch).outcome(at(value, 1.0), 1).stopped, StopReason::decrease);
}

TEST(Stopping, MeasuresSmallProblemsInTheirOwnUnit) {
  const Stopping stopping;
  const Observer nobody;
  Watch small(stopping, nobody), usual(stopping, nobody);
  EXPECT_FALSE(small.stop_at_start(at(1e-9, 5e-8), true));  // an absolute 1e-7 would stop before the first step
  EXPECT_FALSE(usual.stop_at_start(at(100.0, 50.0), true));
  EXPECT_DOUBLE_EQ(small.unit(), 5e-8);
  EXPECT_DOUBLE_EQ(usual.unit(), 1.0);
}

TEST(Stopping, DistinguishesTheLimitOfRoundingFromAFailedSearch) {
  const Stopping stopping;
  const Observer nobody;
  Watch rounding(stopping, nobody), failed(stopping, nobody);
  rounding.stop_at_start(at(1.0, 1e-3), true);
  failed.stop_at_start(at(1.0, 1e-3), true);
  rounding.stuck(at(1.0, 1e-3), 1e-15);
  failed.stuck(at(1.0, 1e-3), 1e-6);
  EXPECT_EQ(std::move(rounding).outcome(at(1.0, 1e-3), 1).stopped, StopReason::decrease);
  const Outcome outcome = std::move(failed).outcome(at(1.0, 1e-3), 1);
  EXPECT_EQ(outcome.stopped, StopReason::line_search);
  EXPECT_FALSE(converged(outcome.stopped));
  EXPECT_NE(outcome.why.find("promised 1.0e-06"), std::string::npos) << outcome.why;
}

TEST(Stopping, KeepsAThinnedTraceWithBothEnds) {
  for (const int count : {0, 1, 198, 199, 200, 201, 1000, 12345}) {
    Stopping stopping;
    stopping.iterations = count;
    const Observer nobody;
    Watch watch(stopping, nobody);
    bool stop = watch.stop_at_start(at(1e6, 1.0), true);
    for (int i = 1; !stop; ++i) stop = watch.stop(at(1e6 - i, 1.0));
    const Outcome outcome = std::move(watch).outcome(at(0.0, 1.0), 1);
    EXPECT_EQ(outcome.iterations, count);
    ASSERT_LE(outcome.trace.size(), 200u) << count;
    if (count > 100) {
      EXPECT_GE(outcome.trace.size(), 90u) << count;
    }
    EXPECT_EQ(outcome.trace.front().iteration, 0);
    EXPECT_EQ(outcome.trace.back().iteration, count);
    for (std::size_t i = 1; i < outcome.trace.size(); ++i)
      EXPECT_LT(outcome.trace[i - 1].iteration, outcome.trace[i].iteration);
  }
}

TEST(Stopping, KnowsWhichReasonsAreConvergence) {
  for (const StopReason yes : {StopReason::gradient, StopReason::decrease, StopReason::exact})
    EXPECT_TRUE(converged(yes));
  for (const StopReason no :
       {StopReason::iteration_limit, StopReason::line_search, StopReason::not_finite, StopReason::interrupted})
    EXPECT_FALSE(converged(no));
}

// NLopt's own L-BFGS as an oracle: ours must need no more than twice as many evaluations for the same accuracy.
TEST(Lbfgs, NeedsNoMoreEvaluationsThanNloptWouldTwice) {
  const problems::Known known = problems::rosenbrock(10);
  struct Counted {
    const problems::Known& known;
    int calls = 0;
  } counted{known};
  nlopt::opt oracle(nlopt::LD_LBFGS, 10);
  oracle.set_min_objective(
      [](unsigned n, const double* x, double* gradient, void* data) {
        auto& shared = *static_cast<Counted*>(data);
        ++shared.calls;
        Vector g(n);
        const double value = shared.known.problem.value(Eigen::Map<const Vector>(x, n), &g);
        if (gradient) Eigen::Map<Vector>(gradient, n) = g;
        return value;
      },
      &counted);
  oracle.set_stopval(1e-12);
  std::vector<double> x(known.start.begin(), known.start.end());
  double reached = 0.0;
  oracle.optimize(x, reached);
  ASSERT_LE(reached, 1e-12);
  const Outcome ours = optimisers().make("lbfgs")->minimise(known.problem, known.start, {});
  EXPECT_LT(ours.value, 1e-12);
  EXPECT_LE(ours.evaluations, 2 * counted.calls);
}

}  // namespace
}  // namespace cda
