#include "optimise/stopping.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "cda/error.hpp"

namespace cda {
namespace {

constexpr std::size_t trace_limit = 200;
constexpr double rounding = 1e-13;  // of a value: what a sum of some hundred rounded terms may be off by

}  // namespace

bool converged(StopReason reason) {
  return reason == StopReason::gradient || reason == StopReason::decrease || reason == StopReason::exact;
}

std::string counted(int number, const char* what) {
  return fmt::format("{} {}{}", number, what, number == 1 ? "" : "s");
}

bool Cadence::due() {
  constexpr std::chrono::milliseconds long_enough{100};
  const auto now = Clock::now();
  if (now - last_ < long_enough) return false;
  last_ = now;
  return true;
}

bool Objective::evaluate(const Vector& point, Iterate& at) {
  at.point = point;
  at.value = std::numeric_limits<double>::quiet_NaN();
  if (!point.allFinite() || (watch_ != nullptr && !watch_->go_on())) return false;
  at.gradient.setZero(point.size());
  ++evaluations_;
  at.value = value_(point, &at.gradient);
  at.tangent = manifold().tangent(point, at.gradient);
  at.gradient_norm = at.tangent.stableNorm();
  return std::isfinite(at.value) && at.gradient.allFinite() && std::isfinite(at.gradient_norm);
}

double Objective::value(const Vector& point) {
  if (!point.allFinite() || (watch_ != nullptr && !watch_->go_on())) return std::numeric_limits<double>::infinity();
  ++evaluations_;
  const double value = value_(point, nullptr);
  return std::isfinite(value) ? value : std::numeric_limits<double>::infinity();
}

const Manifold& manifold_of(const Problem& problem) {
  if (!problem.manifold || !problem.value)
    throw Error(Fault::internal, "optimiser.problem", "the problem has no manifold or no value");
  return *problem.manifold;
}

Vector checked_start(const Problem& problem, const Vector& start) {
  manifold_of(problem);
  if (start.size() != problem.manifold->size())
    throw Error(Fault::usage, "optimiser.start",
                fmt::format("the start has {} numbers, the problem {}", start.size(), problem.manifold->size()));
  const Vector off = problem.manifold->residual(start);
  // A start on the set is taken as it is, to the last bit.
  if (off.size() == 0 || off.lpNorm<Eigen::Infinity>() <= 1e-12) return start;
  return problem.manifold->nearest(start);
}

bool Watch::gradient_vanished(double gradient_norm, double value) const {
  return gradient_norm <= stopping_.gradient_tolerance * std::max(unit_, std::abs(value));
}

bool Watch::below_rounding(double decrease, double value) const {
  return std::abs(decrease) <= rounding * std::max(unit_, std::abs(value));
}

bool Watch::record(double value, double gradient_norm) {
  newest_ = {++iterations_, value, gradient_norm};
  auto& trace = outcome_.trace;
  seen_last_ = iterations_ % stride_ == 0;
  if (seen_last_) {
    // One place stays free for the last iteration. A full trace gives up every second line.
    if (trace.size() + 1 == trace_limit) {
      std::size_t kept = 0;
      for (std::size_t i = 0; i < trace.size(); i += 2) trace[kept++] = trace[i];
      trace.resize(kept);
      stride_ *= 2;
      seen_last_ = iterations_ % stride_ == 0;
    }
    if (seen_last_) trace.push_back(newest_);
  }
  return ask();
}

bool Watch::ask() {
  if (!interrupted_) interrupted_ = observer_ && !observer_(newest_);
  if (interrupted_)
    finish(StopReason::interrupted, fmt::format("stopped by the caller after {} at value {:.6g}",
                                                counted(iterations_, "iteration"), newest_.value));
  return !interrupted_;
}

bool Watch::go_on() {
  if (iterations_ >= 0 && !given_up_ && cadence_.due()) given_up_ = !ask() || !stopping_.asked_enough().empty();
  return !given_up_;
}

void Watch::finish(StopReason reason, std::string why) {
  outcome_.stopped = reason;
  outcome_.why = std::move(why);
}

bool Watch::stop_at_start(const Iterate& at, bool finite) {
  if (!finite) {
    const bool point = !at.point.allFinite(), value = !std::isfinite(at.value);
    iterations_ = 0;
    outcome_.trace.push_back({0, at.value, at.gradient_norm});
    finish(StopReason::not_finite, point   ? "the start has entries that are not finite numbers"
                                   : value ? fmt::format("the value at the start is not a finite number: {}", at.value)
                                           : "the gradient at the start is not finite");
    return true;
  }
  // A start where value and gradient are both exactly zero keeps the unit 1.
  const double own = std::max(std::abs(at.value), at.gradient_norm);
  if (own > 0.0) unit_ = std::min(1.0, own);
  if (stopping_.unit > 0.0) unit_ = stopping_.unit;
  return settle(at);
}

bool Watch::stop(const Iterate& at) {
  const double decrease = last_value_ - at.value;
  const double size = std::max({std::abs(last_value_), std::abs(at.value), stopping_.unit});
  small_decreases_ = decrease <= stopping_.decrease_tolerance * size ? small_decreases_ + 1 : 0;
  return settle(at);
}

const char* Watch::measure() const { return stopping_.unit > 0.0 ? "a typical value" : "itself"; }

bool Watch::settle(const Iterate& at) {
  last_value_ = at.value;
  const bool go_on = record(at.value, at.gradient_norm);
  const std::string after = counted(iterations_, "iteration");
  if (gradient_vanished(at.gradient_norm, at.value)) {
    finish(StopReason::gradient, fmt::format("the gradient vanished: {:.1e} after {}", at.gradient_norm, after));
    return true;
  }
  if (stopping_.decrease_times > 0 && small_decreases_ >= stopping_.decrease_times) {
    finish(StopReason::decrease,
           fmt::format("the value stopped decreasing: by less than {:.0e} of {} {} running, after {} (gradient {:.1e})",
                       stopping_.decrease_tolerance, measure(), counted(small_decreases_, "time"), after,
                       at.gradient_norm));
    return true;
  }
  if (!go_on) return true;
  if (std::string reason = stopping_.asked_enough(); !reason.empty()) {
    finish(StopReason::enough, std::move(reason));
    return true;
  }
  if (iterations_ >= stopping_.iterations) {
    finish(StopReason::iteration_limit, fmt::format("the limit of {} was reached with gradient {:.1e}",
                                                    counted(stopping_.iterations, "iteration"), at.gradient_norm));
    return true;
  }
  return false;
}

void Watch::stuck(const Iterate& at, double promised) {
  const std::string after = counted(iterations_, "iteration");
  if (interrupted_) return;  // as was said
  if (std::string reason = given_up_ ? stopping_.asked_enough() : ""; !reason.empty())
    finish(StopReason::enough, std::move(reason));
  else if (below_rounding(promised, at.value))
    finish(StopReason::decrease,
           fmt::format("the value stopped decreasing: the {:.1e} still to be expected is lost in rounding, after {} "
                       "(gradient {:.1e})",
                       promised, after, at.gradient_norm));
  else if (small_decreases_ > 0)
    finish(StopReason::decrease,
           fmt::format("the value stopped decreasing: by less than {:.0e} of {}, then not at all, after {} "
                       "(gradient {:.1e})",
                       stopping_.decrease_tolerance, measure(), after, at.gradient_norm));
  else
    finish(StopReason::line_search,
           fmt::format("no point along the direction was better after {}, although its slope promised {:.1e} "
                       "(gradient {:.1e}); the function may have an edge here, or its gradient may be wrong",
                       after, promised, at.gradient_norm));
}

Outcome Watch::outcome(const Iterate& at, int evaluations) && {
  if (!seen_last_) outcome_.trace.push_back(newest_);
  outcome_.point = at.point;
  outcome_.value = at.value;
  outcome_.gradient_norm = at.gradient_norm;
  outcome_.iterations = std::max(0, iterations_);
  outcome_.evaluations = evaluations;
  return std::move(outcome_);
}

}  // namespace cda
