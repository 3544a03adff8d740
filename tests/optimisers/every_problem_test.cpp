// Every optimiser on every problem that knows its optimum; and what each owes its caller besides.
#include <gtest/gtest.h>

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
    RecordProperty(known.name, std::to_string(outcome.iterations) + " iterations, " + std::to_string(outcome.evaluations) + " evaluations, " + outcome.why);
  }
}

}  // namespace
}  // namespace cda
