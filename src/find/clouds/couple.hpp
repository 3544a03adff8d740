// The whole of cCDA between two clouds: optima from many starts on several subsamples, judged on common rows, and what
// the best of them say together.
//
// The best optima differ by less than subsamples do, so taking the one with the largest RV is a lottery in which
// mirrored answers win often. Instead each counts by how near its RV comes to the largest,
//
//   M = sum_i w_i M_i,    w_i ~ exp( (RV_i / RV_max - 1) / tie ),
//
// so that directions on which they agree keep their strength, and those on which they contradict each other cancel: the
// mean of a Gibbs distribution over optima, in place of its mode.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "cda/extend/coupling.hpp"
#include "find/clouds/ascent.hpp"

namespace cda {

struct CoupleOptions {
  Index leading = 3;      // components whose signs are tried
  Index searched = 300;   // rows of each table in a subsample that is searched
  Index subsamples = 6;   // one of each half of the rows, the others of all
  Index judging = 1000;   // rows of each table in the subsample that judges
  int polish = 6;         // turns on these
  Index candidates = 40;  // optima that are judged, at most
  double tie = 0.01;      // relative difference of RV at which an optimum counts 1/e, where 600 rows or more judge
  Index choice = 1;       // 1: the consensus; 2: the best single optimum, 3: the next, and so on
  std::uint64_t seed = 0;
  AscentOptions ascent = {};
};

struct Coupled {
  Matrix moment;  // M of the choice
  Coupling coupling;
  std::vector<Optimum> optima;  // the alternatives themselves
  int iterations = 0;
  bool finished = true;  // false: it was enough before the end
};

// `proceed` is told the share that is done, and answers whether to go on; it may throw.
Coupled couple(const PointCloud& x, const PointCloud& y, const CoupleOptions& options, const Executor& executor,
               const std::function<bool(double share)>& proceed);

// Weights of optima in the consensus; they sum to one. The optima are in the order of their RV.
Vector consensus_weights(const std::vector<Optimum>& optima, double tie);

// Whether two answers have less than half in common:
//
//   among the optima       two drawn by their weights have the mean cosine coherence^2
//   between the halves     their cosine c is the reliability of half the rows; that of all is 2c / (1 + c) (Spearman
//                          1910, Brown 1910)
bool is_ambiguous(double coherence, double halves);

// The aligned scores: directions of both clouds, by the singular vectors of M, with values of variance (S_j / S_1)^2
// in pair j. `x` and `y` are d x r, for rows of `white`.
struct AlignedAxes {
  Matrix x, y;
  Vector strengths;  // r: S_j^2, shares of RV
};
AlignedAxes aligned_axes(const PointCloud& x, const PointCloud& y, const Matrix& moment, Index pairs);

}  // namespace cda
