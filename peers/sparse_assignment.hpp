// The cheapest one-to-one assignment of agents to tasks where each agent can do few of the tasks: the method of
// base/assignment.hpp (bidding, then shortest augmenting paths) on lists of candidates, with a heap. Memory grows
// with the candidates; time with agents * candidates * log in practice.
//
// The prices prove the result among the candidates: agent_prices(i) + task_prices(j) <= cost(i, j), equal for partners;
// task prices are <= 0, and 0 for tasks left over.
#pragma once

#include <vector>

#include "cda/types.hpp"

namespace cda {

struct Candidate {
  Index task;
  double cost;
};

struct SparseAssignment {
  std::vector<Index> task_of;  // per agent; -1: left over, since too few candidates were given
  Vector agent_prices, task_prices;
  double cost = 0.0;
};

// candidates[i]: what agent i can do. As many agents are placed as the candidates allow one after another.
// `task_prices` of a similar problem make one with as many agents as tasks faster to solve; they are not used
// otherwise.
SparseAssignment cheapest_sparse_assignment(const std::vector<std::vector<Candidate>>& candidates, Index tasks,
                                            const Vector& task_prices = {});

}  // namespace cda
