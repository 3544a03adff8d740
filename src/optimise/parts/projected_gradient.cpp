// Projected gradient: a straight step down the Euclidean gradient, brought back to the nearest point of the set,
//   x(t) = nearest(x - t g),
// with t found along this projection arc. Birgin, Martinez and Raydan, SIAM J. Optim. 10 (2000).
#include "base/part.hpp"
#include "optimise/descent.hpp"

using namespace cda;

namespace {

class ProjectionArc final : public SteepestDescent {
 public:
  explicit ProjectionArc(const Manifold& manifold) : SteepestDescent(manifold, Gradient::euclidean) {}

  Vector along(const Manifold& manifold, const Iterate& from, const Course&, double length) const override {
    return manifold.nearest(from.point - length * from.gradient);
  }
};

class ProjectedGradient final : public Optimiser {
 public:
  Outcome minimise(const Problem& problem, const Vector& start, const Stopping& stopping,
                   const Observer& observer) const override {
    ProjectionArc direction(manifold_of(problem));
    return descend(problem, start, stopping, observer, direction, armijo);
  }
};

}  // namespace

CDA_PART(Optimiser, projected_gradient) {
  return {.info = {.name = {},
                   .summary = "straight steps down the gradient, each brought back to the nearest point of the set",
                   .reference = "Birgin, Martinez and Raydan 2000",
                   .options = {}},
          .make = [](const Settings&) -> std::unique_ptr<Optimiser> { return std::make_unique<ProjectedGradient>(); }};
}
