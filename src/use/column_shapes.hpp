// The shapes of columns as vectors, how similar they are, and how they would look in another sample.
//
// A column's shape is its quantile function in 256 block means q, centred. Its mirror image, -x, has quantiles
// -reverse(q), so with h(q) the first half of q and t(q) the second half reversed,
//
//   symmetric = (h - t) / sqrt 2,   skewed = (h + t) / sqrt 2
//
// keep all inner products, and mirroring only turns the sign of the skewed part. For columns i of X and j of Y let S
// and A be the inner products of the two parts over the blocks. Then
//
//   standardised   similarity = S + |A| for unit vectors: the correlation of the quantile functions under the better
//                  sign, which is that of A;  1 - W2^2 / 2 of the standardised columns
//   raw            similarity = 2 (S + A) / (var x + var y + (mean x - mean y)^2): the concordance of the quantile
//                  functions (Lin 1989);  1 - W2^2 / that denominator
//
// Quantile functions increase, hence both lie in [0, 1]. All pairs together are two matrix products, O(256 m l).
//
// Another sample of a column is drawn as by the Bayesian bootstrap (Rubin 1981): the values keep their places and get
// weights that are exponential numbers over their sum. Runs of neighbouring sorted values are drawn as one, with the
// sum of their weights (a gamma number): single values in the outer tails, where a mean hangs on few of them, runs of
// up to n / 512 in the middle, about a thousand draws however long the column. No sample is ever constant. Columns are
// resampled independently of each other, although rows would tie those of one table together: similarities look at one
// column of each table at a time and so have the right distribution; only in comparisons between columns that vary
// together the noise is a little overstated. In return neither the order of the rows nor cells missing elsewhere
// matter.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cda/extend/random.hpp"
#include "cda/match.hpp"
#include "cda/types.hpp"

namespace cda {

struct Column {
  Index number = 0;  // in its table
  std::string name;
  Index rows = 0;      // cells that are there
  Index distinct = 0;  // different values among them; below 2 nothing else here is set
  double origin = 0.0;
  Vector quantiles;  // of (values - origin) in the unit of comparison
  Vector run_means;  // the same values, in runs of neighbours ...
  Vector run_sizes;  // ... of so many
  Vector run_quantiles;

  bool varies() const { return distinct > 1; }
  bool few_valued() const { return distinct < 10; }
};

// The column's cells that are there, sorted and brought down by the power of two of `scale_exponent`. O(n log n).
Column describe_column(const Table& table, Index number, int scale_exponent);

// The exponent of the largest value: scaled by it, nothing computed overflows. None where all are zero or missing.
std::optional<int> largest_exponent(const Eigen::Ref<const Vector>& values);

// The shapes of several columns, ready for comparison.
struct ColumnShapes {
  Matrix symmetric, skewed;  // 128 x columns
  Vector means, variances;
};
ColumnShapes shapes_of(const std::vector<Column>& columns, MatchUnits units);
ColumnShapes resampled(const std::vector<Column>& columns, MatchUnits units, const Random& random);

struct Similarities {
  Matrix values;  // columns of X x columns of Y, in [0, 1]
  Matrix skewed;  // A; its sign is that of the match
};
Similarities similarities(const ColumnShapes& x, const ColumnShapes& y, MatchUnits units);

// Similarity of each column of one with the same column of the other, not mirrored.
Vector own_similarities(const ColumnShapes& a, const ColumnShapes& b, MatchUnits units);

// Is the column as near to a bell curve, or to an even spread, as that many values drawn from it? In 99 of 100 samples
// of n normal values 1 - similarity to the normal distribution is below 2 / n (n from 5 to 100000), flat ones below 1.6
// / n. Besides, a thousandth is nothing to stand out by: as much as the sum of three even numbers differs from normal.
// Columns with few values are neither.
bool bell_shaped(const Column& column);
bool flat(const Column& column);

}  // namespace cda
