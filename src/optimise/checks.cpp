// Tools for authors of objectives and sets: does the gradient belong to the value, do the views of a set agree?
#include <algorithm>
#include <cmath>

#include "cda/error.hpp"
#include "cda/extend/optimiser.hpp"

namespace cda {
namespace {

constexpr int random_directions = 8;

double relative(double error, double scale) { return scale > 0.0 ? error / scale : error; }

}  // namespace

// Central differences along random directions on the set and along the gradient itself. An error is measured against
// the part of the gradient a direction sees on average; below a thousandth of the value, differences are rounding.
double check_gradient(const Problem& problem, const Vector& point, double step) {
  const Manifold& manifold = *problem.manifold;
  Vector gradient = Vector::Zero(point.size());
  const double value = problem.value(point, &gradient);
  if (!std::isfinite(value) || !gradient.allFinite())
    throw Error(Fault::numerical, "gradient.not_finite", "the value or gradient at the point to check is not finite");
  const Vector downhill = manifold.tangent(point, gradient);
  if (manifold.dimension() == 0) return downhill.norm();
  Random random(0, "check_gradient");
  double largest = 0.0;
  for (int i = 0; i <= random_directions; ++i) {
    const Vector drawn = random.normals(point.size(), 1);
    Vector direction = i == 0 ? downhill : manifold.tangent(point, drawn);
    const double norm = direction.norm();
    if (norm == 0.0) continue;
    direction /= norm;
    const double ahead = problem.value(manifold.retract(point, step * direction), nullptr);
    const double behind = problem.value(manifold.retract(point, -step * direction), nullptr);
    const double numeric = (ahead - behind) / (2.0 * step), claimed = gradient.dot(direction);
    const double seen = downhill.norm() / std::sqrt(static_cast<double>(manifold.dimension()));
    const double scale = std::max({seen, std::abs(numeric), std::abs(claimed), 1e-3 * std::abs(value)});
    const double error = std::isfinite(numeric) ? relative(std::abs(numeric - claimed), scale) : 1.0;
    largest = std::max(largest, error);
  }
  return largest;
}

double check_manifold(const Manifold& manifold, Random& random) {
  constexpr double h = 1e-5;
  double largest = 0.0;
  const auto note = [&](double error) { largest = std::max(largest, std::isfinite(error) ? error : 1.0); };
  const auto off = [&](const Vector& x) {
    const Vector residual = manifold.residual(x);
    return residual.size() ? residual.lpNorm<Eigen::Infinity>() : 0.0;
  };
  const auto drawn = [&] { return Vector(random.normals(manifold.size(), 1)); };

  const Vector point = manifold.random_point(random);
  note(off(point));
  note(manifold.dimension() == manifold.size() - manifold.constraints() ? 0.0 : 1.0);

  // Tangent: a projection, orthogonal, along the set.
  const Vector gradient = drawn(), tangent = manifold.tangent(point, gradient);
  const double size = gradient.norm();
  note((manifold.tangent(point, tangent) - tangent).norm() / size);
  note(std::abs(tangent.dot(gradient - tangent)) / (size * size));
  note((manifold.jacobian(point) * tangent).norm() / size);
  // Natural: along the set, uphill, and zero only where the tangent gradient is.
  const Vector natural = manifold.natural(point, gradient);
  note((manifold.tangent(point, natural) - natural).norm() / size);
  const double uphill = natural.dot(gradient), plain = tangent.squaredNorm();
  note(uphill >= plain * (1.0 - 1e-12) ? 0.0 : 1.0);

  // Retract: starts at the point with the step as its velocity, and stays on the set however long the step.
  const Vector step = tangent.norm() > 0.0 ? Vector(tangent / tangent.norm()) : tangent;
  const Vector ahead = manifold.retract(point, h * step), behind = manifold.retract(point, -h * step);
  note((ahead - behind - 2.0 * h * step).norm() / (2.0 * h));
  note((manifold.retract(point, Vector::Zero(point.size())) - point).norm() / point.norm());
  const double far = std::isfinite(manifold.longest_step()) ? manifold.longest_step() : 10.0;
  for (const double length : {1e-8, 0.1, 1.0, far}) note(off(manifold.retract(point, length * step)));

  // Nearest: leaves points of the set alone; from elsewhere arrives on it, at right angles.
  note((manifold.nearest(point) - point).norm() / point.norm());
  const Vector near = point + 0.3 * drawn() / std::sqrt(static_cast<double>(manifold.size()));
  for (const Vector& from : {near, Vector(3.0 * drawn())}) {
    const Vector to = manifold.nearest(from);
    note(off(to));
    note(manifold.tangent(to, from - to).norm() / (1.0 + from.norm()));
  }

  // Jacobian: the derivative of the residual, also away from the set.
  const Vector direction = drawn().normalized();
  const Vector numeric =
      (manifold.residual(near + h * direction) - manifold.residual(near - h * direction)) / (2.0 * h);
  note((manifold.jacobian(near) * direction - numeric).norm() / (1.0 + near.norm()));
  return largest;
}

}  // namespace cda
