// Rows of both tables are resampled separately, `times` over. Each time
//
//   the whole search is repeated: a pair is found again where some pair of the new fit correlates at least .8 with it
//   on both sides, whatever the signs. The share of such times is the stability, and among them the share with the
//   same relative sign is kept apart: a symmetric shape has no sign of its own.
//
//   the pair is followed from where it is, without a search: how its weights and loadings then scatter gives their
//   intervals (percentiles 2.5 and 97.5). They describe the pair found, not whether it is the right one, and are shown
//   only where the pair is stable.
#include "evidence/bootstrap.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "evidence/rows.hpp"

namespace cda {
namespace {

constexpr double found_again = 0.8;    // correlation on both sides
constexpr double stable_enough = 0.6;  // to show intervals

// One bootstrap's word on each pair.
struct RefittedPair {
  std::vector<Likeness> found;
  bool followed = false;
  std::vector<Pair> pairs;  // where each pair of the model went
};

// -1 where the pair as a whole came out with the other sign, which says the same.
double orientation(const Pair& original, const Pair& moved) {
  return original.x_loadings.dot(moved.x_loadings) + original.y_loadings.dot(moved.y_loadings) < 0.0 ? -1.0 : 1.0;
}

Intervals percentiles(const Matrix& columns_by_times) {
  Intervals intervals(columns_by_times.rows(), 2);
  const auto times = static_cast<double>(columns_by_times.cols());
  for (Index j = 0; j < columns_by_times.rows(); ++j) {
    Vector values = columns_by_times.row(j);
    std::sort(values.begin(), values.end());
    const auto quantile = [&](double share) {
      const double at = std::clamp(share * (times + 1.0) - 1.0, 0.0, times - 1.0);
      const auto below = static_cast<Index>(at);
      const Index above = std::min<Index>(below + 1, values.size() - 1);
      return values[below] + (at - static_cast<double>(below)) * (values[above] - values[below]);
    };
    intervals(j, 0) = quantile(0.025);
    intervals(j, 1) = quantile(0.975);
  }
  return intervals;
}

void add_intervals(const Pair& original, const std::vector<RefittedPair>& replicates, std::size_t at,
                   PairEvidence& evidence) {
  std::vector<const Pair*> moved;
  for (const RefittedPair& replicate : replicates)
    if (replicate.followed) moved.push_back(&replicate.pairs[at]);
  if (moved.size() < 20) return;  // percentiles of fewer say nothing
  const auto scatter = [&](Vector Pair::*values) {
    Matrix all((original.*values).size(), static_cast<Index>(moved.size()));
    for (std::size_t b = 0; b < moved.size(); ++b)
      all.col(static_cast<Index>(b)) = orientation(original, *moved[b]) * (moved[b]->*values);
    return percentiles(all);
  };
  if (original.x_weights.size() > 0)
    evidence.intervals = {scatter(&Pair::x_weights), scatter(&Pair::y_weights), scatter(&Pair::x_loadings),
                          scatter(&Pair::y_loadings)};
}

}  // namespace

void bootstrap(const Study& study, int times, std::vector<PairEvidence>& pairs) {
  const Matrix x_values = study.model.transform(Side::x, study.x.values);
  const Matrix y_values = study.model.transform(Side::y, study.y.values);
  const Random draw = study.random("bootstrap");
  std::vector<RefittedPair> replicates(static_cast<std::size_t>(times));
  study.executor.for_each(times, [&](Index b) {
    Random stream = draw.stream(fmt::format("{}", b));
    const Table x = rows_of(study.x, resampled_rows(study.x.rows(), study.options.block_length, stream));
    const Table y = rows_of(study.y, resampled_rows(study.y.rows(), study.options.block_length, stream));
    RefittedPair& replicate = replicates[static_cast<std::size_t>(b)];
    try {
      const Model anew = refitted(study, x, y);
      replicate.found = most_alike(x_values, y_values, anew.transform(Side::x, study.x.values),
                                   anew.transform(Side::y, study.y.values));
      replicate.pairs = followed(study, x, y).pairs;
      replicate.followed = true;
    } catch (const Error& error) {
      if (!has_no_answer(error)) throw;  // rows drawn in vain: not found again
    }
    study.progress.done();
  });

  for (std::size_t i = 0; i < pairs.size(); ++i) {
    double hits = 0.0, same_sign = 0.0;
    for (const RefittedPair& replicate : replicates) {
      if (replicate.found.empty() || replicate.found[i].weaker() < found_again) continue;
      hits += 1.0;
      if (replicate.found[i].x * replicate.found[i].y > 0.0) same_sign += 1.0;
    }
    pairs[i].stability = hits / static_cast<double>(times);
    if (hits > 0.0) pairs[i].sign = same_sign / hits;
    if (*pairs[i].stability >= stable_enough) add_intervals(study.model.pairs[i], replicates, i, pairs[i]);
  }
}

}  // namespace cda
