#include "find/clouds/overlap.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "cda/extend/random.hpp"

using namespace cda;

namespace {

// Rows about some of five centres in four dimensions, in equal shares.
FloatMatrix rows_about(const std::vector<Index>& groups, Index rows, const char* name, double spread) {
  const Matrix centres = 2.0 * Random(2, "centres").normals(5, 4);
  Matrix all = spread * Random(1, name).normals(rows, 4);
  for (Index i = 0; i < rows; ++i) all.row(i) += centres.row(groups[static_cast<std::size_t>(i) % groups.size()]);
  return all.cast<float>();
}

FloatVector uniform(Index rows) { return FloatVector::Constant(rows, 1.0F / static_cast<float>(rows)); }

double overlap_of(const std::vector<Index>& in_x, const std::vector<Index>& in_y, double spread, double reach = 0.1) {
  const AlignedScores scores{rows_about(in_x, 420, "x", spread), rows_about(in_y, 300, "y", spread)};
  return overlap(scores, uniform(420), uniform(300), {.reach = reach});
}

// Within .1 of the truth; what is lost where nothing is missing is the chance of which rows there are.
TEST(Overlap, IsTheCommonShareOfGroups) {
  for (const double spread : {0.2, 0.4}) {
    EXPECT_NEAR(overlap_of({0, 1, 2, 3, 4}, {0, 1, 2, 3, 4}, spread), 1.0, 0.15) << spread;
    EXPECT_NEAR(overlap_of({0, 1, 2, 3, 4}, {0, 1, 2}, spread), 0.6, 0.1) << spread;
    EXPECT_NEAR(overlap_of({0, 1, 2}, {0, 1, 2, 3, 4}, spread), 0.6, 0.1) << spread;
    EXPECT_NEAR(overlap_of({0, 1, 2, 3}, {1, 2, 3, 4}, spread), 0.75, 0.1) << spread;
    EXPECT_NEAR(overlap_of({0, 1, 2}, {2, 3, 4}, spread), 1.0 / 3.0, 0.1) << spread;
    EXPECT_NEAR(overlap_of({0, 1}, {2, 3}, spread), 0.0, 0.05) << spread;
  }
}

TEST(Overlap, CountsSharesOfRowsAndNotGroupsAlone) {
  EXPECT_NEAR(overlap_of({0, 0, 0, 1}, {0, 1, 1, 1}, 0.2), 0.5, 0.1);
}

TEST(Overlap, OfATableWithItselfIsAllOfIt) {
  const FloatMatrix rows = rows_about({0, 1, 2}, 200, "x", 0.3);
  EXPECT_NEAR(overlap({rows, rows}, uniform(200), uniform(200), {.reach = 0.3}), 1.0, 1e-3);
}

TEST(Overlap, IsAShareWhateverTheReach) {
  for (const double reach : {0.01, 0.1, 1.0, 10.0, 1000.0}) {
    const double share = overlap_of({0, 1, 2, 3, 4}, {0, 1, 2}, 0.3, reach);
    EXPECT_GE(share, 0.0) << reach;
    EXPECT_LE(share, 1.0) << reach;
  }
}

TEST(Overlap, TellsSquaredDistancesOfAlignedScores) {
  Random random(4, "scores");
  const FloatMatrix x = random.normals(7, 3).cast<float>(), y = random.normals(5, 4).cast<float>();
  const Matrix moment = random.normals(3, 4);
  const AlignedScores scores = aligned_scores(x, y, moment);
  EXPECT_LT(((scores.x * scores.y.transpose()) - x * moment.cast<float>() * y.transpose()).norm(), 1e-4F);
  const FloatMatrix near = nearness(scores.x, scores.y);
  for (Index i = 0; i < 7; ++i)
    for (Index j = 0; j < 5; ++j) EXPECT_NEAR(near(i, j), -(scores.x.row(i) - scores.y.row(j)).squaredNorm(), 1e-4);
}

}  // namespace
