#include "optimise/multi_start.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <mutex>
#include <numeric>

#include "optimise/stopping.hpp"

namespace cda {
namespace {

// One observer shared by threads that look at starts and refine them.
class SharedObserver {
 public:
  explicit SharedObserver(const Observer& observer) : observer_(observer) {}

  // Looking at starts is no iteration: the observer hears of it where it takes long.
  void looked_at(double value) {
    if (stopped_ || !observer_) return;
    const std::lock_guard lock(mutex_);
    if (cadence_.due() && !observer_({0, value, std::numeric_limits<double>::quiet_NaN()})) stopped_ = true;
  }

  bool operator()(const Progress& progress) {
    if (stopped_) return false;
    if (!observer_) return true;
    const std::lock_guard lock(mutex_);
    if (!stopped_ && !observer_(progress)) stopped_ = true;
    return !stopped_;
  }
  bool stopped() const { return stopped_; }

 private:
  const Observer& observer_;
  std::mutex mutex_;
  Cadence cadence_;
  std::atomic<bool> stopped_{false};
};

double cosine(const Vector& a, const Vector& b) {
  const double norms = a.norm() * b.norm();
  return norms > 0.0 ? a.dot(b) / norms : 1.0;
}

// The lowest starts that differ from one another; those with the same value in the order they were given.
std::vector<Index> select(const std::vector<Vector>& starts, const Vector& values, const MultiStart& options) {
  std::vector<Index> order(starts.size()), chosen;
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return values(a) < values(b); });
  const auto& at = [&](Index i) -> const Vector& { return starts[static_cast<std::size_t>(i)]; };
  for (const Index candidate : order) {
    if (static_cast<Index>(chosen.size()) >= std::max<Index>(1, options.refined)) break;
    if (!std::isfinite(values(candidate))) break;  // sorted: only infinite ones follow
    const bool known = std::any_of(chosen.begin(), chosen.end(),
                                   [&](Index other) { return cosine(at(candidate), at(other)) >= options.distinct; });
    if (!known) chosen.push_back(candidate);
  }
  return chosen;
}

}  // namespace

MultiStartResult multi_start(const Problem& problem, const std::vector<Vector>& starts, const Optimiser& optimiser,
                             const Executor& executor, const MultiStart& options, const Observer& observer) {
  if (starts.empty()) throw Error(Fault::internal, "multi_start.none", "there is no start to minimise from");
  const auto count = static_cast<Index>(starts.size());
  std::vector<Vector> points(starts.size());
  Vector values(count);
  constexpr Index looked_at = 16;  // in any case
  SharedObserver shared(observer);
  executor.for_each(count, [&](Index i) {
    const auto k = static_cast<std::size_t>(i);
    if (shared.stopped() || (i >= looked_at && !options.stopping.asked_enough().empty())) {
      points[k] = starts[k];
      values(i) = std::numeric_limits<double>::infinity();
      return;
    }
    points[k] = checked_start(problem, starts[k]);
    const double value = points[k].allFinite() ? problem.value(points[k], nullptr) : NAN;
    values(i) = std::isfinite(value) ? value : std::numeric_limits<double>::infinity();
    shared.looked_at(values(i));
  });

  MultiStartResult result;
  result.evaluations = static_cast<int>(count);
  result.interrupted = shared.stopped();
  result.skipped = (values.array() == std::numeric_limits<double>::infinity()).count();
  const std::vector<Index> chosen = select(points, values, options);
  if (chosen.empty()) {
    Refined nothing;
    nothing.outcome.point = points.front();
    nothing.outcome.value = std::numeric_limits<double>::quiet_NaN();
    nothing.outcome.stopped = StopReason::not_finite;
    nothing.outcome.why =
        fmt::format("the value is not finite at any of the {}", counted(static_cast<int>(count), "start"));
    result.refined.push_back(std::move(nothing));
    return result;
  }

  result.refined.resize(chosen.size());
  executor.for_each(static_cast<Index>(chosen.size()), [&](Index i) {
    const auto k = static_cast<std::size_t>(i);
    const Vector& start = points[static_cast<std::size_t>(chosen[k])];
    std::string reason = shared.stopped() ? "stopped by the caller" : options.stopping.asked_enough();
    if (!reason.empty()) {
      Outcome& untouched = result.refined[k].outcome;
      untouched.point = start;
      untouched.value = values(chosen[k]);
      untouched.stopped = shared.stopped() ? StopReason::interrupted : StopReason::enough;
      untouched.why = std::move(reason);
      result.refined[k].start = chosen[k];
      return;
    }
    result.refined[k] = {optimiser.minimise(problem, start, options.stopping, std::ref(shared)), chosen[k]};
  });
  for (const Refined& one : result.refined) result.evaluations += one.outcome.evaluations;
  result.interrupted = shared.stopped();
  std::sort(result.refined.begin(), result.refined.end(), [](const Refined& a, const Refined& b) {
    const bool a_finite = std::isfinite(a.outcome.value), b_finite = std::isfinite(b.outcome.value);
    if (a_finite != b_finite) return a_finite;
    if (a_finite && a.outcome.value != b.outcome.value) return a.outcome.value < b.outcome.value;
    return a.start < b.start;
  });
  return result;
}

}  // namespace cda
