// Rows are mapped where they are, whatever their order in memory, and however many there are.
#include "cda/extend/rows.hpp"

#include <gtest/gtest.h>

#include "cda/extend/random.hpp"
#include "cda/fit.hpp"

namespace {

using cda::Index;
using cda::make_table;
using cda::Matrix;
using cda::Model;
using cda::RowsView;
using cda::Side;
using RowByRow = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Steps = Eigen::Stride<Eigen::Dynamic, Eigen::Dynamic>;

struct Fitted {
  Matrix x = cda::Random(0, "rows x").normals(5000, 4).array().exp(),
         y = cda::Random(0, "rows y").normals(300, 3).array().exp();
  Model model;

  explicit Fitted(const cda::FitOptions& options)
      : model(fit(make_table(x.topRows(400)), make_table(y, {}, "y"), options)) {}
};

cda::FitOptions with(const std::string& method, Index max_columns = 0) {
  cda::FitOptions options;
  options.method = method;
  options.components = 2;
  options.max_columns = max_columns;
  return options;
}

TEST(Rows, OfAnyOrderInMemoryGiveTheSameValues) {
  for (const Index few : {0, 2}) {
    const Fitted fitted(with("iCDA", few));
    const Matrix expected = fitted.model.transform(Side::x, fitted.x);
    const RowByRow by_rows = fitted.x;
    const Eigen::Map<const Matrix, Eigen::Unaligned, Steps> seen(by_rows.data(), by_rows.rows(), by_rows.cols(),
                                                                 Steps(1, by_rows.cols()));
    const RowsView view = seen;
    EXPECT_EQ(view.data(), by_rows.data());  // else it is a copy
    EXPECT_EQ(transform(fitted.model, Side::x, view), expected);
    Matrix wide = Matrix::Constant(2 * fitted.x.rows(), 3 * fitted.x.cols(), -1.0);
    wide(Eigen::seq(0, Eigen::last, 2), Eigen::seq(0, Eigen::last, 3)) = fitted.x;
    const Eigen::Map<const Matrix, Eigen::Unaligned, Steps> every_other(wide.data(), fitted.x.rows(), fitted.x.cols(),
                                                                        Steps(3 * wide.rows(), 2));
    EXPECT_EQ(transform(fitted.model, Side::x, every_other), expected);
  }
}

TEST(Rows, OfManyBlocksAreMappedAsEachByItself) {
  const Fitted fitted(with("CDA_M"));
  const Matrix all = fitted.model.transform(Side::x, fitted.x);
  ASSERT_EQ(all.rows(), 5000);
  for (const Index row : {0, 1023, 1024, 2047, 2048, 3071, 3072, 4999})
    EXPECT_LT((fitted.model.transform(Side::x, Matrix(fitted.x.row(row))) - all.row(row)).norm(), 1e-12) << row;
  EXPECT_EQ(fitted.model.transform(Side::x, Matrix(0, 4)).rows(), 0);
  EXPECT_THROW(transform(fitted.model, Side::y, fitted.x), cda::Error);
}

}  // namespace
