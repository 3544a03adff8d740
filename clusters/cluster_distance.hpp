// The distance of clusters, prepared once and then measured many times.
#pragma once

#include <cstdint>

#include "cda/cluster.hpp"
#include "cda/fit.hpp"

namespace cda {

// The rows and columns of a cluster, at most so many rows.
Table cluster_table(const Matrix& values, const SubspaceCluster& cluster, Index most_rows, std::uint64_t seed);

class ClusterDistance {
 public:
  ClusterDistance(const ClusterDistanceOptions& options, std::uint64_t seed);

  Table table(const Matrix& values, const SubspaceCluster& cluster) const {
    return cluster_table(values, cluster, rows_, seed_);
  }
  double between(const Table& a, const Table& b, const FitObserver& observer) const;

 private:
  FitOptions fit_;
  Index rows_;
  std::uint64_t seed_;
  bool shapes_only_ = false;
};

}  // namespace cda
