// Small tables with and without clusters, and all pairs of rows compared the naive way.
#pragma once

#include <cmath>
#include <set>
#include <vector>

#include "cda/cluster.hpp"
#include "cda/extend/random.hpp"

namespace cda {

// Uniform rows, of which `size` are drawn together in the first `columns` columns.
inline Table planted_table(Index rows, Index all, Index columns, Index size, std::uint64_t seed) {
  Random random(seed, "planted cluster");
  Matrix values(rows, all);
  for (Index i = 0; i < rows; ++i)
    for (Index j = 0; j < all; ++j)
      values(i, j) = i < size && j < columns ? 0.3 + 0.02 * random.normal() : random.uniform();
  return make_table(values);
}

inline double squared_distance(const Matrix& values, const std::vector<Index>& columns, Index a, Index b) {
  double sum = 0.0;
  for (const Index column : columns)
    sum += (values(a, column) - values(b, column)) * (values(a, column) - values(b, column));
  return sum;
}

inline bool near(const Matrix& values, const std::vector<Index>& columns, Index a, Index b, double radius) {
  return std::sqrt(squared_distance(values, columns, a, b)) <= radius;
}

// Clusters of one subspace by definition: all pairs, then sets that grow until nothing changes.
template <class IsCore>
std::set<std::set<Index>> naive_clusters(const Matrix& values, const std::vector<Index>& columns, double radius,
                                         const IsCore& is_core) {
  std::set<std::set<Index>> clusters;
  for (Index start = 0; start < values.rows(); ++start) {
    if (!is_core(start)) continue;
    std::set<Index> rows{start};
    for (bool grown = true; grown;) {
      grown = false;
      for (const Index a : std::set<Index>(rows)) {
        if (!is_core(a)) continue;
        for (Index b = 0; b < values.rows(); ++b)
          if (near(values, columns, a, b, radius) && rows.insert(b).second) grown = true;
      }
    }
    clusters.insert(rows);
  }
  return clusters;
}

inline std::vector<std::vector<Index>> all_subspaces(Index columns) {
  std::vector<std::vector<Index>> all;
  for (Index mask = 1; mask < (Index{1} << columns); ++mask) {
    std::vector<Index> subspace;
    for (Index j = 0; j < columns; ++j)
      if ((mask >> j & 1) != 0) subspace.push_back(j);
    all.push_back(subspace);
  }
  return all;
}

inline std::set<std::set<Index>> found_in(const ClusterCandidates& candidates, const std::vector<Index>& subspace) {
  std::set<std::set<Index>> clusters;
  for (const SubspaceCluster& one : candidates.clusters)
    if (one.columns == subspace) clusters.insert({one.rows.begin(), one.rows.end()});
  return clusters;
}

}  // namespace cda
