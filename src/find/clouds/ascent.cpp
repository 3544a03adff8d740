#include "find/clouds/ascent.hpp"

#include <algorithm>
#include <cmath>

#include "find/clouds/overlap.hpp"

namespace cda {
namespace {

// |X' diag(mass) X|, for the mass that a plan really gives to each row: RV is then at most 1 however far its sums are
// from those wanted. A far row that gets a little too much would else pass for a correlation.
double self_correlation(const FloatMatrix& scores, const FloatVector& mass) {
  const FloatMatrix weighted = mass.asDiagonal() * scores;
  return (scores.transpose() * weighted).cast<double>().norm();
}

// Similarities of rows. Where rows may be left without a counterpart it matters how near the nearest is; else products
// serve, which differ from distances by what sums of rows and columns take up.
FloatMatrix similarities(const FloatMatrix& x, const FloatMatrix& y, const Matrix& moment, bool distances) {
  if (!distances) return product(x * moment.cast<float>(), y.transpose());
  const AlignedScores scores = aligned_scores(x, y, moment);
  return nearness(scores.x, scores.y);
}

}  // namespace

double cosine(const Matrix& a, const Matrix& b) {
  const double norms = a.norm() * b.norm();
  return norms > 0.0 ? a.cwiseProduct(b).sum() / norms : 0.0;
}

std::vector<Matrix> sign_starts(Index p, Index q, Index leading) {
  std::vector<Matrix> starts;
  for (Index count = 1; count <= std::min({leading, p, q}); ++count)
    for (Index signs = 0; signs < (Index{1} << count); ++signs) {
      Matrix start = Matrix::Zero(p, q);
      for (Index i = 0; i < count; ++i) start(i, i) = ((signs >> i) & 1) == 0 ? 1.0 : -1.0;
      starts.push_back(start / start.norm());
    }
  return starts;
}

std::vector<Optimum> distinct(std::vector<Optimum> optima, double same) {
  std::vector<Optimum> kept;
  for (Optimum& optimum : optima)
    if (std::none_of(kept.begin(), kept.end(),
                     [&](const Optimum& other) { return cosine(optimum.moment, other.moment) > same; }))
      kept.push_back(std::move(optimum));
  return kept;
}

std::vector<Optimum> ascend(const CloudPart& x, const CloudPart& y, const std::vector<Matrix>& starts, bool white_first,
                            const AscentOptions& options, const Executor& executor,
                            const std::function<bool()>& proceed) {
  constexpr int settling = 3;  // turns before a start can have arrived
  const bool distances = std::isfinite(options.transport.reach);
  const double all_of_x = self_correlation(x.scores, x.mass);  // balanced plans meet the sums of rows
  struct Climb {
    Optimum at;
    Matrix ahead;            // where the next plan is made
    FloatVector logarithms;  // of the plan before, from which the next is not far
    bool arrived = false;
  };
  std::vector<Climb> climbs(starts.size());
  for (std::size_t i = 0; i < starts.size(); ++i) climbs[i].at.moment = climbs[i].ahead = starts[i];
  for (int turn = 0; turn < options.iterations; ++turn) {
    if (turn > 0 && proceed && !proceed()) break;
    executor.for_each(static_cast<Index>(climbs.size()), [&](Index i) {
      Climb& climb = climbs[static_cast<std::size_t>(i)];
      if (climb.arrived) return;
      Optimum& optimum = climb.at;
      const bool white = white_first && turn == 0;
      const Plan plan =
          sinkhorn(similarities(white ? x.white : x.scores, white ? y.white : y.scores, climb.ahead, distances), x.mass,
                   y.mass, options.transport, climb.logarithms);
      climb.logarithms = plan.logarithms;
      Matrix moment = plan.between(x.scores, y.scores);
      const double norm = moment.norm();
      ++optimum.iterations;
      if (!(norm > 0.0) || !std::isfinite(norm)) {
        climb.arrived = true;
        return;
      }
      moment /= norm;
      const double of_x = distances ? self_correlation(x.scores, plan.row_sums()) : all_of_x;
      optimum.correlation = norm * norm / (of_x * self_correlation(y.scores, plan.column_sums()));
      climb.arrived = turn + 1 >= settling && cosine(moment, climb.ahead) > options.same_as_before;
      climb.ahead = white ? moment : Matrix(moment + options.ahead * (moment - climb.ahead));
      optimum.moment = std::move(moment);
    });
    // Of two that have met the earlier one goes on.
    std::vector<Climb> kept;
    for (Climb& climb : climbs)
      if (std::none_of(kept.begin(), kept.end(), [&](const Climb& other) {
            return cosine(climb.at.moment, other.at.moment) > options.same_as_other;
          }))
        kept.push_back(std::move(climb));
    climbs = std::move(kept);
    if (turn > 0) {
      double best = 0.0;
      for (const Climb& climb : climbs) best = std::max(best, climb.at.correlation);
      std::erase_if(climbs, [&](const Climb& one) { return one.at.correlation < (1.0 - options.behind) * best; });
    }
    if (std::all_of(climbs.begin(), climbs.end(), [](const Climb& one) { return one.arrived; })) break;
  }
  std::vector<Optimum> optima;
  for (Climb& climb : climbs) optima.push_back(std::move(climb.at));
  std::stable_sort(optima.begin(), optima.end(),
                   [](const Optimum& a, const Optimum& b) { return a.correlation > b.correlation; });
  return optima;
}

}  // namespace cda
