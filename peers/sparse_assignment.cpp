#include "peers/sparse_assignment.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

namespace cda {
namespace {

constexpr Index nobody = -1;
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr int bidding_rounds = 40;

std::size_t as_size(Index i) { return static_cast<std::size_t>(i); }

class Solver {
 public:
  Solver(const std::vector<std::vector<Candidate>>& candidates, Index tasks, const Vector& task_prices)
      : candidates_(candidates),
        agent_of_(as_size(tasks), nobody),
        distance_(as_size(tasks), infinity),
        before_(as_size(tasks), nobody),
        settled_(as_size(tasks), false) {
    result_.task_of.assign(candidates.size(), nobody);
    result_.agent_prices = Vector::Zero(static_cast<Index>(candidates.size()));
    result_.task_prices = task_prices.size() > 0 ? task_prices : Vector::Zero(tasks);
  }

  SparseAssignment solve() && {
    std::vector<Index> free(candidates_.size());
    std::iota(free.begin(), free.end(), Index{0});
    for (int round = 0; round < bidding_rounds && !free.empty(); ++round) free = bid(free);
    // Prices of tasks have moved since an agent bid: its own is what its task costs it now.
    for (std::size_t agent = 0; agent < candidates_.size(); ++agent)
      if (const Index task = result_.task_of[agent]; task != nobody)
        result_.agent_prices[static_cast<Index>(agent)] = cost_of(agent, task) - result_.task_prices[task];
    for (const Index agent : free) augment(agent);
    for (std::size_t agent = 0; agent < candidates_.size(); ++agent)
      if (const Index task = result_.task_of[agent]; task != nobody) result_.cost += cost_of(agent, task);
    // Where every task is taken, all of them may cost less by the same: the highest price is 0.
    if (std::find(agent_of_.begin(), agent_of_.end(), nobody) == agent_of_.end() && !agent_of_.empty()) {
      const double highest = result_.task_prices.maxCoeff();
      result_.task_prices.array() -= highest;
      result_.agent_prices.array() += highest;
    }
    return std::move(result_);
  }

 private:
  double cost_of(std::size_t agent, Index task) const {
    double cost = infinity;  // a task may be listed twice
    for (const Candidate& candidate : candidates_[agent])
      if (candidate.task == task) cost = std::min(cost, candidate.cost);
    return cost;
  }

  std::vector<Index> bid(const std::vector<Index>& free) {
    std::vector<Index> still_free;
    for (const Index agent : free) {
      double best = infinity, second = infinity;
      Index task = nobody;
      for (const Candidate& candidate : candidates_[as_size(agent)]) {
        const double cost = candidate.cost - result_.task_prices[candidate.task];
        if (cost < best) {
          second = std::exchange(best, cost);
          task = candidate.task;
        } else {
          second = std::min(second, cost);
        }
      }
      if (task == nobody) continue;  // nothing it can do
      const Index holder = agent_of_[as_size(task)];
      if (holder != nobody) {
        // A tie, or the only task it can do: paths settle who has it.
        if (second == best || second == infinity) {
          still_free.push_back(agent);
          continue;
        }
        result_.task_of[as_size(holder)] = nobody;
        still_free.push_back(holder);
      }
      if (second < infinity) result_.task_prices[task] -= second - best;
      agent_of_[as_size(task)] = agent;
      result_.task_of[as_size(agent)] = task;
    }
    return still_free;
  }

  // Dijkstra's algorithm from a free agent to the nearest free task, along reduced costs >= 0.
  void augment(Index free_agent) {
    touched_.clear();
    heap_.clear();
    result_.agent_prices[free_agent] = 0.0;
    Index agent = free_agent, last = nobody;
    double reached = 0.0;
    while (true) {
      const double offset = reached - result_.agent_prices[agent];
      for (const Candidate& candidate : candidates_[as_size(agent)]) {
        const auto task = as_size(candidate.task);
        if (settled_[task]) continue;
        const double through = offset + candidate.cost - result_.task_prices[candidate.task];
        if (through >= distance_[task]) continue;
        if (distance_[task] == infinity) touched_.push_back(candidate.task);
        distance_[task] = through;
        before_[task] = agent;
        push({through, agent_of_[task] == nobody ? 0 : 1, candidate.task});
      }
      Entry next{infinity, 0, nobody};
      while (!heap_.empty() && next.task == nobody) {
        next = pop();
        if (settled_[as_size(next.task)] || next.distance > distance_[as_size(next.task)])
          next.task = nobody;  // out of date
      }
      if (next.task == nobody) break;  // no free task can be reached
      reached = next.distance;
      settled_[as_size(next.task)] = true;
      agent = agent_of_[as_size(next.task)];
      if (agent == nobody) {
        last = next.task;
        break;
      }
    }
    if (last != nobody) {
      result_.agent_prices[free_agent] += reached;
      for (const Index task : touched_) {
        if (!settled_[as_size(task)] || task == last) continue;
        result_.agent_prices[agent_of_[as_size(task)]] += reached - distance_[as_size(task)];
        result_.task_prices[task] -= reached - distance_[as_size(task)];
      }
      for (Index task = last; task != nobody;) {
        const Index taker = before_[as_size(task)];
        agent_of_[as_size(task)] = taker;
        std::swap(task, result_.task_of[as_size(taker)]);
      }
    }
    for (const Index task : touched_) {
      distance_[as_size(task)] = infinity;
      settled_[as_size(task)] = false;
    }
  }

  // Nearest first; among equals free tasks, then the lowest number.
  struct Entry {
    double distance;
    int taken;
    Index task;
    bool operator<(const Entry& other) const {
      if (distance != other.distance) return distance > other.distance;
      return taken != other.taken ? taken > other.taken : task > other.task;
    }
  };
  void push(const Entry& entry) {
    heap_.push_back(entry);
    std::push_heap(heap_.begin(), heap_.end());
  }
  Entry pop() {
    std::pop_heap(heap_.begin(), heap_.end());
    const Entry entry = heap_.back();
    heap_.pop_back();
    return entry;
  }

  const std::vector<std::vector<Candidate>>& candidates_;
  std::vector<Index> agent_of_;
  std::vector<double> distance_;
  std::vector<Index> before_, touched_;
  std::vector<bool> settled_;
  std::vector<Entry> heap_;
  SparseAssignment result_;
};

}  // namespace

SparseAssignment cheapest_sparse_assignment(const std::vector<std::vector<Candidate>>& candidates, Index tasks,
                                            const Vector& task_prices) {
  const bool square = static_cast<Index>(candidates.size()) == tasks;
  return Solver(candidates, tasks, square ? task_prices : Vector()).solve();
}

}  // namespace cda
