// Choosing rows of a table: resampled with replacement, or dealt into two hands. Rows that follow each other in time
// and resemble their neighbours are taken in blocks, so that what is chosen varies as much as new data would.
#pragma once

#include <vector>

#include "cda/extend/random.hpp"
#include "cda/table.hpp"

namespace cda {

Table rows_of(const Table& table, const std::vector<Index>& rows);

// `count` of the rows 0 .. count - 1 with replacement, in runs of `block` that start anywhere and go round the end.
std::vector<Index> resampled_rows(Index count, Index block, Random& random);

// The rows 0 .. count - 1 with their blocks of `block` in a random order.
std::vector<Index> shuffled_rows(Index count, Index block, Random& random);

// The table with its rows in an order given by their content alone.
Table in_canonical_order(const Table& table);

}  // namespace cda
