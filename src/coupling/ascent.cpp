#include "coupling/ascent.hpp"

#include <algorithm>
#include <cmath>

#include "foundation/linear_algebra.hpp"

namespace cda {
namespace {

// |X' diag(mass) X|, for the mass that a plan really gives to each row: RV is then at most 1 however far its sums are
// from those wanted. A far row that gets a little too much would else pass for a correlation.
double self_correlation(const FloatMatrix& scores, const FloatVector& mass) {
  const FloatMatrix weighted = mass.asDiagonal() * scores;
  return (scores.transpose() * weighted).cast<double>().norm();
}

// Similarities of rows. Where rows may be left without a counterpart they are squared distances of the aligned scores,
// for then it matters how near the nearest is; else products, which differ by what sums of rows and columns take up.
FloatMatrix similarities(const FloatMatrix& x, const FloatMatrix& y, const Matrix& moment, bool distances) {
  const FloatMatrix mapped = x * moment.cast<float>();
  FloatMatrix similar = mapped * y.transpose();
  if (!distances) return similar;
  // 2 x'My - x'(MM')^(1/2)x - y'(M'M)^(1/2)y is minus the squared distance of S^(1/2)U'x and S^(1/2)V'y.
  const SingularParts parts = singular_parts(moment);
  const FloatVector roots = parts.values.cwiseSqrt().cast<float>();
  const FloatVector x_norms = (x * parts.left.cast<float>() * roots.asDiagonal()).rowwise().squaredNorm();
  const FloatVector y_norms = (y * parts.right.cast<float>() * roots.asDiagonal()).rowwise().squaredNorm();
  similar *= 2.0F;
  similar.colwise() -= x_norms;
  similar.rowwise() -= y_norms.transpose();
  return similar;
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
  std::vector<Optimum> optima;
  for (const Matrix& start : starts) optima.push_back({start, 0.0, 1.0, 0});
  std::vector<char> arrived(starts.size(), 0);
  for (int turn = 0; turn < options.iterations; ++turn) {
    if (turn > 0 && proceed && !proceed()) break;
    executor.for_each(static_cast<Index>(optima.size()), [&](Index i) {
      const auto at = static_cast<std::size_t>(i);
      if (arrived[at] != 0) return;
      Optimum& optimum = optima[at];
      const bool white = white_first && turn == 0;
      const Plan plan = sinkhorn(
          similarities(white ? x.white : x.scores, white ? y.white : y.scores, optimum.moment, distances && !white),
          x.mass, y.mass, options.transport);
      Matrix moment = plan.between(x.scores, y.scores);
      const double norm = moment.norm();
      ++optimum.iterations;
      if (!(norm > 0.0) || !std::isfinite(norm)) {
        arrived[at] = 1;
        return;
      }
      moment /= norm;
      optimum.correlation =
          norm * norm / (self_correlation(x.scores, plan.row_sums()) * self_correlation(y.scores, plan.column_sums()));
      if (distances) optimum.mass = plan.mass();
      if (turn + 1 >= settling && moment.cwiseProduct(optimum.moment).sum() > options.same_as_before) arrived[at] = 1;
      optimum.moment = std::move(moment);
    });
    // Of two that have met the earlier one goes on.
    std::vector<Optimum> kept;
    std::vector<char> kept_arrived;
    for (std::size_t i = 0; i < optima.size(); ++i) {
      const bool met = std::any_of(kept.begin(), kept.end(), [&](const Optimum& other) {
        return cosine(optima[i].moment, other.moment) > options.same_as_other;
      });
      if (met) continue;
      kept.push_back(std::move(optima[i]));
      kept_arrived.push_back(arrived[i]);
    }
    optima = std::move(kept);
    arrived = std::move(kept_arrived);
    if (std::all_of(arrived.begin(), arrived.end(), [](char one) { return one != 0; })) break;
  }
  std::stable_sort(optima.begin(), optima.end(),
                   [](const Optimum& a, const Optimum& b) { return a.correlation > b.correlation; });
  return optima;
}

}  // namespace cda
