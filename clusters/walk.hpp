// All subspaces that can hold a cluster, one column after another.
#pragma once

#include <optional>
#include <vector>

#include "cda/cluster.hpp"
#include "cda/extend/executor.hpp"
#include "clusters/density.hpp"

namespace cda {

struct Walked {
  std::vector<Region> regions;  // in no order
  Index subspaces = 0;          // looked into
};

struct WalkLimits {
  Index columns, candidates, subspaces;
};

// Nothing where there is more than the limits allow. `values`: n x all columns; `searched`: those to look at.
std::optional<Walked> walk_subspaces(const Matrix& values, const std::vector<Index>& searched,
                                     const DensityThreshold& threshold, const WalkLimits& limits,
                                     const Executor& executor, const ClusterObserver& observer);

}  // namespace cda
