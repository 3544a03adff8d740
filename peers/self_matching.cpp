#include "peers/self_matching.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/linear_algebra.hpp"
#include "base/moments.hpp"
#include "cda/error.hpp"
#include "cda/extend/random.hpp"
#include "peers/cca.hpp"
#include "peers/whitened_components.hpp"

namespace cda {
namespace {

// Rows of both tables to work on.
struct Tables {
  Matrix x, y;
};

// How values are made of rows, and what the pairs by which that was found were like.
struct CanonicalView {
  Matrix x, y;            // p x K, q x K
  Vector x_mean, y_mean;  // of the matched rows
  Vector correlations;

  Matrix x_values(const Tables& tables) const { return (tables.x.rowwise() - x_mean.transpose()) * x; }
  Matrix y_values(const Tables& tables) const { return (tables.y.rowwise() - y_mean.transpose()) * y; }
};

// One start, and where it leads.
class Alternation {
 public:
  Alternation(const Tables& tables, Index components, const SelfMatchingOptions& options)
      : tables_(tables), components_(components), options_(options) {}

  // `similar`: a matching of the same rows that may be much the same.
  RowMatching matched(const CanonicalView& by, const RowMatching& similar = {}) const {
    Matrix x = by.x_values(tables_), y = by.y_values(tables_);
    if (options_.weighted && by.correlations.size() > 0) {
      const Vector weights = by.correlations.cwiseMax(0.0).cwiseSqrt();
      x *= weights.asDiagonal();
      y *= weights.asDiagonal();
    }
    return options_.many_to_one ? nearest_matching(x, y) : match_rows(x, y, options_.limits, similar.y_prices);
  }

  // Canonical directions of the matched rows; none where they do not vary.
  std::optional<CanonicalView> canonical(const RowMatching& matching) const {
    const Matrix x = tables_.x(matching.x_rows(), Eigen::all), y = tables_.y(matching.y_rows(), Eigen::all);
    CanonicalPairs pairs = canonical_pairs(x, y, components_, options_.kappa);
    if (pairs.pairs() == 0) return {};
    return CanonicalView{std::move(pairs.x), std::move(pairs.y), x.colwise().mean().transpose(),
                         y.colwise().mean().transpose(), std::move(pairs.correlations)};
  }

  struct Reached {
    CanonicalView directions;
    RowMatching matching;
    int iterations = 0;
    bool converged = false;
    std::string why;
  };

  Reached from(RowMatching matching, Pace& pace, double unit) const {
    Reached reached;
    double best = -1.0;
    for (Index i = 1;; ++i) {
      std::optional<CanonicalView> directions = canonical(matching);
      if (!directions) {
        reached.why = "the matched rows do not vary";
        return reached;
      }
      const double sum = directions->correlations.sum();
      if (!(sum > best + 1e-6)) {
        reached.converged = true;
        reached.why = fmt::format("the sum of correlations stopped increasing at {:.6g}", best);
        return reached;
      }
      best = sum;
      reached.directions = std::move(*directions);
      reached.matching = matching;
      reached.iterations = static_cast<int>(i);
      if (i >= options_.iterations) {
        reached.why = fmt::format("stopped after {} iterations", i);
        return reached;
      }
      if (reached.why = pace.enough(); !reached.why.empty()) return reached;
      RowMatching next = matched(reached.directions, matching);
      pace.advance(unit);
      if (next.partners == matching.partners) {
        reached.matching = std::move(next);
        reached.converged = true;
        reached.why = fmt::format("the matching repeats itself after {} iterations", i);
        return reached;
      }
      matching = std::move(next);
    }
  }

