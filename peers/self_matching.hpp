// A correspondence of rows that makes two tables as correlated as can be (matching of samples by maximal dependency:
// Tripathi, Klami, Oresic and Kaski, Data Min. Knowl. Discov. 23, 2011). In turn until nothing changes:
//
//   p = the cheapest one-to-one matching of the rows of X A and Y B (row_matching.hpp)
//   A, B = canonical directions of the pairs (X_i, Y_p(i)), regularised (cca.hpp)
//
// Either step lowers the distance of the pairs, more or less: the end is a local optimum, and there are many. Hence
// several starts: whitened principal components with their signs by skewness, the same with other signs, and random
// matchings. Each is run on one half of the rows and judged on the other: its directions are applied there, rows are
// matched by them, and the correlations of the pairs added up. The best one goes on, on all rows.
//
// Correlations of pairs that were matched by the very values they correlate are high whatever the tables: .9 and more
// where nothing is related. Judged on other rows they still are; held out is only the search for directions. They rank
// starts, and say nothing of whether rows belong together.
#pragma once

#include <cstdint>
#include <vector>

#include "cda/extend/executor.hpp"
#include "cda/types.hpp"
#include "peers/pace.hpp"
#include "peers/row_matching.hpp"

namespace cda {

struct SelfMatchingOptions {
  double kappa = 0.05;
  Index iterations = 50;
  Index random_starts = 10;
  Index scouts = 500;        // rows of each half that starts are run and judged on
  bool many_to_one = false;  // each row of X with the nearest of Y, however often
  bool weighted = false;     // values times the root of their correlation: weak pairs count less in the matching
  MatchingLimits limits = {};
};

struct SelfMatching {
  Matrix x, y;                  // p x K, q x K: A and B
  std::vector<Index> partners;  // per row of X: its row of Y, or -1
  Vector held_out;              // K: correlations of the kept start on rows it was not run on
  Vector correlations;          // K: of the pairs in the end
  double excess = 0.0;          // of the last matching's cost over the cheapest, at most
  int iterations = 0;
  bool converged = false;
  bool judged_in_sample = false;  // too few rows to hold any out
  std::string why;
};

// K pairs, at most the smaller rank.
SelfMatching match_by_correlation(const Matrix& x, const Matrix& y, Index components,
                                  const SelfMatchingOptions& options, std::uint64_t seed, const Executor& executor,
                                  Pace& pace);

}  // namespace cda
