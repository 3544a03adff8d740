#include "base/gaussian_kernels.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support/samples.hpp"

using namespace cda;
using cda::test::skewed_rows;

namespace {

TEST(GaussianKernels, AreTheirDefinitionForAnyNumberOfRowsCentresAndDimensions) {
  for (const Index dimensions : {1, 2, 5})
    for (const Index rows : {1, 3, 4, 70}) {
      const Matrix points = skewed_rows(rows, dimensions, "points"), centres = skewed_rows(6, dimensions, "centres");
      Matrix kernels(rows, 6);
      gaussian_kernels(points, centres, 0.7, kernels);
      for (Index i = 0; i < rows; ++i)
        for (Index c = 0; c < 6; ++c)
          EXPECT_NEAR(kernels(i, c), std::exp(-(points.row(i) - centres.row(c)).squaredNorm() / 0.98), 1e-14);
    }
}

TEST(GaussianKernels, TakePartOfALargerMatrixAndFillOne) {
  const Matrix all = skewed_rows(40, 3, "points"), centres = skewed_rows(5, 2, "centres");
  Matrix whole = Matrix::Constant(9, 7, -1.0), part(9, 5);
  gaussian_kernels(all.block(11, 1, 9, 2), centres, 1.3, whole.rightCols(5));
  gaussian_kernels(Matrix(all.block(11, 1, 9, 2)), centres, 1.3, part);
  EXPECT_EQ(whole.rightCols(5), part);
  EXPECT_TRUE((whole.leftCols(2).array() == -1.0).all());
}

TEST(GaussianKernels, KeepTheirDigitsFarFromZero) {
  Matrix points(1, 1), centres(1, 1), kernel(1, 1);
  points << 1e9 + 1.0;
  centres << 1e9;
  gaussian_kernels(points, centres, 1.0, kernel);
  EXPECT_NEAR(kernel(0, 0), std::exp(-0.5), 1e-14);
}

TEST(KernelSums, AreThePlainProducts) {
  for (const Index rows : {1, 3, 4, 70}) {
    const Matrix points = skewed_rows(rows, 3, "points"), centres = skewed_rows(6, 3, "centres");
    const Matrix weighted = skewed_rows(rows, 6, "weights");
    const KernelSums sums = kernel_sums(weighted, points, centres);
    EXPECT_LT((sums.by_row - weighted.rowwise().sum()).norm(), 1e-12) << rows;
    EXPECT_LT((sums.by_centre - weighted.colwise().sum().transpose()).norm(), 1e-12) << rows;
    EXPECT_LT((sums.toward - weighted * centres).norm(), 1e-12) << rows;
    EXPECT_LT((sums.across - weighted.transpose() * points).norm(), 1e-11) << rows;
  }
}

}  // namespace
