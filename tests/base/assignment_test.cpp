#include "base/assignment.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "cda/error.hpp"
#include "cda/extend/random.hpp"

namespace cda {
namespace {

// Partners are one-to-one and the shorter side is used up; the prices then prove that nothing is cheaper.
void expect_proven(const Matrix& costs, const Assignment& found) {
  const Index rows = costs.rows(), columns = costs.cols();
  ASSERT_EQ(static_cast<Index>(found.column_of_row.size()), rows);
  ASSERT_EQ(static_cast<Index>(found.row_of_column.size()), columns);
  // Prices are sums of at most a path of costs, each rounded.
  const double largest = costs.size() > 0 ? std::max(1.0, costs.cwiseAbs().maxCoeff()) : 1.0;
  const double rounding = 1e-14 * largest * static_cast<double>(rows + columns);
  Index partners = 0;
  double cost = 0.0;
  for (Index i = 0; i < rows; ++i) {
    const Index j = found.column_of_row[static_cast<std::size_t>(i)];
    if (j < 0) {
      EXPECT_GT(rows, columns);
      EXPECT_EQ(found.row_prices[i], 0.0);
      continue;
    }
    ++partners;
    cost += costs(i, j);
    ASSERT_EQ(found.row_of_column[static_cast<std::size_t>(j)], i);
    EXPECT_NEAR(found.row_prices[i] + found.column_prices[j], costs(i, j), rounding);
  }
  ASSERT_EQ(partners, std::min(rows, columns));
  EXPECT_EQ(found.cost, cost);
  for (Index j = 0; j < columns; ++j)
    if (found.row_of_column[static_cast<std::size_t>(j)] < 0) {
      EXPECT_EQ(found.column_prices[j], 0.0);
    }
  const Vector& longer = rows <= columns ? found.column_prices : found.row_prices;
  if (rows != columns && longer.size() > 0) {
    EXPECT_LE(longer.maxCoeff(), 0.0);
  }
  for (Index j = 0; j < columns; ++j)
    for (Index i = 0; i < rows; ++i)
      ASSERT_LE(found.row_prices[i] + found.column_prices[j], costs(i, j) + rounding) << i << ' ' << j;
  EXPECT_NEAR(found.row_prices.sum() + found.column_prices.sum(), found.cost,
              rounding * static_cast<double>(rows + columns));
}

TEST(Assignment, IsProvenWhateverPricesItBeginsWith) {
  Random random(12, "prices");
  for (const auto& [rows, columns] : {std::pair<Index, Index>{30, 30}, {20, 30}, {30, 20}, {1, 1}}) {
    const Matrix costs = random.normals(rows, columns);
    const Assignment plain = cheapest_assignment(costs);
    const Assignment begun = cheapest_assignment(costs, 3.0 * Vector(random.normals(columns, 1)));
    expect_proven(costs, begun);
    EXPECT_EQ(begun.column_of_row, plain.column_of_row);
    EXPECT_LE((rows <= columns ? begun.column_prices : begun.row_prices).maxCoeff(), 0.0);
  }
}

double cheapest_by_trying_all(const Matrix& costs) {
  if (costs.rows() > costs.cols()) return cheapest_by_trying_all(costs.transpose());
  std::vector<Index> order(static_cast<std::size_t>(costs.cols()));
  std::iota(order.begin(), order.end(), Index{0});
  double best = std::numeric_limits<double>::infinity();
  do {
    double cost = 0.0;
    for (Index i = 0; i < costs.rows(); ++i) cost += costs(i, order[static_cast<std::size_t>(i)]);
    best = std::min(best, cost);
  } while (std::next_permutation(order.begin(), order.end()));
  return best;
}

TEST(Assignment, IsTheCheapestOfAllForEveryShapeUpToSix) {
  Random random(1, "assignment");
  for (Index rows = 1; rows <= 6; ++rows)
    for (Index columns = 1; columns <= 6; ++columns)
      for (int repeat = 0; repeat < 20; ++repeat) {
        Matrix costs = random.normals(rows, columns);
        if (repeat % 2 == 1) costs = costs.array().round();  // many ties
        const Assignment found = cheapest_assignment(costs);
        expect_proven(costs, found);
        EXPECT_NEAR(found.cost, cheapest_by_trying_all(costs), 1e-12) << costs;
      }
}

TEST(Assignment, IsProvenByItsPricesOnLargerMatrices) {
  Random random(2, "assignment");
  const std::vector<std::pair<Index, Index>> shapes = {{200, 200}, {150, 260}, {260, 150}, {1, 300}, {300, 1}};
  for (const auto& [rows, columns] : shapes) {
    SCOPED_TRACE(testing::Message() << rows << " x " << columns);
    const Matrix normals = random.normals(rows, columns);
    expect_proven(normals, cheapest_assignment(normals));
    const Matrix tied = (2.0 * normals).array().round();
    expect_proven(tied, cheapest_assignment(tied));
    const Matrix far = 1e9 + normals.array().abs();
    expect_proven(far, cheapest_assignment(far));
    // Everyone wants the same tasks: products of sorted numbers, on which bidding settles little.
    const Vector x = normals.col(0).cwiseAbs(), y = normals.row(0).cwiseAbs();
    const Matrix contested = x * y.transpose();
    expect_proven(contested, cheapest_assignment(contested));
  }
}

// sum_i x_i y_p(i) is least when one increases where the other decreases (the rearrangement inequality).
TEST(Assignment, OfProductsPairsTheLargestWithTheSmallest) {
  const Index size = 60;
  const Vector x = Vector::LinSpaced(size, 1.0, 60.0), y = Vector::LinSpaced(size, 2.0, 61.0);
  const Assignment found = cheapest_assignment(x * y.transpose());
  for (Index i = 0; i < size; ++i) EXPECT_EQ(found.column_of_row[static_cast<std::size_t>(i)], size - 1 - i);
}

TEST(Assignment, OfEqualCostsIsAnyWholeAssignment) {
  const Matrix costs = Matrix::Constant(30, 40, 2.5);
  const Assignment found = cheapest_assignment(costs);
  expect_proven(costs, found);
  EXPECT_EQ(found.cost, 75.0);
}

TEST(Assignment, OfNothingIsEmpty) {
  for (const auto& [rows, columns] : {std::pair<Index, Index>{0, 0}, {0, 3}, {3, 0}}) {
    const Matrix costs(rows, columns);
    const Assignment found = cheapest_assignment(costs);
    expect_proven(costs, found);
    EXPECT_EQ(found.cost, 0.0);
  }
}

TEST(Assignment, RefusesCostsThatAreNotNumbers) {
  Matrix costs = Matrix::Ones(3, 3);
  costs(1, 2) = std::nan("");
  EXPECT_THROW(cheapest_assignment(costs), Error);
  costs(1, 2) = std::numeric_limits<double>::infinity();
  EXPECT_THROW(cheapest_assignment(costs), Error);
}

}  // namespace
}  // namespace cda
