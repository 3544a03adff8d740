#include "optimise/line_search.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

namespace cda {
namespace {

using Curve = std::function<double(double t, double* slope)>;

// A function of one number, searched from 0 to the right.
struct Searched {
  Step step;
  int evaluations;
};

Searched search(const Curve& f, double first, const StepRule& rule,
                double longest = std::numeric_limits<double>::infinity()) {
  Problem problem;
  problem.manifold = euclidean(1);
  problem.value = [&](const Vector& x, Vector* gradient) {
    double slope = 0.0;
    const double value = f(x(0), &slope);
    if (gradient) (*gradient)(0) = slope;
    return value;
  };
  Objective objective(problem);
  Iterate at;
  objective.evaluate(Vector::Zero(1), at);
  const auto curve = [](double t) { return Vector(Vector::Constant(1, t)); };
  Step step = rule({objective, at, curve, 1.0, at.gradient(0), first, longest});
  return {std::move(step), objective.evaluations()};
}

std::vector<std::pair<std::string, StepRule>> rules() {
  return {{"armijo", armijo},
          {"strong_wolfe .9", [](const Line& line) { return strong_wolfe(line, 0.9); }},
          {"strong_wolfe .1", [](const Line& line) { return strong_wolfe(line, 0.1); }},
          {"nelder_mead", nelder_mead}};
}

double parabola(double t, double* slope) {  // lowest at 3
  *slope = 2.0 * (t - 3.0);
  return (t - 3.0) * (t - 3.0);
}

TEST(LineSearch, DecreasesEnoughFromAnyFirstLength) {
  for (const auto& [name, rule] : rules())
    for (const double first : {1e-6, 1e-2, 1.0, 5.9, 1e3, 1e9}) {
      const auto [step, evaluations] = search(parabola, first, rule);
      ASSERT_TRUE(step.found) << name << " from " << first;
      EXPECT_LE(step.reached.value, 9.0 - 1e-4 * 6.0 * step.length) << name << " from " << first;
      EXPECT_LT(evaluations, 70);
    }
}

TEST(StrongWolfe, MeetsBothConditionsOnSmoothFunctions) {
  const Curve quartic = [](double t, double* slope) {  // lowest at 2, flat there
    *slope = 4.0 * std::pow(t - 2.0, 3) - 1.0 / ((1.0 + t) * (1.0 + t));
    return std::pow(t - 2.0, 4) + 1.0 / (1.0 + t);
  };
  for (const Curve& f : {Curve(parabola), quartic})
    for (const double first : {1e-4, 0.1, 1.0, 3.5, 50.0}) {
      const auto [step, evaluations] = search(f, first, [](const Line& line) { return strong_wolfe(line, 0.1); });
      double start_slope = 0.0, slope = 0.0;
      f(0.0, &start_slope);
      f(step.length, &slope);
      ASSERT_TRUE(step.found);
      EXPECT_LE(std::abs(slope), 0.1 * std::abs(start_slope)) << "from " << first;
    }
}

// Lowest at a kink: the slope jumps from -1 to +2 and is nowhere small.
TEST(LineSearch, TakesTheBestPointWhereTheSlopeJumps) {
  const Curve corner = [](double t, double* slope) {
    *slope = t < 1.0 ? -1.0 : 2.0;
    return t < 1.0 ? 1.0 - t : 2.0 * (t - 1.0);
  };
  for (const auto& [name, rule] : rules()) {
    const auto [step, evaluations] = search(corner, 0.3, rule);
    ASSERT_TRUE(step.found) << name;
    EXPECT_LT(step.reached.value, 0.71) << name;
    EXPECT_LT(evaluations, 40) << name;
  }
}

// Concave kinks, as sorting makes them: the slope falls at once from -0.5 to -2, then a parabola.
TEST(LineSearch, PassesConcaveKinks) {
  const Curve roof = [](double t, double* slope) {
    const double a = 4.0 - 0.5 * t, b = (t - 3.0) * (t - 3.0);
    *slope = a < b ? -0.5 : 2.0 * (t - 3.0);
    return std::min(a, b);
  };
  for (const auto& [name, rule] : rules()) {
    const auto [step, evaluations] = search(roof, 0.5, rule);
    ASSERT_TRUE(step.found) << name;
    EXPECT_LT(step.reached.value, 4.0) << name;
  }
}

TEST(LineSearch, ShrinksTheStepWhereValuesAreNotFinite) {
  const Curve wall = [](double t, double* slope) {  // not defined from 0.01 on
    *slope = -1.0;
    return t < 0.01 ? -t : std::nan("");
  };
  for (const auto& [name, rule] : rules()) {
    const auto [step, evaluations] = search(wall, 10.0, rule);
    ASSERT_TRUE(step.found) << name;
    EXPECT_LT(step.length, 0.01) << name;
    EXPECT_GT(step.length, 0.0001) << name;
  }
}

TEST(LineSearch, GoesNoFurtherThanTheLongestStep) {
  const Curve slide = [](double t, double* slope) {
    *slope = -1.0;
    return -t;
  };
  for (const auto& [name, rule] : rules()) {
    const auto [step, evaluations] = search(slide, 1.0, rule, 2.5);
    ASSERT_TRUE(step.found) << name;
    EXPECT_LE(step.length, 2.5) << name;
  }
}

TEST(LineSearch, SaysWhatWasPromisedWhereNothingIsBetter) {
  const Curve wrong = [](double t, double* slope) {  // the slope has the wrong sign
    *slope = -1.0;
    return t;
  };
  const Curve flat = [](double t, double* slope) {  // a decrease of 1e-20 under a value of 1
    *slope = 2.0 * (t - 1e-10);
    return 1.0 + (t - 1e-10) * (t - 1e-10);
  };
  for (const auto& [name, rule] : rules()) {
    EXPECT_FALSE(search(wrong, 1.0, rule).step.found) << name;
    EXPECT_GT(search(wrong, 1.0, rule).step.promised, 0.01) << name;
    EXPECT_FALSE(search(flat, 1.0, rule).step.found) << name;
    EXPECT_LT(search(flat, 1.0, rule).step.promised, 1e-15) << name;
  }
}

TEST(NelderMead, UsesFewValuesAndComesCloseToTheLowestPoint) {
  const auto [step, evaluations] = search(parabola, 0.5, nelder_mead);
  ASSERT_TRUE(step.found);
  EXPECT_NEAR(step.length, 3.0, 0.05);
  EXPECT_LE(evaluations, 32);  // 30, the start, and the gradient at the end
}

}  // namespace
}  // namespace cda
