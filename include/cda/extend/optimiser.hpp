// The second narrow waist: a manifold and a value with its gradient in, an Outcome that says why it stopped out. An
// optimiser knows nothing of divergences.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cda/extend/catalogue.hpp"
#include "cda/extend/manifold.hpp"
#include "cda/types.hpp"

namespace cda {

// z'Mz over |first x_size entries| = |the others| = 1.
struct QuadraticForm {
  Matrix matrix;
  Index x_size = 0;
};

struct Problem {
  using Value = std::function<double(const Vector& point, Vector* gradient)>;

  std::shared_ptr<const Manifold> manifold;
  // The value at a point; fills the Euclidean gradient where one is asked for. Pure and thread-safe.
  Value value;
  std::optional<QuadraticForm> quadratic;  // where the objective is one, `exact` needs nothing else
  // A value for one search alone, which may remember where it was asked before. Where there is none, `value` serves.
  std::function<Value()> for_one_search = {};
};

enum class StopReason {
  gradient,  // the gradient vanished
  decrease,  // the value stopped decreasing
  exact,     // a global optimum, with its bound
  iteration_limit,
  line_search,  // no point along the direction was better
  not_finite,   // the value or gradient left the finite numbers
  enough,       // Stopping::enough said so
  interrupted,
};
bool converged(StopReason reason);

struct Stopping {
  // |gradient| <= this * max(1, |value|); the 1 shrinks to the size of value and gradient at the start where both are
  // smaller, so that an objective measured in units of 1e-5 is not converged before it has begun.
  double gradient_tolerance = 1e-7;
  double decrease_tolerance = 1e-9;  // relative decrease below this ...
  int decrease_times = 5;            // ... so many times in a row
  int iterations = 500;
  // The size of values that matter: both rules take it instead of smaller values, so that the last digits of an
  // objective that goes to zero are not pursued for ever. 0: taken from the start.
  double unit = 0.0;
  // Asked at every step, from any thread: the reason to finish with what there is, in words ("time limit"), or nothing.
  // Unlike an observer that says no, this ends in a result: the best so far.
  std::function<std::string()> enough = {};

  std::string asked_enough() const { return enough ? enough() : std::string(); }
};

// One line of a trace: what an iteration reached.
struct Progress {
  int iteration = 0;
  double value = 0.0;
  double gradient_norm = 0.0;
};

// How a caller watches, and stops, work under way. Called from the thread that minimises, after every iteration and,
// where one takes long, some ten times a second. Returns false to stop.
using Observer = std::function<bool(const Progress&)>;

struct Outcome {
  Vector point;
  double value = 0.0;
  double gradient_norm = 0.0;  // of the tangent gradient
  int iterations = 0;
  int evaluations = 0;
  StopReason stopped = StopReason::iteration_limit;
  std::string why;                    // the reason in words, with its figures
  std::optional<double> lower_bound;  // no point has a smaller value (exact only)
  std::vector<Progress> trace;        // at most 200 entries
};

class Optimiser {
 public:
  virtual ~Optimiser() = default;
  virtual Outcome minimise(const Problem& problem, const Vector& start, const Stopping& stopping,
                           const Observer& observer = {}) const = 0;
  virtual bool needs_quadratic_form() const { return false; }
};

Catalogue<Optimiser>& optimisers();

// Tools for authors. Each returns the largest relative error found.
double check_gradient(const Problem& problem, const Vector& point, double step = 1e-6);  // along the manifold
double check_manifold(const Manifold& manifold, Random& random);  // tangent, retract, nearest, residual agree

}  // namespace cda
