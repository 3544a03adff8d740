// INSCY's rule of redundancy (Assent et al. 2008): a cluster says nothing new where one with more columns holds most of
// its rows. Compared with subspaces of one more column, through which any larger one is reached.
#pragma once

#include <vector>

#include "cda/extend/executor.hpp"
#include "clusters/density.hpp"

namespace cda {

// Drops those of which some region in one more column holds `share` of the rows.
void drop_redundant(std::vector<Region>& regions, double share, Index columns, const Executor& executor);

}  // namespace cda
