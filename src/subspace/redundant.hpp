// INSCY's rule of redundancy (Assent et al. 2008): a cluster says nothing new where one with more columns holds most of
// its rows. Compared with subspaces of one more column, through which any larger one is reached.
#pragma once

#include <vector>

#include "cda/cluster.hpp"
#include "cda/executor.hpp"

namespace cda {

// Those that stay: no cluster in one more column holds `share` of their rows. Clusters are ordered by columns.
std::vector<SubspaceCluster> without_redundant(std::vector<SubspaceCluster> clusters, double share, Index columns,
                                               const Executor& executor);

}  // namespace cda
