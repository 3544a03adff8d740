#include "cda/extend/manifold.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <unsupported/Eigen/MatrixFunctions>

#include "cda/error.hpp"
#include "cda/extend/optimiser.hpp"
#include "support/problems.hpp"

namespace cda {
namespace {

// Differences with a step of 1e-5 are good to about 1e-10; anything wrong is wrong by far more than 1e-8.
constexpr double agreement = 1e-8;

std::vector<std::pair<std::string, std::shared_ptr<const Manifold>>> sets() {
  return {{"euclidean 1", euclidean(1)},
          {"euclidean 7", euclidean(7)},
          {"sphere 1", sphere(1)},
          {"sphere 2", sphere(2)},
          {"sphere 9", sphere(9)},
          {"stiefel 1 1", stiefel(1, 1)},
          {"stiefel 5 1", stiefel(5, 1)},
          {"stiefel 8 3", stiefel(8, 3)},
          {"stiefel 5 4", stiefel(5, 4)},
          {"stiefel 4 4", stiefel(4, 4)},
          {"flat product", product({euclidean(3), euclidean(2)})},
          {"product", product({sphere(4), stiefel(5, 2), euclidean(3), sphere(1)})},
          {"nested product", product({product({sphere(3), sphere(2)}), euclidean(1)})}};
}

TEST(Manifold, ViewsOfEverySetAgree) {
  for (const auto& [name, set] : sets()) {
    Random random(1, name);
    for (int i = 0; i < 5; ++i) EXPECT_LT(check_manifold(*set, random), agreement) << name;
  }
}

TEST(Manifold, CheckerNoticesARetractionThatIgnoresItsStep) {
  class Lazy : public Manifold {
   public:
    Index size() const override { return 2; }
    Index dimension() const override { return 2; }
    Vector tangent(const Vector&, const Vector& g) const override { return g; }
    Vector retract(const Vector& x, const Vector&) const override { return x; }
    Vector nearest(const Vector& x) const override { return x; }
    Index constraints() const override { return 0; }
    Vector residual(const Vector&) const override { return Vector(0); }
    Matrix jacobian(const Vector&) const override { return Matrix(0, 2); }
    double longest_step() const override { return 1.0; }
    Vector random_point(Random& random) const override { return random.normals(2, 1); }
  };
  Random random(1);
  EXPECT_GT(check_manifold(Lazy(), random), 0.1);
}

TEST(Sphere, FollowsGreatCircles) {
  const Vector x = Vector::Unit(3, 0), d = std::numbers::pi / 2.0 * Vector::Unit(3, 1);
  EXPECT_LT((sphere(3)->retract(x, d) - Vector::Unit(3, 1)).norm(), 1e-15);
  EXPECT_LT((sphere(3)->retract(x, 2.0 * d) + x).norm(), 1e-15);  // half way round
  EXPECT_EQ(sphere(3)->longest_step(), std::numbers::pi);
}

TEST(Sphere, OfOneNumberIsTwoPoints) {
  const auto two = sphere(1);
  EXPECT_EQ(two->dimension(), 0);
  EXPECT_EQ(two->tangent(Vector::Ones(1), Vector::Constant(1, 5.0))(0), 0.0);
  EXPECT_EQ(two->nearest(Vector::Constant(1, -0.2))(0), -1.0);
  Random random(4);
  bool plus = false, minus = false;
  for (int i = 0; i < 50; ++i) (two->random_point(random)(0) > 0.0 ? plus : minus) = true;
  EXPECT_TRUE(plus && minus);
}

TEST(Sphere, NearestPointSurvivesZeroHugeAndNonFiniteInput) {
  EXPECT_EQ(sphere(3)->nearest(Vector::Zero(3)).norm(), 1.0);
  EXPECT_NEAR(sphere(3)->nearest(Vector::Constant(3, 1e300)).norm(), 1.0, 1e-15);
  EXPECT_NEAR(sphere(3)->nearest(Vector::Constant(3, 1e-300)).norm(), 1.0, 1e-15);
  EXPECT_FALSE(sphere(3)->nearest(Vector::Constant(3, std::nan(""))).allFinite());
}

// The generator form exp(-t (G U' - U G')) U, with the exponential of the full m x m matrix, as the oracle.
TEST(Stiefel, FollowsTheGeodesicOfItsNaturalGradient) {
  for (const auto& [m, r] : {std::pair<Index, Index>{7, 2}, {5, 3}, {5, 4}, {4, 4}, {6, 1}}) {
    Random random(5, "geodesic");
    const auto set = stiefel(m, r);
    const Vector point = set->random_point(random), gradient = random.normals(m * r, 1);
    const Matrix u = point.reshaped(m, r), g = gradient.reshaped(m, r);
    for (const double t : {1e-3, 0.4, 2.0}) {
      const Matrix generator = -t * (g * u.transpose() - u * g.transpose());
      const Matrix expected = generator.exp() * u;
      const Vector reached = set->retract(point, -t * set->natural(point, gradient));
      EXPECT_LT((reached - expected.reshaped()).norm(), 1e-12) << m << " x " << r << ", t = " << t;
    }
  }
}

TEST(Stiefel, WithOneColumnIsTheSphere) {
  Random random(6);
  const Vector x = sphere(5)->random_point(random), g = random.normals(5, 1);
  const Vector d = sphere(5)->tangent(x, g);
  EXPECT_LT((stiefel(5, 1)->tangent(x, g) - d).norm(), 1e-14);
  EXPECT_LT((stiefel(5, 1)->retract(x, d) - sphere(5)->retract(x, d)).norm(), 1e-14);
}

// The update as printed for rows, applied to columns, would not move one direction at all, nor the span of several.
TEST(Stiefel, NaturalGradientMovesTheSpanAndNotOnlyTheFrame) {
  Random random(7);
  const auto set = stiefel(6, 2);
  const Vector point = set->random_point(random);
  const Vector reached = set->retract(point, -0.5 * set->natural(point, random.normals(12, 1)));
  const Matrix before = point.reshaped(6, 2), after = reached.reshaped(6, 2);
  EXPECT_GT((before * before.transpose() - after * after.transpose()).norm(), 0.1);
}

TEST(Stiefel, StaysOrthonormalOverManySteps) {
  Random random(8);
  const auto set = stiefel(9, 4);
  Vector point = set->random_point(random);
  for (int i = 0; i < 2000; ++i) point = set->retract(point, set->tangent(point, 0.3 * random.normals(36, 1)));
  EXPECT_LT(set->residual(point).lpNorm<Eigen::Infinity>(), 1e-12);
}

TEST(Stiefel, NearestPointSurvivesRankDeficientAndNonFiniteInput) {
  const auto set = stiefel(5, 3);
  Matrix twice = Matrix::Zero(5, 3);
  twice.col(0).setOnes();
  twice.col(1).setOnes();
  for (const Matrix& any : {Matrix(Matrix::Zero(5, 3)), twice, Matrix(1e-200 * twice), Matrix(1e200 * twice)})
    EXPECT_LT(set->residual(set->nearest(any.reshaped())).lpNorm<Eigen::Infinity>(), 1e-13);
  EXPECT_FALSE(set->nearest(Vector::Constant(15, INFINITY)).allFinite());
  Random random(9);
  EXPECT_FALSE(set->retract(set->random_point(random), Vector::Constant(15, std::nan(""))).allFinite());
}

TEST(Product, TakesTheShortestOfTheLongestSteps) {
  EXPECT_EQ(product({euclidean(2), sphere(3)})->longest_step(), std::numbers::pi);
  EXPECT_EQ(product({euclidean(2), euclidean(3)})->longest_step(), std::numeric_limits<double>::infinity());
}

TEST(Manifold, RefusesSizesThatMakeNoSense) {
  EXPECT_THROW(sphere(0), Error);
  EXPECT_THROW(euclidean(-1), Error);
  EXPECT_THROW(stiefel(2, 3), Error);
  EXPECT_THROW(stiefel(2, 0), Error);
  EXPECT_THROW(product({}), Error);
}

TEST(CheckGradient, IsSmallOnEveryKnownProblem) {
  for (const problems::Known& known : problems::all()) {
    Random random(2, known.name);
    const Vector point = known.problem.manifold->random_point(random);
    // Also the kinked one: between its kinks, which are far apart against the step, it is smooth.
    EXPECT_LT(check_gradient(known.problem, point), 1e-6) << known.name;
  }
}

TEST(CheckGradient, NoticesOneWrongEntry) {
  problems::Known known = problems::sphere_quadratic(12);
  known.problem.value = [value = known.problem.value](const Vector& x, Vector* gradient) {
    const double result = value(x, gradient);
    if (gradient) (*gradient)(3) *= 1.01;
    return result;
  };
  EXPECT_GT(check_gradient(known.problem, known.start), 1e-5);
}

}  // namespace
}  // namespace cda
