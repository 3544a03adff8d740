#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "cda/error.hpp"
#include "cda/extend/random.hpp"
#include "cda/score.hpp"

namespace {

using namespace cda;

Matrix projection(const Matrix& columns) {
  return columns * (columns.transpose() * columns).inverse() * columns.transpose();
}

TEST(SubspaceError, IsTheDistanceOfProjectionsOverItsLargestValue) {
  Random random(1, "subspaces");
  for (const auto& [m, a, b] :
       std::vector<std::tuple<Index, Index, Index>>{{7, 4, 4}, {7, 2, 5}, {5, 3, 4}, {6, 1, 1}}) {
    const Matrix found = random.normals(m, a), truth = random.normals(m, b);
    const double most = std::sqrt(static_cast<double>(a + b - 2 * std::max<Index>(0, a + b - m)));
    const SubspaceError score = subspace_error(found, truth);
    EXPECT_NEAR(score.error, (projection(found) - projection(truth)).norm() / most, 1e-12);
    EXPECT_DOUBLE_EQ(score.error, subspace_error(truth, found).error);
  }
}

TEST(SubspaceError, KnowsTheAngleOfTwoPlanes) {
  for (const double angle : {1e-7, 0.3, 30.0, 90.0}) {
    const double radians = angle / 180.0 * std::acos(-1.0);
    Matrix plane = Matrix::Zero(5, 2), other = plane;
    plane(0, 0) = plane(1, 1) = 1.0;
    other(0, 0) = 1.0;
    other(1, 1) = std::cos(radians);
    other(3, 1) = std::sin(radians);
    const SubspaceError score = subspace_error(plane, other);
    EXPECT_NEAR(score.largest_angle, angle, 1e-12 * std::max(1.0, angle));
    EXPECT_NEAR(score.error, std::sqrt(2.0) * std::sin(radians) / 2.0, 1e-14);  // |P - Q|^2 = 2 sin^2, at most 4
  }
}

TEST(SubspaceError, DoesNotDependOnTheBasis) {
  Random random(2, "subspaces");
  const Matrix found = random.normals(6, 3), truth = random.normals(6, 2), mix = random.normals(3, 3);
  Matrix repeated(6, 4);
  repeated << 1e5 * found * mix, found.col(0);  // other lengths, and a column that adds nothing
  EXPECT_NEAR(subspace_error(repeated, truth).error, subspace_error(found, truth).error, 1e-12);
  EXPECT_NEAR(subspace_error(repeated, found).error, 0.0, 1e-10);
}

TEST(SubspaceError, ReachesZeroOneAndTheLeastOfUnequalRanks) {
  const Matrix axes = Matrix::Identity(6, 6);
  EXPECT_EQ(subspace_error(axes.leftCols(3), axes.leftCols(3)).error, 0.0);
  EXPECT_EQ(subspace_error(axes.leftCols(3), axes.rightCols(3)).error, 1.0);
  EXPECT_DOUBLE_EQ(subspace_error(axes.leftCols(5), axes.rightCols(5)).error, 1.0);  // they have to share four
  EXPECT_DOUBLE_EQ(subspace_error(axes.leftCols(2), axes.leftCols(3)).error, std::sqrt(1.0 / 5.0));
  EXPECT_EQ(subspace_error(axes.leftCols(2), axes.leftCols(3)).largest_angle, 0.0);
  EXPECT_EQ(subspace_error(axes, axes).error, 0.0);  // all of the space: nothing could be wrong
}

TEST(SubspaceError, RefusesWhatCannotBeCompared) {
  EXPECT_THROW(subspace_error(Matrix::Identity(4, 2), Matrix::Identity(5, 2)), Error);
  EXPECT_THROW(subspace_error(Matrix::Zero(4, 2), Matrix::Identity(4, 2)), Error);
  EXPECT_THROW(chance_subspace_error(4, 5, 2), Error);
  EXPECT_THROW(chance_subspace_error(4, 0, 2), Error);
}

// For lines in the plane at a uniform angle the error is |sin|, whose mean is 2 / pi. For the others the mean square is
// known, E |U'V|^2 = ab / m, and the error varies little: its mean is a few hundredths below the root of that.
TEST(ChanceSubspaceError, IsTheMeanOverRandomSpaces) {
  EXPECT_NEAR(chance_subspace_error(2, 1, 1), 2.0 / std::acos(-1.0), 0.006);  // sd .308 over 4000 draws: .0049
  const double squared = (8.0 - 2.0 * 16.0 / 7.0) / 6.0;
  EXPECT_LT(chance_subspace_error(7, 4, 4), std::sqrt(squared));
  EXPECT_GT(chance_subspace_error(7, 4, 4), std::sqrt(squared) - 0.02);
  EXPECT_EQ(chance_subspace_error(5, 5, 5), 0.0);
  EXPECT_DOUBLE_EQ(chance_subspace_error(7, 2, 4), chance_subspace_error(7, 4, 2));
  double sum = 0.0;
  Random random(3, "subspaces");
  for (int i = 0; i < 1000; ++i) sum += subspace_error(random.normals(7, 5), random.normals(7, 4)).error / 1000.0;
  EXPECT_NEAR(chance_subspace_error(7, 5, 4), sum, 0.01);  // two simulations, sd .1 each
}

}  // namespace
