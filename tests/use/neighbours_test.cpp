#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "cda/error.hpp"
#include "cda/extend/random.hpp"
#include "cda/score.hpp"

namespace {

using namespace cda;

// More rows than a block holds, and not a multiple of it.
struct Rows {
  Matrix x, y;
};
Rows made(Index n, Index k, double noise) {
  Random random(1, "neighbours");
  Rows rows{random.normals(n, 3), {}};
  rows.y = noise * random.normals(k, 3);
  rows.y.topRows(std::min(n, k)) += rows.x.topRows(std::min(n, k));
  return rows;
}

double by_definition(const Matrix& x, const Matrix& y) {
  double sum = 0.0;
  for (Index i = 0; i < x.rows(); ++i)
    for (Index j = 0; j < y.rows(); ++j)
      if (j != i) sum += (x.row(i) - y.row(j)).norm() < (x.row(i) - y.row(i)).norm() ? 1.0 : 0.0;
  return sum / static_cast<double>(x.rows() * (x.rows() - 1));
}

TEST(CloserThanPartner, CountsAllPairsOfRows) {
  for (const double noise : {0.1, 1.0}) {
    const Rows rows = made(700, 700, noise);
    const PartnerRanks found = closer_than_partner(rows.x, rows.y, Executor(2));
    EXPECT_NEAR(found.x_to_y, by_definition(rows.x, rows.y), 1e-12);
    EXPECT_NEAR(found.y_to_x, by_definition(rows.y, rows.x), 1e-12);
    const PartnerRanks alone = closer_than_partner(rows.x, rows.y, Executor(1));
    EXPECT_EQ(found.x_to_y, alone.x_to_y);
    EXPECT_EQ(found.y_to_x, alone.y_to_x);
  }
}

TEST(CloserThanPartner, IsZeroForPartnersAndAHalfForNothing) {
  const Rows rows = made(300, 300, 0.0);
  EXPECT_EQ(closer_than_partner(rows.x, rows.y, Executor(1)).mean(), 0.0);
  EXPECT_DOUBLE_EQ(closer_than_partner(rows.x, Matrix::Ones(300, 3), Executor(1)).x_to_y, 0.5);  // all as near
  const Matrix other = Random(2, "other").normals(300, 3);
  EXPECT_NEAR(closer_than_partner(rows.x, other, Executor(1)).mean(), PartnerRanks::chance, 0.05);  // .29 / sqrt 300
  EXPECT_THROW(closer_than_partner(rows.x, other.topRows(299), Executor(1)), Error);
  EXPECT_THROW(closer_than_partner(rows.x, other.leftCols(2), Executor(1)), Error);
}

TEST(VoteOfNearest, IsThatOfASearchThroughAllRows) {
  const Rows rows = made(400, 650, 0.3);
  Vector labels(650);
  for (Index j = 0; j < 650; ++j) labels[j] = std::floor(2.0 * rows.y(j, 0)) + (rows.y(j, 1) > 0.0 ? 10.0 : 0.0);
  for (const Index neighbours : {1, 5, 700}) {
    const Vector found = vote_of_nearest(rows.x, rows.y, labels, neighbours, Executor(2));
    for (Index i = 0; i < 400; ++i) {
      std::vector<Index> order(650);
      std::iota(order.begin(), order.end(), 0);
      const auto distance = [&](Index j) { return (rows.x.row(i) - rows.y.row(j)).squaredNorm(); };
      std::sort(order.begin(), order.end(), [&](Index a, Index b) { return distance(a) < distance(b); });
      order.resize(static_cast<std::size_t>(std::min<Index>(neighbours, 650)));
      std::map<double, int> votes;
      for (const Index j : order) ++votes[labels[j]];
      int most = 0;
      for (const auto& [label, count] : votes) most = std::max(most, count);
      const auto first = std::find_if(order.begin(), order.end(), [&](Index j) { return votes[labels[j]] == most; });
      EXPECT_EQ(found[i], labels[*first]) << i;
    }
  }
}

TEST(LabelTransfer, StandsBesideChanceAndTheMostFrequentLabel) {
  const Rows rows = made(300, 300, 0.05);
  const Vector labels = (rows.x.col(0).array() > 0.8).cast<double>(),
               truth = (rows.y.col(0).array() > 0.8).cast<double>();
  const LabelTransfer found = label_transfer(rows.y, truth, rows.x, labels, 5, Executor(1));
  EXPECT_GT(found.accuracy, 0.95);
  EXPECT_DOUBLE_EQ(found.majority, 1.0 - truth.mean());
  EXPECT_NEAR(found.chance, std::pow(truth.mean(), 2) + std::pow(1.0 - truth.mean(), 2), 0.03);
  const Matrix unrelated = Random(3, "unrelated").normals(300, 3);
  const LabelTransfer lost = label_transfer(unrelated, truth, rows.x, labels, 5, Executor(1));
  EXPECT_NEAR(lost.accuracy, lost.chance, 0.08);  // about three standard errors
}

}  // namespace
