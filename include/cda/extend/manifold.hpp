// The sets directions live on. One set, several views, so that every optimiser runs on every set: tangent and retract
// for descent along curves, nearest for projection, residual and jacobian for constrained programming.
// Points and tangent vectors are flat vectors; an m x r frame is stored column by column.
#pragma once

#include <memory>
#include <vector>

#include "cda/extend/random.hpp"
#include "cda/types.hpp"

namespace cda {

class Manifold {
 public:
  virtual ~Manifold() = default;

  virtual Index size() const = 0;       // numbers in a point
  virtual Index dimension() const = 0;  // degrees of freedom
  // The tangent vector closest to a Euclidean gradient: the gradient in the metric of the surrounding space.
  virtual Vector tangent(const Vector& point, const Vector& gradient) const = 0;
  // The gradient in the set's own metric. Differs from tangent() on Stiefel (canonical metric): G - U G'U.
  virtual Vector natural(const Vector& point, const Vector& gradient) const { return tangent(point, gradient); }
  // The point reached by following a tangent vector for unit time (the geodesic where there is a cheap one).
  virtual Vector retract(const Vector& point, const Vector& step) const = 0;
  // The point of the set nearest to any point of the surrounding space.
  virtual Vector nearest(const Vector& point) const = 0;
  // The set as the zeros of a smooth map, and its derivative (constraints x size).
  virtual Index constraints() const = 0;
  virtual Vector residual(const Vector& point) const = 0;
  virtual Matrix jacobian(const Vector& point) const = 0;
  // Longest step along a curve that makes sense (half way round a sphere); infinite where there is none.
  virtual double longest_step() const = 0;
  // Uniform on the set where it is compact, standard normal otherwise.
  virtual Vector random_point(Random& random) const = 0;
};

std::shared_ptr<const Manifold> euclidean(Index size);
std::shared_ptr<const Manifold> sphere(Index size);                  // |x| = 1
std::shared_ptr<const Manifold> stiefel(Index rows, Index columns);  // U'U = I
std::shared_ptr<const Manifold> product(std::vector<std::shared_ptr<const Manifold>> factors);

}  // namespace cda
