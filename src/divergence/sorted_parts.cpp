#include "divergence/sorted_parts.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/over_ranks.hpp"
#include "base/shared_order.hpp"
#include "cda/error.hpp"
#include "divergence/observe.hpp"

namespace cda {
namespace {

constexpr Index worth_a_thread = 20000;

struct Part {
  Index x_begin, x_end, y_begin, y_end;
};

// Where the parts are: at places of x and of the same shares of y, or between values.
struct Cuts {
  Index n, k, length, count;
  std::vector<double> bounds = {};  // by value: one fewer than there are parts

  Cuts(SortedCut cut, Index x_total, Index y_total) : n(x_total), k(y_total) {
    const Index values = cut == SortedCut::by_value ? n + k : n;
    length = cut == SortedCut::none ? std::max<Index>(n, 1) : Executor::block_rows(values);
    count = cut == SortedCut::none ? 1 : std::max<Index>(1, (values + length - 1) / length);
  }

  Part by_mass(Index begin, Index end) const {  // of parts, in places of the whole
    const Index x_begin = std::min(n, begin * length), x_end = std::min(n, end * length);
    const Index y_begin = x_begin * k / n;
    return {x_begin, x_end, y_begin, x_end > x_begin ? (x_end * k + n - 1) / n : y_begin};
  }
  // In places of what is here.
  Part part(Index i, const SortedValues& x, const SortedValues& y) const {
    if (bounds.empty()) {
      const Part whole = by_mass(i, i + 1);
      return {whole.x_begin - x.first, whole.x_end - x.first, whole.y_begin - y.first, whole.y_end - y.first};
    }
    const auto from = [&](const Vector& values, Index bound) -> Index {
      if (bound < 0) return 0;
      if (bound == count - 1) return values.size();
      const double* end = values.data() + values.size();
      return std::lower_bound(values.data(), end, bounds[static_cast<std::size_t>(bound)]) - values.data();
    };
    return {from(x.values, i - 1), from(x.values, i), from(y.values, i - 1), from(y.values, i)};
  }
  std::vector<Index> bound_places() const {
    std::vector<Index> places;
    for (Index i = 1; i < count; ++i) places.push_back(i * length);
    return places;
  }
};

// What stands at a place of both samples together, where equal values of x come first.
double pooled_value(Index place, const Vector& x, const Vector& y) {
  // So many of the values before it are of x: bisection for the last i such that x_(i) comes before y_(place - i).
  Index low = std::max<Index>(0, place - y.size()), high = std::min(place, x.size());
  while (low < high) {
    const Index i = (low + high + 1) / 2;
    if (x[i - 1] <= y[place - i])
      low = i;
    else
      high = i - 1;
  }
  const Index j = place - low;
  return j == y.size() || (low < x.size() && x[low] <= y[j]) ? x[low] : y[j];
}

// The values of the parts from `begin` to before `end`, whose values are here; 0 for the others. Long parts that follow
// each other share one value at most, and a sum of two does not depend on their order: every other part at a time.
Vector values_of_parts(const Cuts& cuts, Index begin, Index end, const SortedValues& x, const SortedValues& y,
                       const SortedBetween& between, const Executor& executor, Gradient<SortedValues>* dx,
                       Gradient<SortedValues>* dy) {
  Vector values = Vector::Zero(cuts.count);
  if (cuts.count == 1 && begin < end) {
    values[0] = between(x, y, dx, dy);
    return values;
  }
  const auto compare = [&](Index i) {
    const Part part = cuts.part(i, x, y);
    const auto taken = [](const SortedValues& side, Index from, Index to) {
      return SortedValues{side.values.segment(from, to - from), side.first + from, side.total, side.lowest,
                          side.highest};
    };
    const SortedValues part_x = taken(x, part.x_begin, part.x_end), part_y = taken(y, part.y_begin, part.y_end);
    if (dx == nullptr) {
      values[i] = between(part_x, part_y, nullptr, nullptr);
      return;
    }
    Gradient<SortedValues> of_x{Vector::Zero(part_x.values.size())}, of_y{Vector::Zero(part_y.values.size())};
    values[i] = between(part_x, part_y, &of_x, &of_y);
    dx->values.segment(part.x_begin, of_x.values.size()) += of_x.values;
    dy->values.segment(part.y_begin, of_y.values.size()) += of_y.values;
  };
  if (std::min(cuts.n, cuts.k) < worth_a_thread) {
    for (Index i = begin; i < end; ++i) compare(i);
    return values;
  }
  for (const Index first : {begin, begin + 1})
    executor.for_each((end - first + 1) / 2, [&](Index i) { compare(first + 2 * i); });
  return values;
}

Executor threads_for(Index x_values, Index y_values, const Executor& executor) {
  return std::min(x_values, y_values) >= worth_a_thread ? executor.without_ranks() : Executor(1);
}

double added_in_order(const Vector& values) {
  double total = 0.0;
  for (const double value : values) total += value;
  return total;
}

Sorted sorted_whole(const Eigen::Ref<const Vector>& values, const Executor& executor) {
  Sorted sorted = sort_values(values, executor);
  sorted.values.total = values.size();
  if (values.size() > 0) {
    sorted.values.lowest = sorted.values.values[0];
    sorted.values.highest = sorted.values.values[values.size() - 1];
  }
  return sorted;
}

double compare_here(const Eigen::Ref<const Vector>& x, const Eigen::Ref<const Vector>& y, SortedCut cut,
                    const SortedBetween& between, const Executor& executor, Vector* d_x, Vector* d_y) {
  const Executor threads = threads_for(x.size(), y.size(), executor);
  const Sorted of_x = sorted_whole(x, threads), of_y = sorted_whole(y, threads);
  Cuts cuts(cut, x.size(), y.size());
  const auto finite = [](const SortedValues& side) {
    return std::isfinite(side.lowest) && std::isfinite(side.highest);
  };
  if (!finite(of_x.values) || !finite(of_y.values))
    cuts = Cuts(SortedCut::none, x.size(), y.size());
  else if (cut == SortedCut::by_value)
    for (const Index place : cuts.bound_places())
      cuts.bounds.push_back(pooled_value(place, of_x.values.values, of_y.values.values));
  Gradient<SortedValues> dx, dy;
  if (d_x != nullptr) {
    dx.values.setZero(x.size());
    dy.values.setZero(y.size());
  }
  const double value = added_in_order(values_of_parts(cuts, 0, cuts.count, of_x.values, of_y.values, between, executor,
                                                      d_x != nullptr ? &dx : nullptr, d_x != nullptr ? &dy : nullptr));
  if (d_x != nullptr) {
    *d_x = pull_back(dx, of_x.order, threads);
    *d_y = pull_back(dy, of_y.order, threads);
  }
  return value;
}

// How each rank's own increasing values are dealt to ranks, so that each has some of the parts.
std::vector<Deal> dealt_parts(SortedCut cut, Cuts& cuts, const Vector& x, const Vector& y, const Communicator& ranks) {
  const auto first_part = [&](Index rank) { return rank * cuts.count / ranks.size(); };
  if (cut == SortedCut::by_value) {
    cuts.bounds = values_at_both(cuts.bound_places(), x, y, ranks);
    std::vector<double> of_ranks;
    for (Index r = 1; r < ranks.size(); ++r) {
      constexpr double all = std::numeric_limits<double>::infinity();
      const Index part = first_part(r);
      of_ranks.push_back(part == 0 ? -all
                                   : (part == cuts.count ? all : cuts.bounds[static_cast<std::size_t>(part - 1)]));
    }
    return {Deal::by_value(of_ranks, x, ranks), Deal::by_value(of_ranks, y, ranks)};
  }
  Deal::Places x_places{x, {}, {}}, y_places{y, {}, {}};
  for (Index r = 0; r < ranks.size(); ++r) {
    const Part parts = cuts.by_mass(first_part(r), first_part(r + 1));
    x_places.begin.push_back(parts.x_begin);
    x_places.end.push_back(parts.x_end);
    y_places.begin.push_back(parts.y_begin);
    y_places.end.push_back(parts.y_end);
  }
  return Deal::by_place({x_places, y_places}, ranks);
}

double compare_on_ranks(const Eigen::Ref<const Vector>& x, const Eigen::Ref<const Vector>& y, SortedCut cut,
                        const SortedBetween& between, const Executor& executor, Vector* d_x, Vector* d_y) {
  if (cut == SortedCut::none)
    throw Error(Fault::usage, "ranks.divergence",
                "this divergence compares whole samples, but rows are spread over several ranks",
                "run it in one process, or choose wasserstein, energy, quadratic, mmd or pearson");
  const Communicator& ranks = *executor.ranks();
  const Index n = executor.total(x.size()), k = executor.total(y.size());
  if (executor.total(x.allFinite() && y.allFinite() ? 0 : 1) > 0) {
    constexpr double undefined = std::numeric_limits<double>::quiet_NaN();
    if (d_x != nullptr) *d_x = Vector::Constant(x.size(), undefined);
    if (d_y != nullptr) *d_y = Vector::Constant(y.size(), undefined);
    return undefined;
  }
  const Executor threads = threads_for(x.size(), y.size(), executor);
  const Sorted own_x = sort_values(x, threads), own_y = sort_values(y, threads);
  const Vector &x_here = own_x.values.values, &y_here = own_y.values.values;
  Cuts cuts(cut, n, k);
  const std::vector<Deal> deals = dealt_parts(cut, cuts, x_here, y_here, ranks);
  Sorted of_x = sort_values(deals[0].dealt(x_here), threads), of_y = sort_values(deals[1].dealt(y_here), threads);
  const auto place = [&](Sorted& side, const Deal& deal, Index total, const Vector& own) {
    const Range range = range_of(own, executor);
    side.values.first = deal.first();
    side.values.total = total;
    side.values.lowest = range.lowest;
    side.values.highest = range.highest;
  };
  place(of_x, deals[0], n, x);
  place(of_y, deals[1], k, y);
  Gradient<SortedValues> dx{Vector::Zero(of_x.values.values.size())}, dy{Vector::Zero(of_y.values.values.size())};
  const Index begin = ranks.rank() * cuts.count / ranks.size(), end = (ranks.rank() + 1) * cuts.count / ranks.size();
  Vector values = values_of_parts(cuts, begin, end, of_x.values, of_y.values, between, executor,
                                  d_x != nullptr ? &dx : nullptr, d_x != nullptr ? &dy : nullptr);
  executor.add_over_ranks(values);  // one rank has the value of a part, the others add zero
  if (d_x != nullptr) {
    const auto back = [&](const Gradient<SortedValues>& gradient, const Sorted& of, const Deal& deal,
                          const Sorted& own) {
      return pull_back({deal.returned(pull_back(gradient, of.order, threads))}, own.order, threads);
    };
    *d_x = back(dx, of_x, deals[0], own_x);
    *d_y = back(dy, of_y, deals[1], own_y);
  }
  return added_in_order(values);
}

}  // namespace

double compare_in_parts(const Eigen::Ref<const Vector>& x, const Eigen::Ref<const Vector>& y, SortedCut cut,
                        const SortedBetween& between, const Executor& executor, Vector* d_x, Vector* d_y) {
  return executor.ranks() == nullptr ? compare_here(x, y, cut, between, executor, d_x, d_y)
                                     : compare_on_ranks(x, y, cut, between, executor, d_x, d_y);
}

}  // namespace cda
