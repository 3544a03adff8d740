// Nonlinear conjugate gradient of Polak and Ribiere, with beta kept non-negative:
//   d = -g + beta d_old,  beta = max(0, g'(g - g_old) / |g_old|^2),
// old vectors carried along by projection onto the new tangent space. It starts afresh where successive gradients are
// far from orthogonal (Powell's test), every `dimension` steps, and where the direction does not go down.
// Nocedal and Wright, Numerical Optimization, 2006, 5.2. Memory: two vectors.
#include <cmath>

#include "base/part.hpp"
#include "optimise/descent.hpp"

using namespace cda;

namespace {

class ConjugateDirections final : public DirectionRule {
 public:
  explicit ConjugateDirections(const Manifold& manifold) : manifold_(manifold) {}

  Course course(const Iterate& at) override {
    Course course{-at.tangent, length_ > 0.0 ? length_ : cautious_length(at.point, at.tangent)};
    if (beta_ > 0.0) course.direction += beta_ * carried_;
    double slope = at.tangent.dot(course.direction);
    if (!(slope < -1e-3 * at.gradient_norm * course.direction.norm())) {
      forget_direction();
      course.direction = -at.tangent;
      slope = -at.tangent.squaredNorm();
    }
    // The same first-order decrease as the last step had, or a little more.
    if (last_decrease_ > 0.0 && slope < 0.0) course.first = std::min(1.1 * last_decrease_ / -slope, 1e4 * course.first);
    return course;
  }

  void moved(const Iterate& from, const Iterate& to, const Course& by, double length) override {
    const Vector old_gradient = manifold_.tangent(to.point, from.tangent);
    carried_ = manifold_.tangent(to.point, by.direction);
    const double square = to.tangent.squaredNorm(), overlap = to.tangent.dot(old_gradient);
    beta_ = std::max(0.0, (square - overlap) / from.tangent.squaredNorm());
    if (++since_restart_ >= manifold_.dimension() + 1 || std::abs(overlap) > 0.5 * square) forget_direction();
    length_ = length;
    last_decrease_ = -length * from.gradient.dot(by.direction);
  }

  bool forget() override {
    const bool knew = beta_ > 0.0 || length_ > 0.0;
    forget_direction();
    length_ = last_decrease_ = 0.0;
    return knew;
  }

 private:
  void forget_direction() {
    beta_ = 0.0;
    since_restart_ = 0;
  }

  const Manifold& manifold_;
  Vector carried_;  // the last direction, at the new point
  double beta_ = 0.0, length_ = 0.0, last_decrease_ = 0.0;
  Index since_restart_ = 0;
};

class ConjugateGradient final : public Optimiser {
 public:
  Outcome minimise(const Problem& problem, const Vector& start, const Stopping& stopping,
                   const Observer& observer) const override {
    ConjugateDirections direction(manifold_of(problem));
    return descend(problem, start, stopping, observer, direction,
                   [](const Line& line) { return strong_wolfe(line, 0.1); });
  }
};

}  // namespace

CDA_PART(Optimiser, conjugate_gradient) {
  return {.info = {.name = {},
                   .summary = "Polak-Ribiere conjugate directions with restarts; little memory",
                   .reference = "Nocedal and Wright 2006, section 5.2",
                   .options = {}},
          .make = [](const Settings&) -> std::unique_ptr<Optimiser> { return std::make_unique<ConjugateGradient>(); }};
}
