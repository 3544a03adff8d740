// Transfer components against the N x N form they are defined by.
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>

#include "base/linear_algebra.hpp"
#include "peers/transfer_components.hpp"
#include "support/samples.hpp"

using namespace cda;
using cda::test::skewed_rows;

namespace {

// The embedding K W of both tables' rows, W the leading eigenvectors of (KLK + mu I)^{-1} KHK with W'KHKW = I: the
// definition, with every matrix written out.
Matrix by_definition(const Matrix& kernel, Index n, Index k, double mu, Index count) {
  const Index rows = n + k;
  Vector e(rows);
  e << Vector::Constant(n, 1.0 / static_cast<double>(n)), Vector::Constant(k, -1.0 / static_cast<double>(k));
  const Matrix centring = Matrix::Identity(rows, rows) - Matrix::Constant(rows, rows, 1.0 / static_cast<double>(rows));
  const Matrix left = kernel * e * e.transpose() * kernel + mu * Matrix::Identity(rows, rows);
  const Matrix right = kernel * centring * kernel;
  const Eigen::GeneralizedSelfAdjointEigenSolver<Matrix> solver(right, left);
  Matrix w = solver.eigenvectors().rightCols(count).rowwise().reverse();
  for (Index j = 0; j < count; ++j) w.col(j) /= std::sqrt(w.col(j).dot(right * w.col(j)));
  return kernel * w;
}

// The largest difference of columns up to their sign, relative to the largest value.
double difference(const Matrix& a, const Matrix& b) {
  double worst = 0.0;
  for (Index j = 0; j < a.cols(); ++j) {
    const double sign = a.col(j).dot(b.col(j)) < 0.0 ? -1.0 : 1.0;
    worst = std::max(worst, (a.col(j) - sign * b.col(j)).cwiseAbs().maxCoeff() / b.col(j).cwiseAbs().maxCoeff());
  }
  return worst;
}

struct Rows {
  Matrix x = skewed_rows(50, 4, "tca x");
  Matrix y = skewed_rows(40, 4, "tca y").array() + 0.3;
};

TEST(TransferComponents, OfTheLinearKernelEqualTheKernelForm) {
  const Rows rows;
  const Matrix both = stacked(rows.x, rows.y);
  for (const double mu : {1e-3, 1.0, 1e3}) {
    const auto found = transfer_components(pooled_moments(rows.x, rows.y), mu, 3, true);
    const Matrix expected = by_definition(both * both.transpose(), 50, 40, mu, 3);
    EXPECT_LT(difference(both * found.directions, expected), 1e-10) << mu;
  }
}

TEST(TransferComponents, OfDependentColumnsEqualTheKernelFormToo) {
  Rows rows;
  rows.x.col(3) = rows.x.col(0) + rows.x.col(1);
  rows.y.col(3) = rows.y.col(0) + rows.y.col(1);
  const Matrix both = stacked(rows.x, rows.y);
  const auto found = transfer_components(pooled_moments(rows.x, rows.y), 1.0, 3, true);
  EXPECT_LT(difference(both * found.directions, by_definition(both * both.transpose(), 50, 40, 1.0, 3)), 1e-9);
}

// S a = nu (delta delta' + mu I) a, checked by its residual.
TEST(TransferComponents, OfThePrimalVariantSolveTheirEquation) {
  const Rows rows;
  const PooledMoments moments = pooled_moments(rows.x, rows.y);
  const auto found = transfer_components(moments, 2.0, 2, false);
  const Matrix both = stacked(rows.x, rows.y);
  const Matrix centred = both.rowwise() - both.colwise().mean();
  const Matrix scatter = centred.transpose() * centred;
  const Vector delta = moments.x_mean - moments.y_mean;
  const Matrix cost = delta * delta.transpose() + 2.0 * Matrix::Identity(4, 4);
  for (Index j = 0; j < 2; ++j) {
    const Vector a = found.directions.col(j);
    EXPECT_LT((scatter * a - found.values[j] * cost * a).norm(), 1e-9 * (scatter * a).norm());
    EXPECT_NEAR(a.dot(scatter * a), 1.0, 1e-10);
  }
}

TEST(TransferComponents, ArePooledPrincipalComponentsWhereMeansAgree) {
  Rows rows;
  rows.x.rowwise() -= rows.x.colwise().mean().eval();
  rows.y.rowwise() -= rows.y.colwise().mean().eval();
  const auto found = transfer_components(pooled_moments(rows.x, rows.y), 1.0, 2, true);
  const Matrix both = stacked(rows.x, rows.y);
  const Eigen::SelfAdjointEigenSolver<Matrix> pca(both.transpose() * both);
  for (Index j = 0; j < 2; ++j)
    EXPECT_NEAR(std::abs(found.directions.col(j).normalized().dot(pca.eigenvectors().col(3 - j))), 1.0, 1e-9);
}

class TcaKernel : public testing::TestWithParam<const char*> {};

TEST_P(TcaKernel, EqualsTheKernelFormAndMapsNewRowsLikeOldOnes) {
  const std::string name = GetParam();
  const Rows rows;
  const Table x = make_table(rows.x), y = make_table(rows.y);
  const Model model = fit(x, y, {.method = "TCA:width=2,kernel=" + name, .components = 2});
  const Matrix prepared = stacked(model.x_preparation.equilibrated(rows.x), model.x_preparation.equilibrated(rows.y));
  const Matrix standard = std::get<AffineMap>(model.x_preparation.steps().front().map).apply(prepared);
  Matrix kernel(90, 90);
  for (Index i = 0; i < 90; ++i)
    for (Index j = 0; j < 90; ++j) {
      const double distance = (standard.row(i) - standard.row(j)).norm();
      kernel(i, j) = name == "rbf" ? std::exp(-distance * distance / 8.0) : std::exp(-distance / 2.0);
    }
  const Matrix values = stacked(model.transform(Side::x, x), model.transform(Side::y, y));
  EXPECT_LT(difference(values, by_definition(kernel, 50, 40, 1.0, 2)), 1e-6);
  // A row maps to the same place from either table: there is one kernel.
  EXPECT_EQ(model.transform(Side::x, make_table(rows.y)), model.transform(Side::y, y));
}
INSTANTIATE_TEST_SUITE_P(Kernels, TcaKernel, testing::Values("rbf", "laplace"),
                         [](const auto& tested) { return std::string(tested.param); });

// Beyond 3000 rows landmarks stand for all: the map must hardly differ from that of fewer rows of the same kind.
TEST(TcaKernel, WithLandmarksKeepsWhatAllRowsWouldShow) {
  const Table x = make_table(skewed_rows(2500, 3, "many x")), y = make_table(skewed_rows(2500, 3, "many y"));
  const Model model = fit(x, y, {.method = "TCA:kernel=rbf,width=2", .components = 1});
  EXPECT_LE(model.x_preparation.outputs(), 500);
  const Table fewer_x = make_table(x.values.topRows(1200)), fewer_y = make_table(y.values.topRows(1200));
  const Model whole = fit(fewer_x, fewer_y, {.method = "TCA:kernel=rbf,width=2", .components = 1});
  const Vector a = model.transform(Side::x, x).col(0), b = whole.transform(Side::x, x).col(0);
  const Vector u = a.array() - a.mean(), v = b.array() - b.mean();
  EXPECT_GT(std::abs(u.normalized().dot(v.normalized())), 0.99);
}

}  // namespace