 private:
  const Tables& tables_;
  Index components_;
  const SelfMatchingOptions& options_;
};

// The correlations of rows matched by these directions, on tables they were not made of.
Vector judged(const CanonicalView& directions, const Tables& tables, const SelfMatchingOptions& options) {
  const RowMatching matching = Alternation(tables, directions.x.cols(), options).matched(directions);
  return column_correlations(directions.x_values(tables)(matching.x_rows(), Eigen::all),
                             directions.y_values(tables)(matching.y_rows(), Eigen::all));
}

RowMatching random_matching(Index n, Index k, Random random) {
  RowMatching matching;
  matching.partners = random.permutation(std::max(n, k));
  matching.partners.resize(static_cast<std::size_t>(n));
  for (Index& partner : matching.partners)
    if (partner >= k) partner = -1;
  return matching;
}

// Two halves of both tables, each with at most `most` rows per table.
std::pair<Tables, Tables> halves(const Matrix& x, const Matrix& y, Index most, const Random& random) {
  std::pair<Tables, Tables> split;
  const auto deal = [&](const Matrix& rows, const char* stream, Matrix& first, Matrix& second) {
    std::vector<Index> order = random.stream(stream).permutation(rows.rows());
    const auto middle = order.begin() + static_cast<std::ptrdiff_t>((order.size() + 1) / 2);
    const auto cut = [&](auto begin, auto end) {
      return Matrix(rows(std::vector<Index>(begin, begin + std::min(end - begin, most)), Eigen::all));
    };
    first = cut(order.begin(), middle);
    second = cut(middle, order.end());
  };
  deal(x, "halves of x", split.first.x, split.second.x);
  deal(y, "halves of y", split.first.y, split.second.y);
  return split;
}

}  // namespace

SelfMatching match_by_correlation(const Matrix& x, const Matrix& y, Index components,
                                  const SelfMatchingOptions& options, std::uint64_t seed, const Executor& executor,
                                  Pace& pace) {
  const Random random(seed, "ssc");
  SelfMatching result;
  // Half of the rows have to carry K directions, and the other half a correlation.
  const Index fewest = std::min(x.rows(), y.rows());
  result.judged_in_sample = fewest < 4 * (components + 1);
  const Tables all{x, y};
  std::pair<Tables, Tables> split;
  if (!result.judged_in_sample) split = halves(x, y, options.scouts, random);
  const Tables& run = result.judged_in_sample ? all : split.first;
  const Tables& held_out = result.judged_in_sample ? all : split.second;

  const WhitenedComponents of_x = whitened_components(run.x, components);
  const WhitenedComponents of_y = whitened_components(run.y, components);
  const Index pairs = std::min(of_x.directions.cols(), of_y.directions.cols());
  const Index patterns = Index{1} << std::min<Index>(pairs, 3), starts = patterns + options.random_starts;
  const Alternation scouting(run, components, options);
  struct Judged {
    Alternation::Reached reached;
    Vector correlations;
  };
  std::vector<Judged> outcomes(static_cast<std::size_t>(starts));
  executor.for_each(starts, [&](Index i) {
    RowMatching first;
    if (i < patterns) {
      CanonicalView start{of_x.directions.leftCols(pairs), of_y.directions.leftCols(pairs), of_x.mean, of_y.mean, {}};
      for (Index j = 0; j < std::min<Index>(pairs, 3); ++j)
        if (((i >> j) & 1) != 0) start.y.col(j) *= -1.0;
      first = scouting.matched(start);
    } else {
      first = random_matching(run.x.rows(), run.y.rows(), random.stream(fmt::format("start {}", i - patterns)));
    }
    Judged& judged_start = outcomes[static_cast<std::size_t>(i)];
    judged_start.reached = scouting.from(std::move(first), pace, 1.0);
    if (judged_start.reached.directions.x.size() > 0)
      judged_start.correlations = judged(judged_start.reached.directions, held_out, options);
  });
  const Judged* best = nullptr;
  for (const Judged& one : outcomes)
    if (one.correlations.size() > 0 && (best == nullptr || one.correlations.sum() > best->correlations.sum()))
      best = &one;
  if (best == nullptr)
    throw Error(Fault::numerical, "data.constant", "half of the rows do not vary enough to be matched",
                "more rows are needed");

  result.held_out = best->correlations;
  Alternation::Reached last = best->reached;
  if (!result.judged_in_sample) {
    const Alternation whole(all, components, options);
    last = whole.from(whole.matched(best->reached.directions), pace, 5.0);
  }
  result.x = last.directions.x;
  result.y = last.directions.y;
  result.correlations = last.directions.correlations;
  result.partners = std::move(last.matching.partners);
  result.excess = last.matching.excess;
  result.iterations = last.iterations;
  result.converged = last.converged;
  result.why = last.why;
  return result;
}

}  // namespace cda
