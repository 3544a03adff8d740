// Tables fitted like the data with one side replaced at a time: what a match is compared with where no shortcut past
// the fit is known. Both sides are replaced in turn, since a real table must not be held responsible for a match that
// any partner would reach; the larger of the two p counts. One surrogate costs one fit.
#pragma once

#include <functional>

#include "evidence/study.hpp"
#include "find/components/matching.hpp"

namespace cda {

using TableDraw = std::function<Table(Random&)>;

struct Surrogates {
  const Table& x;  // the real tables
  const Table& y;
  TableDraw foreign_x, foreign_y;
  FitOptions options;                                                                 // of every fit, on one thread
  Index statistics = 1;                                                               // how many a fit has
  std::function<Vector(const Model&, const Table& x, const Table& y)> statistics_of;  // smaller is better
};

// One row per surrogate, one column per statistic.
struct NullStatistics {
  Matrix foreign_x, foreign_y;
};

// A fit without an answer counts as one that reaches everything: minus infinity. Each finished fit is one piece of the
// study's progress. The same for any number of threads.
NullStatistics refit(const Study& study, const Surrogates& surrogates, int count, const Random& draw);

struct NullAnswer {
  double p = 1.0;
  Vector quantiles;  // of the side that gives p, without fits that had no answer
};
// p = max over both sides of (1 + #{T* <= T}) / (B + 1).
NullAnswer compared(double observed, const Vector& foreign_x, const Vector& foreign_y);

// The shapes of each pair's values on these tables: deviations from the normal, one column per pair.
struct PairShapes {
  Shapes x, y;
};
PairShapes shapes_of_pairs(const Model& model, const Table& x, const Table& y);

// J_g = ((1 - g)(|a|^2 + |b|^2) - 2 <a, b>) / 256 of two deviations: small where both are strong and alike. What iCDA
// searches with g = .5 and chooses by g = .25 is told from chance best with g = .1 (docs/evidence.md).
double mismatch(const Vector& a, const Vector& b, double weight);
constexpr double pair_weight = 0.1, global_weight = 0.25;
constexpr Index global_pairs = 3;

// J_.1 of each of `pairs` pairs, then the sum of J_.25 over the first three of them.
Vector shape_statistics(const PairShapes& shapes, Index pairs);

// Rows each repeated `block` times, `rows` in all: as many independent rows as blocks.
Matrix in_blocks(const Matrix& independent, Index rows, Index block);
Index block_count(Index rows, Index block);

}  // namespace cda
