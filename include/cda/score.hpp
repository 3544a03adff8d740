// How good a common space is, where something about the truth is known: which rows belong together, which label a row
// has, or which directions carry what both tables share. Every figure comes with the level that chance would reach.
#pragma once

#include <string>
#include <vector>

#include "cda/extend/executor.hpp"
#include "cda/types.hpp"

namespace cda {

// ---- Rows that belong together ----

// Fraction of samples closer than the true match (FOSCTTM; Liu, Huang, Singh, Vert and Noble 2019): row i of both
// belongs together; for each row of X, the share of the other rows of Y that are nearer to it than its own partner, and
// the same for each row of Y. 0 is perfect; chance is 1/2. Rows as near as the partner count half.
struct PartnerRanks {
  double x_to_y = 0.0, y_to_x = 0.0;

  static constexpr double chance = 0.5;
  double mean() const { return 0.5 * (x_to_y + y_to_x); }
};
// n x r both, n >= 2, finite. O(n^2 r) time in blocks of fixed size.
PartnerRanks closer_than_partner(const Matrix& x, const Matrix& y, const Executor& executor);

// ---- Rows that are near ----

struct NearRow {
  double squared = 0.0;  // squared distance
  Index row = 0;         // of the others
};
// For each row the `count` nearest of the others (all, where they are fewer), the nearest first; equally near ones in
// their order. O(n k r) time in blocks of fixed size.
std::vector<std::vector<NearRow>> nearest_rows(const Matrix& rows, const Matrix& others, Index count,
                                               const Executor& executor);

// ---- Rows with labels ----

// The class of each row as the vote of the `neighbours` rows nearest to it among labelled ones; where votes are equal,
// the class of the nearest of those. O(n k r) time in blocks of fixed size.
Vector vote_of_nearest(const Matrix& rows, const Matrix& labelled_rows, const Vector& labels, Index neighbours,
                       const Executor& executor);

// The share of rows whose label is that of the rows nearest to them in the other table.
struct LabelTransfer {
  double accuracy = 0.0;
  double chance = 0.0;    // the same votes dealt to the rows at random
  double majority = 0.0;  // always the most frequent label of the table with the known labels
  Index rows = 0;
};
LabelTransfer label_transfer(const Matrix& rows, const Vector& truth, const Matrix& labelled_rows, const Vector& labels,
                             Index neighbours, const Executor& executor);

// ---- Directions that are known ----

// How far the space spanned by the columns found is from the true one, both in R^m:
//
//   error = |P - Q|_F / (the most that this distance can be for spaces of these dimensions)
//
// with the orthogonal projections P and Q onto them, so lengths and dependent columns make no difference. For two
// spaces of dimension r the divisor is sqrt(2 min(r, m - r)): 0 is the same space, 1 as far apart as R^m has room for.
// For dimensions a and b it is sqrt(a + b - 2 max(0, a + b - m)), and the least that can be reached is sqrt|a - b|
// divided by it, where one contains the other. Where both are all of R^m the error is 0 by necessity and says nothing.
struct SubspaceError {
  double error = 0.0;
  double largest_angle = 0.0;  // degrees: the largest principal angle, of min(a, b); 0 where one contains the other
};
SubspaceError subspace_error(const Matrix& found, const Matrix& truth);  // m x a, m x b

// The mean of that error where a space of dimension found_rank is drawn at random: by a simulation that is the same
// every time, with a standard error below .005.
double chance_subspace_error(Index dimension, Index found_rank, Index truth_rank);
SubspaceError chance_subspace(Index dimension, Index found_rank, Index truth_rank);  // with the mean of the angle

// The directions in a truth.json of `cda synth`: a column for each, a row for each column of the table.
struct TrueDirections {
  Matrix x, y;
};
TrueDirections true_directions(const std::string& text, const std::string& source = "truth");

}  // namespace cda
