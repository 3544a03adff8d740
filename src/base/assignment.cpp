// Agents are the shorter side, tasks the longer. `costs.col(agent)` holds the costs of one agent in a row of memory,
// since every step looks at all tasks of one agent.
//
// 1. Bidding (the row reduction of Jonker and Volgenant). A free agent takes the task that is cheapest for it, price
//    included, and lowers that task's price until its second best is as good; who held the task before is free again.
//    A few rounds place most agents at O(tasks) each. Only tasks that are taken, and stay taken, ever change price.
// 2. Each agent still free finds by Dijkstra's algorithm, on costs reduced by prices, the cheapest chain of changes
//    that ends in a free task: O(tasks) per agent on the way, at most O(agents tasks).
#include "base/assignment.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "cda/error.hpp"

namespace cda {
namespace {

constexpr Index nobody = -1;
constexpr int bidding_rounds = 6;
constexpr double infinity = std::numeric_limits<double>::infinity();

class Solver {
 public:
  Solver(const Matrix& costs, const Vector& task_prices)  // tasks x agents
      : costs_(costs),
        tasks_(costs.rows()),
        task_of_(static_cast<std::size_t>(costs.cols()), nobody),
        agent_of_(static_cast<std::size_t>(costs.rows()), nobody),
        agent_prices_(Vector::Zero(costs.cols())),
        task_prices_(task_prices.size() > 0 ? task_prices : Vector::Zero(costs.rows())) {}

  void solve() {
    std::vector<Index> free(task_of_.size());
    std::iota(free.begin(), free.end(), Index{0});
    for (int round = 0; round < bidding_rounds && !free.empty(); ++round) free = bid(free);
    // Prices of tasks have moved since an agent bid: its own is what its task costs it now.
    for (std::size_t agent = 0; agent < task_of_.size(); ++agent)
      if (task_of_[agent] != nobody) agent_prices_[index(agent)] = reduced(index(agent), task_of_[agent]);
    for (const Index agent : free) augment(agent);
    // Where every task is taken, all of them may cost less by the same: the highest price is 0.
    if (task_of_.size() == agent_of_.size() && tasks_ > 0) {
      const double highest = task_prices_.maxCoeff();
      task_prices_.array() -= highest;
      agent_prices_.array() += highest;
    }
  }

  const std::vector<Index>& task_of() const { return task_of_; }
  const std::vector<Index>& agent_of() const { return agent_of_; }
  const Vector& agent_prices() const { return agent_prices_; }
  const Vector& task_prices() const { return task_prices_; }

 private:
  static Index index(std::size_t i) { return static_cast<Index>(i); }
  static std::size_t at(Index i) { return static_cast<std::size_t>(i); }
  double reduced(Index agent, Index task) const { return costs_(task, agent) - task_prices_[task]; }

  // One round: every free agent bids once. Returns who is free afterwards; those who lost a task bid in the next
  // round, so that a price that no longer moves within rounding cannot keep two agents bidding for ever.
  std::vector<Index> bid(const std::vector<Index>& free) {
    std::vector<Index> still_free;
    for (const Index agent : free) {
      double best = infinity, second = infinity;
      Index task = 0;
      for (Index j = 0; j < tasks_; ++j) {
        const double cost = reduced(agent, j);
        if (cost >= second) continue;
        if (cost < best) {
          second = best;
          best = cost;
          task = j;
        } else {
          second = cost;
        }
      }
      const Index holder = agent_of_[at(task)];
      if (holder != nobody) {
        if (second == best) {  // a tie: nothing to outbid with
          still_free.push_back(agent);
          continue;
        }
        task_of_[at(holder)] = nobody;
        still_free.push_back(holder);
      }
      if (second < infinity) task_prices_[task] -= second - best;
      agent_of_[at(task)] = agent;
      task_of_[at(agent)] = task;
    }
    return still_free;
  }

  // Distances are from the free agent to each task, along pairs (agent, task) at their reduced cost >= 0.
  void augment(Index free_agent) {
    distance_.setConstant(tasks_, infinity);
    before_.assign(at(tasks_), nobody);  // the agent from which a task was reached
    open_.resize(at(tasks_));            // tasks whose distance is not yet final
    std::iota(open_.begin(), open_.end(), Index{0});
    settled_.clear();
    agent_prices_[free_agent] = 0.0;

    Index agent = free_agent, last = nobody;
    double reached = 0.0;
    while (last == nobody) {
      const double offset = reached - agent_prices_[agent];
      double nearest = infinity;
      std::size_t chosen = 0;
      for (std::size_t k = 0; k < open_.size(); ++k) {
        const Index task = open_[k];
        const double through = offset + reduced(agent, task);
        if (through < distance_[task]) {
          distance_[task] = through;
          before_[at(task)] = agent;
        }
        // Among equally near tasks a free one ends the search at once; else the lowest number.
        const double distance = distance_[task];
        if (distance < nearest || (distance == nearest && nearer(task, open_[chosen]))) {
          nearest = distance;
          chosen = k;
        }
      }
      const Index task = open_[chosen];
      open_[chosen] = open_.back();
      open_.pop_back();
      reached = nearest;
      if (agent_of_[at(task)] == nobody) {
        last = task;
      } else {
        settled_.push_back(task);
        agent = agent_of_[at(task)];
      }
    }

    // New prices keep every reduced cost >= 0 and make those along the path 0.
    agent_prices_[free_agent] += reached;
    for (const Index task : settled_) {
      agent_prices_[agent_of_[at(task)]] += reached - distance_[task];
      task_prices_[task] -= reached - distance_[task];
    }
    for (Index task = last; task != nobody;) {
      const Index taker = before_[at(task)];
      agent_of_[at(task)] = taker;
      std::swap(task, task_of_[at(taker)]);  // the taker's former task is taken next
    }
  }

  bool nearer(Index task, Index than) const {
    const bool free = agent_of_[at(task)] == nobody, other_free = agent_of_[at(than)] == nobody;
    return free != other_free ? free : task < than;
  }

  const Matrix& costs_;
  Index tasks_;
  std::vector<Index> task_of_, agent_of_;
  Vector agent_prices_, task_prices_;
  Vector distance_;
  std::vector<Index> before_, open_, settled_;
};

}  // namespace

Assignment cheapest_assignment(const Matrix& costs, const Vector& column_prices) {
  if (!costs.allFinite()) throw Error(Fault::internal, "assignment.costs", "a cost is not a finite number");
  const bool rows_are_agents = costs.rows() <= costs.cols();
  const Matrix turned = rows_are_agents ? Matrix(costs.transpose()) : Matrix();
  const bool square = costs.rows() == costs.cols();
  Solver solver(rows_are_agents ? turned : costs, square ? column_prices : Vector());
  solver.solve();

  Assignment result;
  result.column_of_row = rows_are_agents ? solver.task_of() : solver.agent_of();
  result.row_of_column = rows_are_agents ? solver.agent_of() : solver.task_of();
  result.row_prices = rows_are_agents ? solver.agent_prices() : solver.task_prices();
  result.column_prices = rows_are_agents ? solver.task_prices() : solver.agent_prices();
  for (Index row = 0; row < costs.rows(); ++row) {
    const Index column = result.column_of_row[static_cast<std::size_t>(row)];
    if (column != nobody) result.cost += costs(row, column);
  }
  return result;
}

}  // namespace cda
