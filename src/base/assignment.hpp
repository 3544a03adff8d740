// The cheapest one-to-one assignment of rows to columns of a cost matrix.
//
//   minimise  sum_i costs(i, partner(i))   over one-to-one partners of the shorter side
//
// By shortest augmenting paths with prices (Jonker and Volgenant 1987; rectangular: Crouse 2016): O(a^2 b) for the
// shorter side a and the longer b, usually far less. Deterministic: among equals the lowest number wins.
//
// The prices prove the result. For every pair  row_prices(i) + column_prices(j) <= costs(i, j), with equality where i
// and j are partners; on the longer side prices are <= 0, and 0 for those left over. Hence no assignment costs less
// than the sum of all prices, which is the cost of this one. (All of it up to rounding of the largest cost.)
#pragma once

#include <vector>

#include "cda/types.hpp"

namespace cda {

struct Assignment {
  std::vector<Index> column_of_row;  // -1: left over
  std::vector<Index> row_of_column;
  Vector row_prices, column_prices;
  double cost = 0.0;  // of the partners, summed in the order of the rows
};

// Costs are finite and of any sign, the matrix of any shape, also empty. `column_prices` of a similar problem make a
// square one faster to solve; where sides differ they are of no use, since what is left over has to have price 0.
Assignment cheapest_assignment(const Matrix& costs, const Vector& column_prices = {});

}  // namespace cda
