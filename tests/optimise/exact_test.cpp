#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <cmath>

#include "cda/error.hpp"
#include "support/problems.hpp"

namespace cda {
namespace {

Outcome solve(const Problem& problem) {
  return optimisers().make("exact")->minimise(problem, Vector::Zero(problem.quadratic->matrix.rows()), {});
}

Problem of_matrix(const Matrix& m, Index x_size) {
  Problem problem;
  problem.manifold = product({sphere(x_size), sphere(m.rows() - x_size)});
  problem.value = [m](const Vector& z, Vector* gradient) {
    if (gradient) *gradient = 2.0 * m * z;
    return z.dot(m * z);
  };
  problem.quadratic = QuadraticForm{m, x_size};
  return problem;
}

// The gap is measured against the value: 1e-8 of it, the promise of the optimiser.
void expect_closed(const Outcome& outcome) {
  ASSERT_TRUE(outcome.lower_bound.has_value());
  EXPECT_EQ(outcome.stopped, StopReason::exact) << outcome.why;
  EXPECT_LE(*outcome.lower_bound, outcome.value + 1e-13 * std::abs(outcome.value));
  EXPECT_LE(outcome.value - *outcome.lower_bound, 1e-8 * std::abs(outcome.value)) << outcome.why;
}

TEST(Exact, ClosesTheGapOnRandomProblemsOfManySizes) {
  for (const auto& [m, l] : {std::pair<Index, Index>{1, 2}, {2, 1}, {2, 2}, {3, 7}, {10, 10}, {25, 4}, {40, 30}})
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
      SCOPED_TRACE(testing::Message() << m << " x " << l << ", seed " << seed);
      const Problem problem = problems::two_spheres(m, l, 1.0, false, seed);
      const Outcome outcome = solve(problem);
      expect_closed(outcome);
      EXPECT_NEAR(outcome.point.head(m).norm(), 1.0, 1e-14);
      EXPECT_NEAR(outcome.point.tail(l).norm(), 1.0, 1e-14);
      EXPECT_EQ(outcome.value, problem.value(outcome.point, nullptr));
    }
}

TEST(Exact, ClosesTheGapWhereVariancesSpanSixOrdersOfMagnitude) {
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    SCOPED_TRACE(seed);
    const Outcome outcome = solve(problems::two_spheres(20, 15, 6.0, false, seed));
    ASSERT_TRUE(outcome.lower_bound.has_value());
    EXPECT_EQ(outcome.stopped, StopReason::exact) << outcome.why;
  }
}

TEST(Exact, TakesTheLowestEigenvectorsOfTheBlocksOnCentredData) {
  const Problem problem = problems::two_spheres(8, 5, 1.0, true, 3);
  const Matrix& m = problem.quadratic->matrix;
  const Eigen::SelfAdjointEigenSolver<Matrix> x(m.topLeftCorner(8, 8)), y(m.bottomRightCorner(5, 5));
  const Outcome outcome = solve(problem);
  expect_closed(outcome);
  EXPECT_NEAR(outcome.value, x.eigenvalues()(0) + y.eigenvalues()(0), 1e-12);
  EXPECT_NEAR(std::abs(outcome.point.head(8).dot(x.eigenvectors().col(0))), 1.0, 1e-9);
  EXPECT_NEAR(std::abs(outcome.point.tail(5).dot(y.eigenvectors().col(0))), 1.0, 1e-9);
}

TEST(Exact, SolvesTheSmallestProblemByItsClosedForm) {
  Matrix m(2, 2);
  m << 3.0, 0.7, 0.7, 5.0;
  const Outcome outcome = solve(of_matrix(m, 1));
  expect_closed(outcome);
  EXPECT_NEAR(outcome.value, 3.0 + 5.0 - 2.0 * 0.7, 1e-13);
  EXPECT_EQ(outcome.point, (Vector(2) << 1.0, -1.0).finished());
}

