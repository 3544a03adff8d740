// Which row of Y goes with which row of X, by the least sum of squared distances |x_i - y_p(i)|^2 over one-to-one p:
// every row of the shorter table has a partner, the others of the longer are left over.
//
//   one column        exact, by sorting. With equal numbers of rows the ranks belong together; with unequal ones rows
//                     are taken in increasing order, and each either takes the nearest free one beyond the last taken,
//                     or the last run of neighbours moves down by one to make room. O(n log n) and the moves.
//   up to 3000 rows   exact, by the assignment of the whole cost matrix (base/assignment.hpp)
//   more              by candidates: the 50 rows that cost least, and one that the order along the first column gives,
//                     so that there always is an assignment. What a row costs is its squared distance less its price,
//                     for where shapes differ many rows have the same nearest ones, and few can have them. Prices at
//                     first are those of some of the rows, carried over to all: p(y) = min_i |x_i - y|^2 - q(x_i).
//                     Those of the assignment tell which pairs left out could make it cheaper; these are added and it
//                     is solved again, until there are none, and it is exact, or after some rounds, and a bound says
//                     how far it may be from the cheapest. No array grows with the product of rows.
#pragma once

#include <vector>

#include "cda/types.hpp"

namespace cda {

struct RowMatching {
  std::vector<Index> partners;  // per row of x: its row of y, or -1
  double cost = 0.0;            // sum of squared distances
  double excess = 0.0;          // the cheapest costs no less than (1 - excess) * cost
  Vector y_prices = {};         // where both have as many rows: what a similar matching may begin with

  // The rows of both that belong together, in the order of x.
  std::vector<Index> x_rows() const;
  std::vector<Index> y_rows() const;
};

struct MatchingLimits {
  Index dense_rows = 3000;  // the longer table, up to which the whole cost matrix is written down
  Index neighbours = 50;
  Index coarse_rows = 1000;  // of each table, from which first prices are taken
  int rounds = 12;           // of adding pairs
};

// `y_prices`: of a similar matching, to begin with. They change how long it takes, not what is found.
RowMatching match_rows(const Matrix& x, const Matrix& y, const MatchingLimits& limits = {},
                       const Vector& y_prices = {});

// The nearest row of y for every row of x, however often.
RowMatching nearest_matching(const Matrix& x, const Matrix& y);

// Both in increasing order, x not longer than y: the place in y for each of x.
std::vector<Index> match_increasing(const std::vector<double>& x, const std::vector<double>& y);

}  // namespace cda
