#include "peers/row_matching.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/assignment.hpp"
#include "cda/extend/random.hpp"
#include "peers/nearest_rows.hpp"
#include "peers/sparse_assignment.hpp"

namespace cda {
namespace {

Matrix waves(Index rows, Index columns, double speed) {
  Matrix points(rows, columns);
  for (Index row = 0; row < rows; ++row)
    for (Index column = 0; column < columns; ++column) {
      const double i = static_cast<double>(row) + 1.0, j = static_cast<double>(column) + 1.0;
      points(row, column) = std::sin(speed * i * (1.0 + 0.37 * j) + 0.01 * i * i * j);
    }
  return points;
}

Matrix squared_distances(const Matrix& x, const Matrix& y) {
  Matrix costs(x.rows(), y.rows());
  for (Index j = 0; j < y.rows(); ++j) costs.col(j) = (x.rowwise() - y.row(j)).rowwise().squaredNorm();
  return costs;
}

void expect_one_to_one(const RowMatching& matching, Index n, Index k) {
  ASSERT_EQ(static_cast<Index>(matching.partners.size()), n);
  std::vector<Index> taken = matching.y_rows();
  EXPECT_EQ(static_cast<Index>(taken.size()), std::min(n, k));
  std::sort(taken.begin(), taken.end());
  EXPECT_EQ(std::adjacent_find(taken.begin(), taken.end()), taken.end());
  for (const Index row : taken) EXPECT_TRUE(row >= 0 && row < k);
}

// By scipy.optimize.linear_sum_assignment (SciPy 1.10) of the squared distances of the same waves.
TEST(RowMatching, EqualsScipysAssignment) {
  struct Oracle {
    Index n, k, columns;
    double cost;
    std::vector<Index> partners;
  };
  const std::vector<Oracle> oracles = {
      {30, 30, 3, 5.340693949071154, {0, 2, 10, 5,  21, 27, 28, 18, 12, 25, 14, 1,  6,  3,  9,
                                      7, 8, 4,  26, 13, 24, 16, 11, 19, 29, 22, 15, 20, 17, 23}},
      {30, 42, 3, 2.5078461871221798, {0, 2,  36, 5,  21, 27, 28, 18, 17, 25, 14, 38, 6,  39, 40,
                                       7, 35, 10, 37, 13, 24, 16, 34, 19, 29, 12, 15, 31, 26, 23}},
      {42, 30, 2, 0.9612236613083309, {-1, 2,  -1, 5,  -1, -1, 28, 18, -1, -1, 3,  22, 6,  14,
                                       -1, 7,  -1, -1, -1, 13, 24, 25, 21, 9,  27, 1,  15, 23,
                                       17, 20, 8,  12, 10, -1, 26, 4,  11, 16, -1, 0,  29, 19}},
      {25, 40, 1, 0.04856294375164506, {30, 29, 4,  27, 17, 8,  28, 18, 34, 23, 36, 37, 38,
                                        9,  35, 12, 5,  39, 21, 11, 32, 25, 6,  19, 31}}};
  for (const Oracle& oracle : oracles) {
    const Matrix x = waves(oracle.n, oracle.columns, 1.1), y = waves(oracle.k, oracle.columns, 0.7);
    for (const MatchingLimits& limits : {MatchingLimits{}, MatchingLimits{.dense_rows = 1, .neighbours = 4}}) {
      const RowMatching found = match_rows(x, y, limits);
      EXPECT_NEAR(found.cost, oracle.cost, 1e-12);
      EXPECT_EQ(found.partners, oracle.partners);
      EXPECT_EQ(found.excess, 0.0);
    }
  }
}

// Ranks are not the answer where the numbers of rows differ, and ties, equal tables and far ends are the corners.
TEST(RowMatching, OnALineIsTheCheapestForEveryPairOfLengths) {
  Random random(1, "line");
  for (Index n = 1; n <= 9; ++n)
    for (Index k = 1; k <= 12; ++k)
      for (int repeat = 0; repeat < 12; ++repeat) {
        Matrix x = random.normals(n, 1), y = random.normals(k, 1);
        if (repeat % 3 == 1) x = (2.0 * x).array().round(), y = (2.0 * y).array().round();  // ties
        if (repeat % 3 == 2) y.array() += 2.0;  // everyone wants the same end
        const RowMatching found = match_rows(x, y);
        expect_one_to_one(found, n, k);
        ASSERT_NEAR(found.cost, cheapest_assignment(squared_distances(x, y)).cost, 1e-12) << x.transpose() << "\n"
                                                                                          << y.transpose();
      }
  const Matrix x = random.normals(150, 1), y = random.normals(400, 1).array() + 0.5;
  EXPECT_NEAR(match_rows(x, y).cost, cheapest_assignment(squared_distances(x, y)).cost, 1e-11);
}

TEST(RowMatching, OnALineOfEqualLengthsMatchesRanks) {
  const Matrix x = Random(2).normals(500, 1), y = Random(3).normals(500, 1).array().cube();
  const std::vector<Index> partners = match_rows(x, y).partners;
  for (std::size_t i = 0; i < partners.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      ASSERT_EQ(x(static_cast<Index>(i), 0) < x(static_cast<Index>(j), 0), y(partners[i], 0) < y(partners[j], 0));
}

TEST(RowMatching, FromNeighboursIsTheCheapestOfAllPairs) {
  Random random(4, "neighbours");
  for (const auto& [n, k] : {std::pair<Index, Index>{300, 300}, {250, 330}, {330, 250}}) {
    Matrix x = random.normals(n, 3), y = random.normals(k, 3);
    for (int repeat = 0; repeat < 2; ++repeat) {
      const double cheapest = cheapest_assignment(squared_distances(x, y)).cost;
      const RowMatching found =
          match_rows(x, y, {.dense_rows = 10, .neighbours = 10, .coarse_rows = 40, .rounds = 100});
      expect_one_to_one(found, n, k);
      EXPECT_NEAR(found.cost, cheapest, 1e-9 * cheapest);
      EXPECT_EQ(found.excess, 0.0);
      y.col(0) = y.col(0).array().square();  // tables of different shape: near rows are not enough
    }
  }
}

// Prices of a similar matching, and prices that are nonsense, lead to the same end.
TEST(RowMatching, DoesNotDependOnThePricesItBeginsWith) {
  Random random(11, "prices");
  const Matrix x = random.normals(200, 3), y = random.normals(200, 3).array().cube();
  for (const Index dense_rows : {3000, 10}) {
    const MatchingLimits limits{.dense_rows = dense_rows, .neighbours = 8, .coarse_rows = 40, .rounds = 100};
    const RowMatching first = match_rows(x, y, limits);
    ASSERT_EQ(first.y_prices.size(), 200);
    const Matrix moved = x + 0.1 * random.normals(200, 3);
    const RowMatching anew = match_rows(moved, y, limits);
    EXPECT_EQ(match_rows(moved, y, limits, first.y_prices).partners, anew.partners);
    EXPECT_EQ(match_rows(moved, y, limits, 10.0 * Vector(random.normals(200, 1))).partners, anew.partners);
    EXPECT_NEAR(anew.cost, cheapest_assignment(squared_distances(moved, y)).cost, 1e-9);
    EXPECT_EQ(match_rows(x, y.topRows(150), limits).y_prices.size(), dense_rows > 200 ? 150 : 0);
  }
}

TEST(RowMatching, SaysHowFarItMayBeFromTheCheapest) {
  const Matrix x = Random(5).normals(300, 2), y = Random(6).normals(300, 2).array().square();
  const double cheapest = cheapest_assignment(squared_distances(x, y)).cost;
  double last = std::numeric_limits<double>::infinity();
  for (const int rounds : {0, 1, 2, 4}) {
    const RowMatching found =
        match_rows(x, y, {.dense_rows = 10, .neighbours = 3, .coarse_rows = 10, .rounds = rounds});
    expect_one_to_one(found, 300, 300);
    EXPECT_GE(cheapest, (1.0 - found.excess) * found.cost - 1e-9);
    EXPECT_LE(found.cost, last + 1e-9);  // candidates are only added
    last = found.cost;
  }
}

TEST(RowMatching, TakesRowsThatAreAllEqual) {
  const Matrix x = Matrix::Ones(40, 2), y = Matrix::Constant(50, 2, 2.0);
  for (const Index dense_rows : {3000, 1}) {
    const RowMatching found = match_rows(x, y, {.dense_rows = dense_rows, .neighbours = 5});
    expect_one_to_one(found, 40, 50);
    EXPECT_NEAR(found.cost, 80.0, 1e-12);
  }
  EXPECT_TRUE(match_rows(Matrix(0, 2), y).partners.empty());
  EXPECT_EQ(match_rows(x, Matrix(0, 2)).x_rows().size(), 0U);
}

TEST(RowMatching, OfManyToOneTakesTheNearest) {
  const Matrix x = Random(7).normals(80, 3), y = Random(8).normals(30, 3);
  const RowMatching found = nearest_matching(x, y);
  const Matrix distances = squared_distances(x, y);
  for (Index i = 0; i < 80; ++i) {
    Index nearest = 0;
    distances.row(i).minCoeff(&nearest);
    EXPECT_EQ(found.partners[static_cast<std::size_t>(i)], nearest);
  }
}

TEST(NearestRows, AreThoseOfSortingAllDistancesAndPrices) {
  Random random(9, "tree");
  for (const Index columns : {1, 2, 5}) {
    Matrix rows = random.normals(400, columns);
    if (columns == 2) rows = rows.array().round();  // many equal ones
    NearestRows tree(rows);
    for (int priced = 0; priced < 2; ++priced) {
      const Vector prices = priced == 1 ? Vector(random.normals(400, 1)) : Vector::Zero(400);
      if (priced == 1) tree.set_prices(prices);
      for (int repeat = 0; repeat < 20; ++repeat) {
        const Vector point = random.normals(columns, 1);
        std::vector<NearestRows::Found> all;
        for (Index i = 0; i < 400; ++i) all.push_back({(rows.row(i).transpose() - point).squaredNorm() + prices[i], i});
        std::sort(all.begin(), all.end());
        const auto found = tree.query(point, 12);
        ASSERT_EQ(found.size(), 12U);
        for (std::size_t i = 0; i < 12; ++i) EXPECT_EQ(found[i].row, all[i].row);
      }
    }
  }
}

TEST(SparseAssignment, EqualsTheDenseOneWhereEverythingIsACandidate) {
  Random random(10, "sparse");
  for (int repeat = 0; repeat < 30; ++repeat) {
    const Index agents = 1 + random.below(25), tasks = agents + random.below(10);
    Matrix costs = random.normals(agents, tasks);
    if (repeat % 2 == 1) costs = costs.array().round();
    std::vector<std::vector<Candidate>> candidates(static_cast<std::size_t>(agents));
    for (Index i = 0; i < agents; ++i)
      for (Index j = 0; j < tasks; ++j) candidates[static_cast<std::size_t>(i)].push_back({j, costs(i, j)});
    const SparseAssignment found = cheapest_sparse_assignment(candidates, tasks);
    EXPECT_NEAR(found.cost, cheapest_assignment(costs).cost, 1e-12);
    EXPECT_LE(found.task_prices.maxCoeff(), 0.0);
    for (Index i = 0; i < agents; ++i)
      for (Index j = 0; j < tasks; ++j) EXPECT_LE(found.agent_prices[i] + found.task_prices[j], costs(i, j) + 1e-12);
  }
}

TEST(SparseAssignment, LeavesOverWhoHasNoCandidateLeft) {
  const std::vector<std::vector<Candidate>> candidates = {{{0, 1.0}}, {{0, 2.0}}, {}, {{0, 5.0}, {1, 5.0}, {1, 4.0}}};
  const SparseAssignment found = cheapest_sparse_assignment(candidates, 3);
  EXPECT_EQ(found.task_of[2], -1);
  EXPECT_EQ(std::count(found.task_of.begin(), found.task_of.end(), 0), 1);
  EXPECT_EQ(found.task_of[3], 1);
}

}  // namespace
}  // namespace cda
