// How much of two clouds that were laid on each other is common to both. For shares a and b of the rows of either table
// that lie about a place,
//
//   overlap = sum over places of min(a, b) = 1 - total variation of the two,
//
// is 1 where both have the same composition, .6 where three of five equal groups are in the other table, 0 where
// nothing is common. About a place a plan with relaxed sums (find/clouds/sinkhorn.hpp) couples a mass that goes with
// sqrt(a b), and a plan of a table with itself one that goes with a, at the same blur and reach; so for a row the
// square of their ratio is about b / a, and the mean of min(1, b / a) over the rows of a table is the overlap. Both
// tables say it, and the mean is taken. How near rows have to be to count as the same place is what `reach` says.
#pragma once

#include "find/clouds/sinkhorn.hpp"

namespace cda {

// Scores (n x p, k x q) along the directions that M = U S V' brings together: x U S^(1/2), y V S^(1/2).
struct AlignedScores {
  FloatMatrix x, y;
};
AlignedScores aligned_scores(const FloatMatrix& x, const FloatMatrix& y, const Matrix& moment);

// n x k: minus the squared distances of rows.
FloatMatrix nearness(const FloatMatrix& x, const FloatMatrix& y);

// With a finite reach. O(turns (n + k)^2).
double overlap(const AlignedScores& scores, const FloatVector& x_mass, const FloatVector& y_mass,
               const SinkhornOptions& options);

}  // namespace cda
