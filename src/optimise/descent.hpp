// The loop shared by the descent methods: a rule for where to go, a rule for how far, and a Watch that says when to
// stop.
#pragma once

#include "optimise/line_search.hpp"

namespace cda {

struct Course {
  Vector direction;    // tangent at the point
  double first = 1.0;  // the length to try first
};

class DirectionRule {
 public:
  virtual ~DirectionRule() = default;
  virtual Course course(const Iterate& at) = 0;
  // The curve to follow: the set's own, unless a method has another.
  virtual Vector along(const Manifold& manifold, const Iterate& from, const Course& course, double length) const;
  virtual void moved(const Iterate& /*from*/, const Iterate& /*to*/, const Course& /*by*/, double /*length*/) {}
  // Forgets what was learnt on the way. False: there was nothing, and the next course would be the same.
  virtual bool forget() { return false; }
};

// Straight down: the gradient's opposite, with the first length of Barzilai and Borwein (IMA J. Numer. Anal. 8, 1988),
// the inverse curvature along the last step seen from the points and from the gradients in turn.
class SteepestDescent : public DirectionRule {
 public:
  // The gradient whose changes tell the curvature: that of the direction, or the Euclidean one.
  enum class Gradient { tangent, natural, euclidean };

  SteepestDescent(const Manifold& manifold, Gradient gradient) : manifold_(manifold), gradient_(gradient) {}

  Course course(const Iterate& at) override;
  void moved(const Iterate& from, const Iterate& to, const Course& by, double length) override;
  bool forget() override;

 private:
  Vector measured(const Iterate& at) const;

  const Manifold& manifold_;
  Gradient gradient_;
  double length_ = 0.0;  // 0: nothing known yet
  bool from_points_ = true;
};

// A first length with nothing known: a tenth of the point's own size, whatever the scale of the values.
double cautious_length(const Vector& point, const Vector& direction);

Outcome descend(const Problem& problem, const Vector& start, const Stopping& stopping, const Observer& observer,
                DirectionRule& direction, const StepRule& step);

}  // namespace cda
