// Scores against figures computed by hand or by the definition.
#include <gtest/gtest.h>

#include "cda/error.hpp"
#include "clusters/support.hpp"

namespace cda {
namespace {

using Clusters = std::vector<std::vector<Index>>;

TEST(ClusterScores, F1IsThatOfOpenSubspace) {
  // Classes 0: rows 0-3, 1: rows 4-9. The first cluster has 3 of class 0 and 2 of class 1: 9/4 > 4/6, so it is given to
  // 0; the second has 1 and 3: 1/4 < 9/6, to 1; the third has 1 and 0: to 0.
  const std::vector<Index> classes = {0, 0, 0, 0, 1, 1, 1, 1, 1, 1};
  const Clusters clusters = {{0, 1, 2, 4, 5}, {3, 6, 7, 8}, {0}};
  // m(0) has 5 rows, 3 right: 6/9. m(1) has 4 rows, 3 right: 6/10.
  EXPECT_DOUBLE_EQ(cluster_f1(clusters, classes), 0.5 * (6.0 / 9.0 + 6.0 / 10.0));
  EXPECT_DOUBLE_EQ(cluster_f1({}, classes), 0.0);
  EXPECT_DOUBLE_EQ(cluster_f1({{0, 1, 2, 3}, {4, 5, 6, 7, 8, 9}}, classes), 1.0);
}

TEST(ClusterScores, OfASingleClusterIsTheBaselineOfMathAndGlass) {
  // glass: 70, 76, 17, 13, 9, 29 rows; one cluster of all is given to the class with 76: 2 * 76 / (214 + 76) / 6 =
  // .087.
  std::vector<Index> classes;
  const Index sizes[] = {70, 76, 17, 13, 9, 29};
  for (Index k = 0; k < 6; ++k) classes.insert(classes.end(), static_cast<std::size_t>(sizes[k]), k);
  const ClusterScores scores = score_clusters({{0, 1, 2}}, classes, 9, 0);
  EXPECT_NEAR(scores.baseline_f1, 0.0874, 5e-5);
}

TEST(ClusterScores, CoverageAndEntropyAreThoseOfTheirDefinitions) {
  const std::vector<Index> classes = {0, 0, 1, 1};
  EXPECT_DOUBLE_EQ(cluster_coverage({{0, 1}, {1, 2}}, 4), 0.75);
  EXPECT_DOUBLE_EQ(cluster_entropy({{0, 1}, {2, 3}}, classes), 1.0);
  EXPECT_DOUBLE_EQ(cluster_entropy({{0, 2}}, classes), 0.0);
  EXPECT_NEAR(cluster_entropy({{0, 1}, {0, 1, 2, 3}}, classes), 1.0 - 4.0 / 6.0, 1e-12);
}

TEST(ClusterScores, StandBesideThoseOfClassesAtRandom) {
  std::vector<Index> classes(200);
  std::vector<Index> first, any;
  for (Index row = 0; row < 200; ++row) {
    classes[static_cast<std::size_t>(row)] = row < 50 ? 0 : 1;
    if (row < 50) first.push_back(row);
    if (row % 4 == 0) any.push_back(row);
  }
  const ClusterScores right = score_clusters({first}, classes, 99, 1), chance = score_clusters({any}, classes, 99, 1);
  EXPECT_DOUBLE_EQ(right.p_f1, 0.01);
  EXPECT_GT(right.f1, right.null_f1 + 5.0 * right.null_f1_sd);
  EXPECT_NEAR(chance.f1, chance.null_f1, 4.0 * chance.null_f1_sd);
  EXPECT_GT(chance.p_f1, 0.05);
}

TEST(ClusterScores, RowsWithoutAClassAreInNone) {
  EXPECT_DOUBLE_EQ(cluster_f1({{0, 1, 2}}, {0, 0, -1}), 2.0 * 2.0 / (3.0 + 2.0));
}

TEST(KnownClusters, AreComparedByTheirCells) {
  const SubspaceCluster one{{0, 1}, {0, 1, 2, 3}, 1.0}, other{{1, 2}, {2, 3, 4, 5}, 1.0};
  const SubspaceScores same = compare_clusters({one, other}, {other, one}, 6, 3);
  EXPECT_DOUBLE_EQ(same.rnia, 1.0);
  EXPECT_DOUBLE_EQ(same.ce, 1.0);
  // one against other: 2 common cells (rows 2 and 3, column 1) of 8 + 8 - 2.
  const SubspaceScores different = compare_clusters({one}, {other}, 6, 3);
  EXPECT_DOUBLE_EQ(different.rnia, 2.0 / 14.0);
  EXPECT_DOUBLE_EQ(different.ce, 2.0 / 14.0);
  // Split in two halves: all cells are there, but only one half may count.
  const SubspaceScores split = compare_clusters({{{0, 1}, {0, 1}, 1.0}, {{0, 1}, {2, 3}, 1.0}}, {one}, 6, 3);
  EXPECT_DOUBLE_EQ(split.rnia, 1.0);
  EXPECT_DOUBLE_EQ(split.ce, 0.5);
  EXPECT_DOUBLE_EQ(compare_clusters({}, {one}, 6, 3).ce, 0.0);
}

TEST(KnownClusters, AreReadFromOpenSubspacesFile) {
  const auto known = known_clusters("DIM=3;FILE=x\n1 0 1 2 4 0\n0 1 0 1 5 \n\n", 6, 3, "x.true");
  ASSERT_EQ(known.size(), 2U);
  EXPECT_EQ(known[0].columns, (std::vector<Index>{0, 2}));
  EXPECT_EQ(known[0].rows, (std::vector<Index>{0, 4}));
  for (const char* wrong : {"words\n", "words\n1 0 2 1 0\n", "words\n1 0 1 2 0\n", "words\n1 0 1 1 6\n",
                            "words\n1 0 1 1 0 1\n", "words\n1 x 1 1 0\n"})
    EXPECT_THROW(known_clusters(wrong, 6, 3, "x.true"), Error) << wrong;
}

TEST(Clustering, FindsAPlantedClusterAndComparesSelectionsAtEqualNumbers) {
  const Table table = planted_table(300, 5, 3, 90, 12);
  std::vector<Index> classes(300, 1);
  for (std::size_t row = 0; row < 90; ++row) classes[row] = 0;
  ClusterOptions options;
  options.permutations = 19;
  const Clustering found = cluster(table, classes, options);
  ASSERT_FALSE(found.kept.empty());
  const std::vector<Index>& columns = found.kept[0].cluster.columns;  // a further one may look dense by chance
  for (const Index planted : {0, 1, 2}) EXPECT_EQ(std::count(columns.begin(), columns.end(), planted), 1);
  Index right = 0;
  for (const Index row : found.kept[0].cluster.rows) right += row < 90 ? 1 : 0;
  EXPECT_GE(10 * right, 9 * static_cast<Index>(found.kept[0].cluster.rows.size()));
  EXPECT_GE(right, 60);
  ASSERT_EQ(found.selections.size(), 3U);
  Index fewest = found.selections[0].clusters;
  for (const SelectionSummary& one : found.selections) fewest = std::min(fewest, one.clusters);
  for (const SelectionSummary& one : found.selections) EXPECT_EQ(one.common, fewest);
  EXPECT_DOUBLE_EQ(found.scores->f1, found.selections[0].scores->f1);
}

}  // namespace
}  // namespace cda
