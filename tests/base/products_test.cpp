#include "base/products.hpp"

#include <gtest/gtest.h>

#include "support/samples.hpp"

using namespace cda;
using cda::test::skewed_rows;

namespace {

// 600 columns of 256 rows are too many to stay near the processor and take another way.
TEST(Products, AreThoseOfThePlainSumForAnyNumberOfRowsAndColumns) {
  for (const Index columns : {1, 2, 3, 4, 7, 50, 600})
    for (const Index rows : {1, 2, 3, 5, 64, 256}) {
      const Matrix some = skewed_rows(rows, columns, "columns");
      Matrix products = Matrix::Ones(columns, columns);
      add_products(some, products);
      Matrix expected = Matrix::Ones(columns, columns);
      for (Index i = 0; i < rows; ++i) expected += some.row(i).transpose() * some.row(i);
      const Matrix off = (products - expected).triangularView<Eigen::Lower>();
      EXPECT_LT(off.cwiseAbs().maxCoeff(), 1e-12 * expected.cwiseAbs().maxCoeff()) << rows << " x " << columns;
    }
}

TEST(Products, OfPartOfALargerMatrixAreThoseOfThePart) {
  const Matrix all = skewed_rows(40, 7, "columns");
  Matrix of_part = Matrix::Zero(5, 5), of_copy = of_part;
  add_products(all.block(3, 1, 21, 5), of_part);
  add_products(Matrix(all.block(3, 1, 21, 5)), of_copy);
  EXPECT_EQ(of_part, of_copy);
}

TEST(Products, OfTwoMatricesAreThoseOfThePlainSum) {
  for (const Index rows : {1, 3, 8, 9, 37})
    for (const Index inner : {0, 1, 5, 101})
      for (const Index columns : {1, 3, 4, 6}) {
        const Matrix left = skewed_rows(rows, inner, "left"), all = skewed_rows(inner + 2, columns, "right");
        const auto right = all.middleRows(1, inner);  // columns need not follow each other
        Matrix expected = Matrix::Zero(rows, columns), product;
        for (Index k = 0; k < inner; ++k) expected += left.col(k) * right.row(k);
        multiply(left, right, product);
        EXPECT_LT((product - expected).cwiseAbs().sum(), 1e-12 * (1.0 + expected.cwiseAbs().sum()))
            << rows << " x " << inner << " x " << columns;
      }
}

}  // namespace
