#include "peers/row_matching.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/assignment.hpp"
#include "peers/nearest_rows.hpp"
#include "peers/sparse_assignment.hpp"

namespace cda {
namespace {

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

std::vector<Index> increasing_order(const Eigen::Ref<const Vector>& values) {
  std::vector<Index> order(at(values.size()));
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return values[a] < values[b]; });
  return order;
}

// The cheapest matching by one column, x not longer than y.
std::vector<Index> match_column(const Eigen::Ref<const Vector>& x, const Eigen::Ref<const Vector>& y) {
  const std::vector<Index> x_order = increasing_order(x), y_order = increasing_order(y);
  std::vector<double> x_sorted, y_sorted;
  for (const Index i : x_order) x_sorted.push_back(x[i]);
  for (const Index j : y_order) y_sorted.push_back(y[j]);
  const std::vector<Index> places = match_increasing(x_sorted, y_sorted);
  std::vector<Index> partners(at(x.size()));
  for (std::size_t i = 0; i < places.size(); ++i) partners[at(x_order[i])] = y_order[at(places[i])];
  return partners;
}

Assignment match_all_pairs(const Matrix& x, const Matrix& y, const Vector& y_prices) {
  Matrix costs(x.rows(), y.rows());
  for (Index j = 0; j < y.rows(); ++j) costs.col(j) = (x.rowwise() - y.row(j)).rowwise().squaredNorm();
  return cheapest_assignment(costs, y_prices);
}

Matrix some_rows(const Matrix& rows, Index most) {
  std::vector<Index> chosen;
  for (Index i = 0; i < std::min(most, rows.rows()); ++i)
    chosen.push_back(i * rows.rows() / std::min(most, rows.rows()));
  return rows(chosen, Eigen::all);
}

// Prices of all rows of y from an assignment of some: what the cheapest of them would have to pay for it.
Vector coarse_prices(const Matrix& x, const Matrix& y, Index most) {
  const Matrix few = some_rows(x, most);
  const Assignment solved = match_all_pairs(few, some_rows(y, most), {});
  NearestRows tree(few);
  tree.set_prices(-solved.row_prices);
  Vector prices(y.rows());
  for (Index j = 0; j < y.rows(); ++j) prices[j] = tree.query(y.row(j).transpose(), 1).front().value;
  return prices;
}

// x not longer than y; `prices` of y to begin with, or none, and in the end.
std::vector<Index> match_near_pairs(const Matrix& x, const Matrix& y, const MatchingLimits& limits, Vector& prices,
                                    double& excess) {
  const Index n = x.rows();
  NearestRows tree(y);
  if (prices.size() == 0) prices = coarse_prices(x, y, limits.coarse_rows);
  tree.set_prices(-prices);
  std::vector<std::vector<Candidate>> candidates(at(n));
  const std::vector<Index> feasible = match_column(x.col(0), y.col(0));
  for (Index i = 0; i < n; ++i) {
    auto& own = candidates[at(i)];
    for (const NearestRows::Found& near : tree.query(x.row(i).transpose(), limits.neighbours))
      own.push_back({near.row, (x.row(i) - y.row(near.row)).squaredNorm()});
    own.push_back({feasible[at(i)], (x.row(i) - y.row(feasible[at(i)])).squaredNorm()});
  }
  SparseAssignment solved = cheapest_sparse_assignment(candidates, y.rows(), prices);
  for (int round = 0;; ++round) {
    // Pairs left out whose cost is below their prices; the prices lowered by that are right for all pairs, so that
    // their sum is a bound.
    tree.set_prices(-solved.task_prices);
    double missing = 0.0;
    bool added = false;
    for (Index i = 0; i < n; ++i) {
      constexpr Index most = 25;
      const std::vector<NearestRows::Found> cheapest = tree.query(x.row(i).transpose(), most);
      const double scale = std::abs(solved.agent_prices[i]) + std::abs(cheapest.front().value);
      const double price = solved.agent_prices[i] - 1e-12 * scale;
      if (cheapest.front().value >= price) continue;
      missing += solved.agent_prices[i] - cheapest.front().value;
      added = true;
      for (const NearestRows::Found& pair : cheapest)
        if (pair.value < price) candidates[at(i)].push_back({pair.row, (x.row(i) - y.row(pair.row)).squaredNorm()});
    }
    excess = added && solved.cost > 0.0 ? std::min(1.0, missing / solved.cost) : 0.0;
    if (!added || round == limits.rounds) {
      prices = std::move(solved.task_prices);
      return std::move(solved.task_of);
    }
    solved = cheapest_sparse_assignment(candidates, y.rows(), Vector(solved.task_prices));
  }
}

std::vector<Index> turned(const std::vector<Index>& partners, Index count) {
  std::vector<Index> back(at(count), -1);
  for (std::size_t i = 0; i < partners.size(); ++i)
    if (partners[i] >= 0) back[at(partners[i])] = static_cast<Index>(i);
  return back;
}

