#include "optimise/descent.hpp"

#include <algorithm>
#include <cmath>

namespace cda {

double cautious_length(const Vector& point, const Vector& direction) {
  const double norm = direction.stableNorm();
  return norm > 0.0 ? 0.1 * std::max(1.0, point.norm()) / norm : 1.0;
}

Vector DirectionRule::along(const Manifold& manifold, const Iterate& from, const Course& course, double length) const {
  return manifold.retract(from.point, length * course.direction);
}

Vector SteepestDescent::measured(const Iterate& at) const {
  if (gradient_ == Gradient::natural) return manifold_.natural(at.point, at.gradient);
  return gradient_ == Gradient::tangent ? at.tangent : at.gradient;
}

Course SteepestDescent::course(const Iterate& at) {
  Course course{gradient_ == Gradient::natural ? Vector(-measured(at)) : Vector(-at.tangent), length_};
  const double cautious = cautious_length(at.point, course.direction);
  // Beyond these the estimate says nothing: the gradients hardly differed, or only by rounding.
  course.first = length_ > 0.0 ? std::clamp(length_, 1e-12 * cautious, 1e4 * cautious) : cautious;
  return course;
}

void SteepestDescent::moved(const Iterate& from, const Iterate& to, const Course&, double length) {
  const Vector points = to.point - from.point;
  const Vector gradients = measured(to) - measured(from);
  const double shared = std::abs(points.dot(gradients));
  const double estimate = from_points_ ? points.squaredNorm() / shared : shared / gradients.squaredNorm();
  length_ = std::isfinite(estimate) && estimate > 0.0 ? estimate : length;
  from_points_ = !from_points_;
}

bool SteepestDescent::forget() { return std::exchange(length_, 0.0) > 0.0; }

Outcome descend(const Problem& problem, const Vector& start, const Stopping& stopping, const Observer& observer,
                DirectionRule& direction, const StepRule& step_rule) {
  const Vector first = checked_start(problem, start);
  const Manifold& manifold = *problem.manifold;
  Watch watch(stopping, observer);
  Objective objective(problem, &watch);
  Iterate at;
  bool stop = watch.stop_at_start(at, objective.evaluate(first, at));
  double promised = 0.0;  // by the first of the directions that failed here: the one that knew most
  bool failed = false;
  while (!stop) {
    const Course course = direction.course(at);
    const double speed = course.direction.stableNorm(), slope = at.gradient.dot(course.direction);
    Step step;
    if (slope < -1e-10 * speed * at.gradient_norm && std::isfinite(slope)) {
      const auto curve = [&](double length) { return direction.along(manifold, at, course, length); };
      step = step_rule({objective, at, curve, speed, slope, course.first, manifold.longest_step() / speed});
    }
    if (!step.found) {
      if (!failed) promised = step.promised;
      failed = true;
      if (direction.forget()) continue;
      watch.stuck(at, promised);
      break;
    }
    failed = false;
    direction.moved(at, step.reached, course, step.length);
    at = std::move(step.reached);
    stop = watch.stop(at);
  }
  return std::move(watch).outcome(at, objective.evaluations());
}

}  // namespace cda
