// RESCU's greedy (Mueller, Assent, Guennemann, Krieger, Seidl 2009): the candidate with the largest potential is kept,
// its rows count as covered, candidates that add too little are dropped, and so on until none is left. A set cover of
// least cost is NP-hard; this is the usual approximation. With distances in the potential, they are computed for the
// best of the plain potential only, in parallel, and once for each two clusters.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "cda/cluster.hpp"
#include "cda/error.hpp"
#include "cda/extend/executor.hpp"
#include "cda/extend/random.hpp"
#include "clusters/cluster_distance.hpp"
#include "clusters/potential_queue.hpp"
#include "clusters/step_watch.hpp"

namespace cda {
namespace {

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// Distances of candidates from the clusters kept so far.
class Distances {
 public:
  Distances(const ClusterCandidates& candidates, const SelectionOptions& options, StepWatch& watch)
      : candidates_(candidates),
        distance_(options.distance, options.seed),
        measured_elsewhere_(options.measured),
        executor_(options.threads),
        watch_(watch) {
    if (options.selection == Selection::repaired) unit_ = typical(options.seed);
  }

  // All that are not known yet.
  void measure(const std::vector<Potential>& looked_at, const std::vector<KeptCluster>& kept) {
    std::vector<std::pair<Index, Index>> missing;
    for (const Potential& one : looked_at)
      for (auto i = static_cast<Index>(known_[one.candidate].size()); i < static_cast<Index>(kept.size()); ++i)
        missing.emplace_back(one.candidate, kept[static_cast<std::size_t>(i)].candidate);
    const std::vector<double> values = measured(missing);
    for (std::size_t i = 0; i < missing.size(); ++i) known_[missing[i].first].push_back(values[i]);
  }

  double sum(Index candidate) const {
    double total = 0.0;
    for (const double value : known_.at(candidate)) total += value;
    return total;
  }
  double mean(Index candidate) const { return sum(candidate) / static_cast<double>(known_.at(candidate).size()); }
  // 0: the same as all of those kept; 1: far from all of them.
  double mean_novelty(Index candidate) const {
    double total = 0.0;
    for (const double value : known_.at(candidate)) total += -std::expm1(-value / unit_);
    return total / static_cast<double>(known_.at(candidate).size());
  }

 private:
  // The median distance of two random candidates.
  double typical(std::uint64_t seed) {
    constexpr Index pairs = 60;
    const auto count = static_cast<Index>(candidates_.clusters.size());
    if (count < 2) return 1.0;
    Random random(seed, "typical distance of clusters");
    std::vector<std::pair<Index, Index>> chosen;
    for (Index i = 0; i < std::min(pairs, count * (count - 1) / 2); ++i) {
      const Index a = random.below(count), b = random.below(count - 1);
      chosen.emplace_back(a, b < a ? b : b + 1);
    }
    return std::max(median(measured(chosen)), std::numeric_limits<double>::min());
  }

  const Table& table(Index candidate) const { return tables_.at(candidate); }

  std::vector<double> measured(const std::vector<std::pair<Index, Index>>& pairs) {
    for (const auto& [a, b] : pairs)
      for (const Index one : {a, b})
        if (!measured_elsewhere_ && tables_.count(one) == 0)
          tables_[one] = distance_.table(candidates_.values, candidates_.clusters[static_cast<std::size_t>(one)]);
    std::vector<double> values(pairs.size());
    executor_.for_each(static_cast<Index>(pairs.size()), [&](Index i) {
      watch_.going_on();
      const auto& [a, b] = pairs[static_cast<std::size_t>(i)];
      values[static_cast<std::size_t>(i)] =
          measured_elsewhere_ ? measured_elsewhere_(a, b) : distance_.between(table(a), table(b), {});
    });
    return values;
  }

  const ClusterCandidates& candidates_;
  ClusterDistance distance_;
  const std::function<double(Index, Index)>& measured_elsewhere_;
  Executor executor_;
  StepWatch& watch_;
  double unit_ = 1.0;
  std::map<Index, Table> tables_;
  std::map<Index, std::vector<double>> known_;  // by candidate: from those kept, in their order
};

std::string reason(const KeptCluster& kept, std::size_t before) {
  const SubspaceCluster& cluster = kept.cluster;
  const auto count = [](std::size_t n, const char* one) { return fmt::format("{} {}{}", n, one, n == 1 ? "" : "s"); };
  std::string text = fmt::format("{:.3g} times as dense as uniform rows in {}; ", cluster.density,
                                 count(cluster.columns.size(), "column"));
  const bool all = kept.gain == static_cast<Index>(cluster.rows.size());
  text += before == 0 ? fmt::format("the largest potential of all, {}", count(cluster.rows.size(), "row"))
          : all
              ? fmt::format("none of its {} is in a cluster kept before", count(cluster.rows.size(), "row"))
              : fmt::format("{} of its {} are in no cluster kept before", kept.gain, count(cluster.rows.size(), "row"));
  if (kept.distance) text += fmt::format("; distance {:.3g} from those", *kept.distance);
  return text;
}

void check_settings(const SelectionOptions& options) {
  const auto require = [](bool fine, const char* what) {
    if (!fine) throw Error(Fault::usage, "option.value", what);
  };
  require(options.least_gain >= 0.0 && options.least_gain <= 1.0, "the least gain is a share, from 0 to 1");
  require(options.most >= 0, "the number of clusters must not be negative");
  require(options.looked_at >= 1, "at least 1 candidate has to be looked at in a round");
  require(options.threads >= 0, "threads must not be negative");
}

}  // namespace

std::vector<KeptCluster> select_clusters(const ClusterCandidates& candidates, const SelectionOptions& options,
                                         const ClusterObserver& observer) {
  check_settings(options);
  const auto rows = static_cast<double>(candidates.values.rows());
  StepWatch watch(observer, fmt::format("selecting ({})", to_string(options.selection)), rows);
  const bool weighted = options.selection != Selection::plain;
  std::optional<Distances> distances;
  if (weighted && !candidates.clusters.empty()) distances.emplace(candidates, options, watch);
  PotentialQueue queue(candidates, options);
  std::vector<KeptCluster> kept;
  while (options.most == 0 || static_cast<Index>(kept.size()) < options.most) {
    std::vector<Potential> looked_at = queue.best(weighted && !kept.empty() ? options.looked_at : 1);
    if (looked_at.empty()) break;
    if (weighted && !kept.empty()) {
      distances->measure(looked_at, kept);
      for (Potential& one : looked_at)
        one.value = options.selection == Selection::paper
                        ? one.value / std::max(distances->sum(one.candidate), std::numeric_limits<double>::min())
                        : one.value * distances->mean_novelty(one.candidate);
      std::sort(looked_at.begin(), looked_at.end(), better);
    }
    const Potential& best = looked_at.front();
    KeptCluster next{best.candidate,
                     candidates.clusters[static_cast<std::size_t>(best.candidate)],
                     best.gain,
                     best.cost,
                     best.value,
                     std::nullopt,
                     {}};
    if (weighted && !kept.empty()) next.distance = distances->mean(best.candidate);
    next.why = reason(next, kept.size());
    kept.push_back(std::move(next));
    queue.take(best.candidate);
    watch.done(static_cast<double>(best.gain));
  }
  return kept;
}

std::vector<std::vector<Index>> rows_of(const std::vector<KeptCluster>& kept) {
  std::vector<std::vector<Index>> all;
  for (const KeptCluster& one : kept) all.push_back(one.cluster.rows);
  return all;
}

}  // namespace cda