TEST(Exact, CopesWithLowestEigenvaluesOfAnyMultiplicity) {
  // The identity (every pair is optimal), a zero form, and a lowest space of 3 + 2 dimensions.
  expect_closed(solve(of_matrix(Matrix::Identity(7, 7), 3)));
  EXPECT_NEAR(solve(of_matrix(Matrix::Identity(7, 7), 3)).value, 2.0, 1e-13);
  const Outcome zero = solve(of_matrix(Matrix::Zero(5, 5), 2));
  EXPECT_EQ(zero.value, 0.0);
  EXPECT_EQ(zero.stopped, StopReason::exact) << zero.why;
  Vector diagonal(9);
  diagonal << 1.0, 1.0, 1.0, 4.0, 5.0, 2.0, 2.0, 8.0, 9.0;
  const Outcome several = solve(of_matrix(diagonal.asDiagonal(), 5));
  expect_closed(several);
  EXPECT_NEAR(several.value, 3.0, 1e-12);
  // Both roots of q = 0 must be tried: the coupling decides the sign, here through a lowest space with both.
  Matrix coupled = Matrix::Identity(6, 6);
  coupled.topRightCorner(3, 3) = 0.5 * Matrix::Identity(3, 3);
  coupled.bottomLeftCorner(3, 3) = 0.5 * Matrix::Identity(3, 3);
  const Outcome pairs = solve(of_matrix(coupled, 3));
  expect_closed(pairs);
  EXPECT_NEAR(pairs.value, 1.0, 1e-12);  // u = -v
}

TEST(Exact, SolvesFormsThatAreNotDefinite) {
  Random random(9, "indefinite");
  for (int i = 0; i < 10; ++i) {
    const Matrix drawn = random.normals(11, 11);
    expect_closed(solve(of_matrix(drawn + drawn.transpose(), 6)));
  }
}

TEST(Exact, IsNeverBeatenByDescent) {
  const Problem problem = problems::two_spheres(12, 9, 2.0, false, 11);
  const Outcome exact = solve(problem);
  const auto lbfgs = optimisers().make("lbfgs");
  Random random(1, "starts");
  double best = INFINITY;
  for (int i = 0; i < 50; ++i) {
    const double value = lbfgs->minimise(problem, problem.manifold->random_point(random), {}).value;
    EXPECT_GE(value, *exact.lower_bound);
    best = std::min(best, value);
  }
  EXPECT_NEAR(best, exact.value, 1e-7 * std::abs(exact.value));  // descent finds it too, from one start or another
}

TEST(Exact, RefusesObjectivesThatAreNotQuadratic) {
  const problems::Known known = problems::rosenbrock(4);
  const auto exact = optimisers().make("exact");
  EXPECT_TRUE(exact->needs_quadratic_form());
  try {
    exact->minimise(known.problem, known.start, {});
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), Fault::usage);
    EXPECT_NE(error.hint().find("natural_gradient"), std::string::npos);
  }
}

TEST(Exact, SaysThatAFormIsNotFinite) {
  Matrix m = Matrix::Identity(4, 4);
  m(1, 2) = std::nan("");
  EXPECT_EQ(solve(of_matrix(m, 2)).stopped, StopReason::not_finite);
}

TEST(Exact, NoticesAFormThatIsNotTheObjective) {
  Problem problem = of_matrix(Matrix::Identity(4, 4), 2);
  problem.value = [](const Vector&, Vector*) { return 17.0; };
  EXPECT_THROW(solve(problem), Error);
}

TEST(Exact, ScalesWithItsForm) {
  const Problem plain = problems::two_spheres(6, 5, 1.0, false, 2);
  const double value = solve(plain).value;
  for (const double scale : {1e-12, 1e12}) {
    const Outcome outcome = solve(of_matrix(scale * plain.quadratic->matrix, 6));
    expect_closed(outcome);
    EXPECT_NEAR(outcome.value, scale * value, 1e-12 * scale);
  }
}

}  // namespace
}  // namespace cda
