#include "clusters/potential_queue.hpp"

#include <algorithm>

namespace cda {

bool better(const Potential& a, const Potential& b) {
  if (a.value != b.value) return a.value > b.value;
  if (a.columns != b.columns) return a.columns > b.columns;
  return a.gain != b.gain ? a.gain > b.gain : a.candidate < b.candidate;
}

double cost_of(const SubspaceCluster& cluster, ClusterCost cost) {
  const auto columns = static_cast<double>(cluster.columns.size()), rows = static_cast<double>(cluster.rows.size());
  switch (cost) {
    case ClusterCost::density_columns:
      return 1.0 / (cluster.density * columns);
    case ClusterCost::size:
      return 1.0 / (cluster.density * columns * rows);
    case ClusterCost::columns:
      return 1.0 / columns;
    case ClusterCost::constant:
      break;
  }
  return 1.0;
}

PotentialQueue::PotentialQueue(const ClusterCandidates& candidates, const SelectionOptions& options)
    : clusters_(candidates.clusters),
      least_gain_(options.least_gain),
      covered_(candidates.values.rows()),
      taken_(candidates.clusters.size(), 0) {
  for (std::size_t i = 0; i < clusters_.size(); ++i) {
    rows_.emplace_back(candidates.values.rows(), clusters_[i].rows);
    const auto gain = static_cast<Index>(clusters_[i].rows.size());
    const double cost = cost_of(clusters_[i], options.cost);
    const Potential potential{static_cast<Index>(i), static_cast<Index>(clusters_[i].columns.size()), gain, cost,
                              static_cast<double>(gain) / cost};
    if (worth_it(potential)) queue_.push({potential, 0});
  }
}

bool PotentialQueue::worth_it(const Potential& potential) const {
  const auto size = static_cast<double>(clusters_[static_cast<std::size_t>(potential.candidate)].rows.size());
  return potential.gain >= 1 && static_cast<double>(potential.gain) >= least_gain_ * size;
}

std::vector<Potential> PotentialQueue::best(Index count) {
  std::vector<Potential> found;
  while (static_cast<Index>(found.size()) < count && !queue_.empty()) {
    Entry entry = queue_.top();
    queue_.pop();
    Potential& potential = entry.potential;
    const auto at = static_cast<std::size_t>(potential.candidate);
    if (taken_[at] != 0) continue;
    if (entry.round == round_) {
      found.push_back(potential);
      continue;
    }
    potential.gain = rows_[at].without(covered_);
    potential.value = static_cast<double>(potential.gain) / potential.cost;
    entry.round = round_;
    if (worth_it(potential)) queue_.push(entry);
  }
  for (const Potential& potential : found) queue_.push({potential, round_});
  return found;
}

void PotentialQueue::take(Index candidate) {
  taken_[static_cast<std::size_t>(candidate)] = 1;
  covered_.add(rows_[static_cast<std::size_t>(candidate)]);
  ++round_;
}

}  // namespace cda
