// Candidates by their plain potential, the largest first, without computing all potentials in every round. Coverage
// only grows, so a potential only falls: one that was computed earlier is an upper bound, and a candidate whose
// potential is up to date and still at the top is the best (lazy greedy, Minoux 1978).
#pragma once

#include <queue>
#include <vector>

#include "cda/cluster.hpp"
#include "clusters/row_set.hpp"

namespace cda {

struct Potential {
  Index candidate = 0, columns = 0, gain = 0;
  double cost = 0.0, value = 0.0;
};

// Ties: more columns, then more gain, then the candidate that comes first.
bool better(const Potential& a, const Potential& b);

double cost_of(const SubspaceCluster& cluster, ClusterCost cost);

class PotentialQueue {
 public:
  PotentialQueue(const ClusterCandidates& candidates, const SelectionOptions& options);

  // The best `count` of those that are not redundant, best first; none where nothing is left. They stay in the queue.
  std::vector<Potential> best(Index count);
  // Takes one out: its rows are covered from now on.
  void take(Index candidate);

 private:
  struct Entry {
    Potential potential;
    Index round;
    bool operator<(const Entry& other) const { return better(other.potential, potential); }
  };
  bool worth_it(const Potential& potential) const;

  const std::vector<SubspaceCluster>& clusters_;
  double least_gain_;
  std::vector<RowSet> rows_;
  RowSet covered_;
  std::priority_queue<Entry> queue_;
  std::vector<char> taken_;
  Index round_ = 0;
};

}  // namespace cda
