// Structural correspondence and coupled subspaces against plain ridge regressions.
#include "peers/pivots.hpp"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <Eigen/SVD>

#include "support/samples.hpp"

using namespace cda;
using cda::test::skewed_rows;

namespace {

Matrix standardised(Matrix rows) {
  rows.rowwise() -= rows.colwise().mean().eval();
  for (Index j = 0; j < rows.cols(); ++j) rows.col(j) /= std::sqrt(rows.col(j).squaredNorm() / rows.rows());
  return rows;
}

// Ridge regression of column p on the others, by the normal equations.
Vector ridge(const Matrix& rows, Index pivot, double lambda) {
  std::vector<Index> rest;
  for (Index j = 0; j < rows.cols(); ++j)
    if (j != pivot) rest.push_back(j);
  const Matrix others = rows(Eigen::all, rest);
  const auto n = static_cast<double>(rows.rows());
  Matrix inner = others.transpose() * others / n;
  inner.diagonal().array() += lambda;
  Vector weights = Vector::Zero(rows.cols());
  const Vector right = others.transpose() * rows.col(pivot) / n, solved = inner.llt().solve(right);
  weights(rest) = solved;
  return weights;
}

TEST(Pivots, ArePredictedByRidgeRegressionOnTheOtherColumns) {
  const Matrix rows = standardised(skewed_rows(80, 5, "pivots"));
  const PivotPredictors found = pivot_predictors(rows, {1, 4}, Executor(1));
  EXPECT_LT((found.weights.col(0) - ridge(rows, 1, found.lambda)).norm(), 1e-10);
  EXPECT_LT((found.weights.col(1) - ridge(rows, 4, found.lambda)).norm(), 1e-10);
  EXPECT_EQ(found.weights(1, 0), 0.0);
}

// The error on rows i = f, f + 5, ... of predictors from all others, summed: written out.
TEST(Pivots, ChooseLambdaByTheErrorOnRowsLeftOut) {
  const Matrix rows = standardised(skewed_rows(43, 4, "folds"));
  const auto error = [&](double lambda) {
    double sum = 0.0;
    for (Index fold = 0; fold < 5; ++fold) {
      std::vector<Index> in, out;
      for (Index i = 0; i < rows.rows(); ++i) (i % 5 == fold ? out : in).push_back(i);
      for (Index pivot = 0; pivot < 4; ++pivot) {
        const Matrix left_out = rows(out, Eigen::all);
        sum += (left_out.col(pivot) - left_out * ridge(rows(in, Eigen::all), pivot, lambda)).squaredNorm();
      }
    }
    return sum;
  };
  double best = 1e-4;
  for (const double lambda : {1e-3, 1e-2, 1e-1, 1.0, 10.0})
    if (error(lambda) < error(best)) best = lambda;
  EXPECT_EQ(pivot_predictors(rows, {0, 1, 2, 3}, Executor(1)).lambda, best);
}

TEST(Pivots, AreTheColumnsDistributedMostAlike) {
  Matrix x = standardised(skewed_rows(100, 4, "alike x")), y = x;
  y.col(0) = x.col(0).array().cube();
  y.col(2).array() += 1.0;
  EXPECT_EQ(choose_pivots(x, y, 2), (std::vector<Index>{1, 3}));
  EXPECT_EQ(choose_pivots(x, y, 0).size(), 4U);
}

TEST(Scl, SpansTheLeadingLeftVectorsOfThePredictors) {
  const Table x = make_table(skewed_rows(70, 4, "scl x")), y = make_table(skewed_rows(50, 4, "scl y"));
  const Model model = fit(x, y, {.method = "SCL", .components = 2});
  Matrix both(120, 4);
  both << standardised(x.values), standardised(y.values);
  const PivotPredictors predictors = pivot_predictors(both, {0, 1, 2, 3}, Executor(1));
  const Eigen::JacobiSVD<Matrix> svd(predictors.weights, Eigen::ComputeThinU);
  for (Index j = 0; j < 2; ++j) {
    const Vector expected = standardised(x.values) * svd.matrixU().col(j), found = model.transform(Side::x, x).col(j);
    // Another order of rows makes other folds, so another lambda is possible: nearly the same, not equal.
    EXPECT_GT(std::abs(expected.normalized().dot(found.normalized())), 0.999);
  }
}

TEST(Dac, IsSclWhereBothTablesBehaveAlike) {
  const Table x = make_table(skewed_rows(90, 5, "same"));
  const Model dac = fit(x, x, {.method = "DAC", .components = 2}), scl = fit(x, x, {.method = "SCL", .components = 2});
  for (Index j = 0; j < 2; ++j) {
    const Vector a = dac.transform(Side::x, x).col(j), b = scl.transform(Side::x, x).col(j);
    EXPECT_GT(std::abs(a.normalized().dot(b.normalized())), 0.999);
    EXPECT_LT((dac.transform(Side::y, x).col(j) - a).cwiseAbs().maxCoeff(), 1e-10);
  }
}

TEST(Dac, GivesValuesOfVarianceOneOnBothSides) {
  const Table x = make_table(skewed_rows(70, 4, "dac x")), y = make_table(skewed_rows(50, 4, "dac y"));
  const Model model = fit(x, y, {.method = "DAC", .components = 2});
  for (const Matrix& values : {model.transform(Side::x, x), model.transform(Side::y, y)})
    for (Index j = 0; j < 2; ++j) {
      EXPECT_NEAR(values.col(j).mean(), 0.0, 1e-12);
      EXPECT_NEAR(values.col(j).squaredNorm() / static_cast<double>(values.rows()), 1.0, 1e-12);
    }
}

TEST(Pca, GivesUncorrelatedValuesOfVarianceOneByDecreasingShareWithPositiveSkewness) {
  const Table x = make_table(skewed_rows(200, 5, "pca x")), y = make_table(skewed_rows(150, 4, "pca y"));
  const Model model = fit(x, y, {.method = "PCA", .components = 3});
  const Matrix values = model.transform(Side::x, x);
  EXPECT_LT((values.transpose() * values / 200.0 - Matrix::Identity(3, 3)).cwiseAbs().maxCoeff(), 1e-10);
  EXPECT_GT(model.pairs[0].objective, model.pairs[1].objective);
  for (Index j = 0; j < 3; ++j) EXPECT_GT(values.col(j).array().cube().sum(), 0.0);
  // The variance along the first component is the largest eigenvalue of the correlation matrix.
  const Matrix z = standardised(x.values);
  const Eigen::JacobiSVD<Matrix> svd(z, Eigen::ComputeThinU);
  EXPECT_GT(std::abs(svd.matrixU().col(0).dot(values.col(0).normalized())), 1.0 - 1e-10);
}

}  // namespace
