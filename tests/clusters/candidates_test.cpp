// Candidates against their definitions: every subspace, every pair of rows.
#include <gtest/gtest.h>

#include <numbers>

#include "cda/error.hpp"
#include "clusters/near_pairs.hpp"
#include "clusters/support.hpp"

namespace cda {
namespace {

CandidateOptions adaptive(double radius, Index min_size) {
  CandidateOptions options;
  options.radius = radius;
  options.density_factor = 3.0;
  options.least_density = 4.0;
  options.min_size = min_size;
  return options;
}

TEST(SubspaceCandidates, OfSubcluAreThoseOfDbscanInEverySubspace) {
  const Table table = planted_table(80, 4, 3, 25, 1);
  CandidateOptions options;
  options.rule = DensityRule::subclu;
  options.scaled = false;
  options.radius = 0.12;
  options.min_points = 5;
  const ClusterCandidates found = find_clusters(table, options);
  EXPECT_GT(found.clusters.size(), 15U);
  for (const std::vector<Index>& subspace : all_subspaces(4)) {
    const auto is_core = [&](Index row) {
      Index count = 0;
      for (Index other = 0; other < table.rows(); ++other)
        count += near(table.values, subspace, row, other, 0.12) ? 1 : 0;
      return count >= 5;
    };
    EXPECT_EQ(found_in(found, subspace), naive_clusters(table.values, subspace, 0.12, is_core));
  }
}

TEST(SubspaceCandidates, OfTheAdaptiveDensityAreThoseOfItsDefinition) {
  const Table table = planted_table(90, 4, 3, 30, 2);
  const CandidateOptions options = adaptive(0.15, 6);
  const ClusterCandidates found = find_clusters(table, options);
  const double unit_ball[] = {1.0, 2.0, std::numbers::pi, 4.0 / 3.0 * std::numbers::pi,
                              0.5 * std::numbers::pi * std::numbers::pi};
  std::size_t clusters = 0;
  for (const std::vector<Index>& subspace : all_subspaces(4)) {
    const auto s = static_cast<double>(subspace.size());
    const double expected = 90.0 * unit_ball[subspace.size()] * std::pow(0.15, s) * 2.0 / (s + 2.0);
    const double needed = std::max(3.0 * expected, 4.0 * 2.0 / (s + 2.0));
    std::vector<double> density(90, 0.0);
    for (Index a = 0; a < 90; ++a)
      for (Index b = 0; b < 90; ++b)
        if (a != b && near(found.values, subspace, a, b, 0.15))
          density[static_cast<std::size_t>(a)] += 1.0 - squared_distance(found.values, subspace, a, b) / (0.15 * 0.15);
    auto naive = naive_clusters(found.values, subspace, 0.15,
                                [&](Index row) { return density[static_cast<std::size_t>(row)] >= needed; });
    std::erase_if(naive, [](const std::set<Index>& rows) { return rows.size() < 6; });
    EXPECT_EQ(found_in(found, subspace), naive);
    clusters += naive.size();
    for (const SubspaceCluster& one : found.clusters) {
      if (one.columns != subspace) continue;
      double sum = 0.0, cores = 0.0;
      for (const Index row : one.rows)
        if (density[static_cast<std::size_t>(row)] >= needed) {
          sum += density[static_cast<std::size_t>(row)];
          cores += 1.0;
        }
      EXPECT_NEAR(one.density, sum / cores / expected, 1e-9 * one.density);  // the order of additions differs
    }
  }
  EXPECT_GT(clusters, 8U);
}

TEST(SubspaceCandidates, ArePairsWithinTheRadiusAlsoWhereTheDistanceIsTheRadius) {
  // 0.1 apart three times over: sums of rounded squares fall where rounded distances do.
  for (const double radius : {0.1, 0.3, 1.0, 4.0, 1e-3, 123.456}) {
    const double limit = squared_limit(radius);
    EXPECT_LE(std::sqrt(limit), radius);
    EXPECT_GT(std::sqrt(std::nextafter(limit, 1e300)), radius);
  }
}

TEST(SubspaceCandidates, AreTheSameOnAnyNumberOfThreads) {
  const Table table = planted_table(150, 6, 4, 50, 3);
  CandidateOptions options = adaptive(0.15, 8);
  options.threads = 1;
  const ClusterCandidates one = find_clusters(table, options);
  options.threads = 3;
  const ClusterCandidates three = find_clusters(table, options);
  ASSERT_EQ(one.clusters.size(), three.clusters.size());
  EXPECT_EQ(one.subspaces, three.subspaces);
  for (std::size_t i = 0; i < one.clusters.size(); ++i) {
    EXPECT_EQ(one.clusters[i].columns, three.clusters[i].columns);
    EXPECT_EQ(one.clusters[i].rows, three.clusters[i].rows);
    EXPECT_EQ(one.clusters[i].density, three.clusters[i].density);
  }
}

TEST(SubspaceCandidates, OfRowsInAnotherOrderAreTheSameRows) {
  const Table table = planted_table(100, 4, 3, 40, 4);
  Table turned = table;
  turned.values = table.values.colwise().reverse();
  const auto rows_found = [](const ClusterCandidates& found, bool mirrored) {
    std::set<std::pair<std::vector<Index>, std::set<Index>>> all;
    for (const SubspaceCluster& one : found.clusters) {
      std::set<Index> rows;
      for (const Index row : one.rows) rows.insert(mirrored ? 99 - row : row);
      all.insert({one.columns, rows});
    }
    return all;
  };
  EXPECT_EQ(rows_found(find_clusters(table, adaptive(0.15, 6)), false),
            rows_found(find_clusters(turned, adaptive(0.15, 6)), true));
}

TEST(SubspaceCandidates, DoNotDependOnUnitsOfTheColumns) {
  const Table table = planted_table(100, 4, 3, 40, 5);
  Table other = table;
  other.values.col(0) = (1e6 * other.values.col(0).array() + 3e7).matrix();
  other.values.col(2) *= -1e-5;
  const ClusterCandidates a = find_clusters(table), b = find_clusters(other);
  ASSERT_EQ(a.clusters.size(), b.clusters.size());
  for (std::size_t i = 0; i < a.clusters.size(); ++i) EXPECT_EQ(a.clusters[i].rows, b.clusters[i].rows);
}

TEST(SubspaceCandidates, AreLeftOutWhereOneMoreColumnHoldsTheirRows) {
  const Table table = planted_table(200, 5, 5, 80, 6);
  CandidateOptions options = adaptive(0.2, 20);
  const ClusterCandidates all = find_clusters(table, options);
  options.redundancy = 0.5;
  const ClusterCandidates some = find_clusters(table, options);
  EXPECT_EQ(static_cast<std::size_t>(some.redundant), all.clusters.size() - some.clusters.size());
  std::size_t stay = 0;
  for (const SubspaceCluster& one : all.clusters) {  // by definition
    bool redundant = false;
    for (const SubspaceCluster& other : all.clusters) {
      if (other.columns.size() != one.columns.size() + 1 ||
          !std::includes(other.columns.begin(), other.columns.end(), one.columns.begin(), one.columns.end()))
        continue;
      std::vector<Index> both;
      std::set_intersection(one.rows.begin(), one.rows.end(), other.rows.begin(), other.rows.end(),
                            std::back_inserter(both));
      redundant = redundant || 2 * both.size() >= one.rows.size();
    }
    stay += redundant ? 0 : 1;
  }
  EXPECT_EQ(some.clusters.size(), stay);
  EXPECT_LT(stay, all.clusters.size());
}

TEST(SubspaceCandidates, LeaveConstantColumnsOutAndSaySo) {
  Table table = planted_table(100, 3, 2, 40, 7);
  table.values.col(2).setConstant(4.0);
  const ClusterCandidates found = find_clusters(table);
  EXPECT_EQ(found.varying, (std::vector<Index>{0, 1}));
  ASSERT_EQ(found.warnings.size(), 1U);
  EXPECT_NE(found.warnings[0].find("x3"), std::string::npos);
  for (const SubspaceCluster& one : found.clusters) EXPECT_EQ(std::count(one.columns.begin(), one.columns.end(), 2), 0);
}

TEST(SubspaceCandidates, AreNoneWhereAllRowsAreTheSame) {
  const ClusterCandidates found = find_clusters(make_table(Matrix::Constant(30, 2, 1.0)));
  EXPECT_TRUE(found.clusters.empty());
  EXPECT_EQ(found.warnings.size(), 2U);
}

TEST(SubspaceCandidates, OfRowsThatRepeatAreFound) {
  Table table = planted_table(60, 3, 3, 0, 8);
  for (Index i = 0; i < 20; ++i) table.values.row(i) = table.values.row(0);
  const ClusterCandidates found = find_clusters(table);
  bool together = false;
  for (const SubspaceCluster& one : found.clusters)
    together = together || (one.columns.size() == 3 && one.rows.size() >= 20 && one.rows[19] == 19);
  EXPECT_TRUE(together);
}

TEST(SubspaceCandidates, AreLookedForInFewerColumnsWhereThereAreTooMany) {
  const Table table = planted_table(100, 8, 8, 60, 9);
  CandidateOptions options = adaptive(0.2, 8);
  options.max_candidates = 60;
  const ClusterCandidates found = find_clusters(table, options);
  EXPECT_LE(found.clusters.size(), 60U);
  EXPECT_GE(found.max_columns, 1);
  EXPECT_LT(found.max_columns, 8);
  ASSERT_FALSE(found.warnings.empty());
  EXPECT_NE(found.warnings.back().find("--max-candidates"), std::string::npos);
  options.max_columns = found.max_columns;
  EXPECT_EQ(find_clusters(table, options).clusters.size(), found.clusters.size());
  options.max_columns = found.max_columns + 1;
  options.max_candidates = 1'000'000;
  EXPECT_GT(find_clusters(table, options).clusters.size(), 60U);
  options.max_subspaces = 7;  // there are 8 columns
  try {
    find_clusters(table, options);
    FAIL() << "7 subspaces were enough";
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), Fault::resource);
    EXPECT_EQ(error.code(), "cluster.candidates");
  }
}

TEST(SubspaceCandidates, SearchEndsWhenItsObserverSaysSo) {
  try {
    find_clusters(planted_table(400, 10, 6, 200, 10), {}, [](const std::string&, double) { return false; });
    FAIL() << "nothing stopped it";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), "interrupted");
  }
}

TEST(SubspaceCandidates, NeedTwoRowsAndFiniteCells) {
  EXPECT_THROW(find_clusters(make_table(Matrix::Ones(1, 3))), Error);
  Table table = planted_table(20, 2, 2, 5, 11);
  table.values(3, 1) = std::nan("");
  EXPECT_THROW(find_clusters(table), Error);
  CandidateOptions options;
  options.scaled = false;
  EXPECT_THROW(find_clusters(planted_table(20, 2, 2, 5, 11), options), Error);
}

}  // namespace
}  // namespace cda
