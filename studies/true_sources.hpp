// How far matching gets where nothing has to be searched for: what a fit may at best be expected to reach.
#pragma once

#include <vector>

#include "table/synthetic_kinds.hpp"

namespace cda {

// The true sources of both tables, shared and own ones, stand in the place of the components found and are matched as
// those are. For each pair the shared source that it is on both sides, -1 where there is none.
std::vector<Index> matched_true_sources(const Planted& planted);

// Also the shapes themselves are known: the true sources of each table are matched with the shapes that table has, and
// those of both tables that go with the same shape are a pair.
std::vector<Index> matched_known_shapes(const Planted& planted);

}  // namespace cda
