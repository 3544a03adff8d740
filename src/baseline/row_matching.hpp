// Which row of Y goes with which row of X, by the least sum of squared distances |x_i - y_p(i)|^2 over one-to-one p:
// every row of the shorter table has a partner, the others of the longer are left over.
//
//   one column        exact, by sorting: with equal numbers of rows the ranks belong together; with unequal ones rows
//   are
//                     taken in increasing order, and each either takes the nearest free one beyond the last taken, or
//                     the last run of neighbours moves down by one to make room. O(n log n) and the moves.
//   up to 3000 rows   exact, by the assignment of the whole cost matrix (foundation/assignment.hpp)
//   more              candidates: the 50 nearest rows, and one that the order along the first column gives, so that
//   there
//                     always is an assignment. Its prices tell which pairs left out could make it cheaper; those are
//                     added and it is solved again, until there are none (then it is exact) or after some rounds (then
//                     a bound says how far it is from the cheapest). No array grows with the product of the rows.
#pragma once

#include <vector>

#include "cda/types.hpp"

namespace cda {

struct RowMatching {
  std::vector<Index> partners;  // per row of x: its row of y, or -1
  double cost = 0.0;            // sum of squared distances
  double excess = 0.0;          // the cheapest costs no less than (1 - excess) * cost

  // The rows of both that belong together, in the order of x.
  std::vector<Index> x_rows() const;
  std::vector<Index> y_rows() const;
};

struct MatchingLimits {
  Index dense_rows = 3000;  // the longer table, up to which the whole cost matrix is written down
  Index neighbours = 50;
  int rounds = 12;  // of adding pairs
};

RowMatching match_rows(const Matrix& x, const Matrix& y, const MatchingLimits& limits = {});

// The nearest row of y for every row of x, however often.
RowMatching nearest_matching(const Matrix& x, const Matrix& y);

// Both in increasing order, x not longer than y: the place in y for each of x.
std::vector<Index> match_increasing(const std::vector<double>& x, const std::vector<double>& y);

}  // namespace cda
