// When to stop, and the sentence that says why. A Watch sees every iteration, keeps its trace and decides.
//
// The gradient has vanished where |gradient| <= tolerance * max(unit, |value|). The unit is given, or else 1, or less
// where the problem's own numbers are smaller (the larger of |value| and |gradient| at the start): an objective
// measured in units of 1e-5 is not converged before it has begun.
#pragma once

#include <chrono>

#include "cda/extend/optimiser.hpp"

namespace cda {

// How often somebody is asked who may want to stop: `due` again a tenth of a second after it was last.
class Cadence {
 public:
  bool due();

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point last_ = Clock::now();
};

// A point with everything known of it.
struct Iterate {
  Vector point;
  double value = 0.0;
  Vector gradient;  // Euclidean
  Vector tangent;   // the gradient along the set
  double gradient_norm = 0.0;
};

// The problem's set, or an Error where the problem lacks it or a value.
const Manifold& manifold_of(const Problem& problem);

// The start brought onto the set, or an Error where it has the wrong size.
Vector checked_start(const Problem& problem, const Vector& start);

class Watch {
 public:
  Watch(const Stopping& stopping, const Observer& observer) : stopping_(stopping), observer_(observer) {}

  // Looks at the start. True: there is nothing to do.
  bool stop_at_start(const Iterate& at, bool finite);
  // Looks at what an iteration reached. True: stop.
  bool stop(const Iterate& at);
  // Between iterations, where one takes long: false once the caller wants no more of it.
  bool go_on();
  // No better point was found; `promised` is the decrease the slope and curvature gave reason to expect.
  void stuck(const Iterate& at, double promised);

  // Rules for optimisers that keep their own loop.
  bool gradient_vanished(double gradient_norm, double value) const;
  bool below_rounding(double decrease, double value) const;  // too small to be seen in the value
  bool record(double value, double gradient_norm);           // one iteration; false: the observer says stop
  void finish(StopReason reason, std::string why);
  StopReason reason() const { return outcome_.stopped; }
  int iterations() const { return iterations_; }
  double unit() const { return unit_; }
  Outcome outcome(const Iterate& at, int evaluations) &&;

 private:
  bool settle(const Iterate& at);
  bool ask();                   // the observer
  const char* measure() const;  // what decreases are compared with, in words

  const Stopping& stopping_;
  const Observer& observer_;
  Cadence cadence_;
  bool interrupted_ = false;  // by the observer
  bool given_up_ = false;     // by either, between iterations
  double unit_ = 1.0;
  double last_value_ = 0.0;
  int iterations_ = -1;  // the start is number 0
  int small_decreases_ = 0;
  int stride_ = 1;
  bool seen_last_ = true;  // whether the newest iteration is in the trace
  Progress newest_;
  Outcome outcome_;
};

// The problem's function with its evaluations counted. False where value or gradient is not finite. With a Watch there
// are no further values once it was told to stop: a line search then ends without a step.
class Objective {
 public:
  explicit Objective(const Problem& problem, Watch* watch = nullptr)
      : problem_(problem), value_(problem.for_one_search ? problem.for_one_search() : problem.value), watch_(watch) {}

  const Manifold& manifold() const { return *problem_.manifold; }
  bool evaluate(const Vector& point, Iterate& at);
  double value(const Vector& point);  // infinite where it is not a finite number
  int evaluations() const { return evaluations_; }

 private:
  const Problem& problem_;
  Problem::Value value_;
  Watch* watch_;
  int evaluations_ = 0;
};

std::string counted(int number, const char* what);  // "1 iteration", "2 iterations"

}  // namespace cda