double cost_of(const Matrix& x, const Matrix& y, const std::vector<Index>& partners) {
  double cost = 0.0;
  for (std::size_t i = 0; i < partners.size(); ++i)
    if (partners[i] >= 0) cost += (x.row(static_cast<Index>(i)) - y.row(partners[i])).squaredNorm();
  return cost;
}

}  // namespace

std::vector<Index> RowMatching::x_rows() const {
  std::vector<Index> rows;
  for (std::size_t i = 0; i < partners.size(); ++i)
    if (partners[i] >= 0) rows.push_back(static_cast<Index>(i));
  return rows;
}

std::vector<Index> RowMatching::y_rows() const {
  std::vector<Index> rows;
  for (const Index partner : partners)
    if (partner >= 0) rows.push_back(partner);
  return rows;
}

// Why two choices are enough. Suppose the first i of x are placed at least cost, in increasing order, and the next, at
// least as large, comes. Taken places stay taken, and one is added. If that lies above the last, it is the nearest free
// one there. If below, everything between moves down by one; and it is the first free place below the last run, for a
// run's first member is no farther from its place than from the free one below (else it would be there), hence beyond
// the middle of both: it would rather have that free place than any lower one, and the runs below lose by moving.
std::vector<Index> match_increasing(const std::vector<double>& x, const std::vector<double>& y) {
  const std::size_t n = x.size();
  std::vector<Index> places(n);
  if (n == y.size()) {
    std::iota(places.begin(), places.end(), Index{0});
    return places;
  }
  const auto cost = [&](std::size_t i, Index place) {
    const double gap = x[i] - y[at(place)];
    return gap * gap;
  };
  // Runs of x whose places are neighbours, with what it costs to move each down by one.
  struct Run {
    std::size_t first;
    double down;
  };
  constexpr double never = std::numeric_limits<double>::infinity();
  const auto down = [&](std::size_t i) { return places[i] > 0 ? cost(i, places[i] - 1) - cost(i, places[i]) : never; };
  std::vector<Run> runs;
  Index nearest = 0;  // walks along y with x
  for (std::size_t i = 0; i < n; ++i) {
    const Index free = i > 0 ? places[i - 1] + 1 : 0;  // the lowest above the last
    nearest = std::max(nearest, free);
    while (at(nearest) + 1 < y.size() && cost(i, nearest + 1) <= cost(i, nearest)) ++nearest;  // past equals
    const double above = at(free) < y.size() ? cost(i, nearest) : never;
    if (i > 0 && runs.back().down + cost(i, places[i - 1]) < above) {
      Run& run = runs.back();
      places[i] = places[i - 1];
      run.down = 0.0;
      for (std::size_t j = run.first; j < i; ++j) --places[j];
      for (std::size_t j = run.first; j <= i; ++j) run.down += down(j);
    } else {
      places[i] = nearest;
      if (i > 0 && nearest == free)
        runs.back().down += down(i);
      else
        runs.push_back({i, down(i)});
    }
    // A run that has come down to the one below becomes part of it.
    while (runs.size() > 1 && places[runs.back().first] == places[runs.back().first - 1] + 1) {
      const double upper = runs.back().down;
      runs.pop_back();
      runs.back().down += upper;
    }
  }
  return places;
}

RowMatching match_rows(const Matrix& x, const Matrix& y, const MatchingLimits& limits, const Vector& y_prices) {
  RowMatching matching;
  if (x.rows() == 0 || y.rows() == 0) {
    matching.partners.assign(at(x.rows()), -1);
    return matching;
  }
  if (x.cols() > 1 && std::max(x.rows(), y.rows()) <= limits.dense_rows) {
    Assignment solved = match_all_pairs(x, y, y_prices);
    matching.partners = std::move(solved.column_of_row);
    matching.y_prices = std::move(solved.column_prices);
  } else {
    const bool x_shorter = x.rows() <= y.rows();
    const Matrix& shorter = x_shorter ? x : y;
    const Matrix& longer = x_shorter ? y : x;
    Vector prices = x.rows() == y.rows() ? y_prices : Vector();
    std::vector<Index> partners = x.cols() == 1 ? match_column(shorter.col(0), longer.col(0))
                                                : match_near_pairs(shorter, longer, limits, prices, matching.excess);
    if (x.rows() == y.rows()) matching.y_prices = std::move(prices);
    matching.partners = x_shorter ? std::move(partners) : turned(partners, x.rows());
  }
  matching.cost = cost_of(x, y, matching.partners);
  return matching;
}

RowMatching nearest_matching(const Matrix& x, const Matrix& y) {
  const NearestRows tree(y);
  RowMatching matching;
  matching.partners.assign(at(x.rows()), -1);
  if (y.rows() == 0) return matching;
  for (Index i = 0; i < x.rows(); ++i) matching.partners[at(i)] = tree.query(x.row(i).transpose(), 1).front().row;
  matching.cost = cost_of(x, y, matching.partners);
  return matching;
}

}  // namespace cda
