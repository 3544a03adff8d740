// q(z) = integral of exp(s g), standardised under the normal, where g is a smooth random function (a Gaussian process
// with covariance exp(-(z - z')^2 / (2 l^2)), l drawn from 1, 2, 4; one in ten made even in z). s = 0 gives the normal
// itself and a larger s a shape further from it; bisection finds the s with the wanted contrast E (q(z) - z)^2.
#include "evidence/random_shape.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "base/linear_algebra.hpp"
#include "find/components/components.hpp"

namespace cda {
namespace {

constexpr double reach = 4.5;  // of the grid of z
constexpr Index nodes = 181;
constexpr double spacing = 2.0 * reach / static_cast<double>(nodes - 1);
constexpr std::array<double, 3> lengths{1.0, 2.0, 4.0};
constexpr double symmetric_share = 0.1;

double node(Index i) { return -reach + spacing * static_cast<double>(i); }

// Weights of the normal on the grid, adding up to one.
const Vector& normal_weights() {
  static const Vector weights = [] {
    Vector density(nodes);
    for (Index i = 0; i < nodes; ++i) density[i] = std::exp(-0.5 * node(i) * node(i));
    return Vector(density / density.sum());
  }();
  return weights;
}

const Vector& grid() {
  static const Vector points = [] {
    Vector z(nodes);
    for (Index i = 0; i < nodes; ++i) z[i] = node(i);
    return z;
  }();
  return points;
}

// The leading factors of each process: g = factor * independent normals. Smooth, so that few are needed.
const Matrix& process_factor(std::size_t which) {
  static const std::array<Matrix, lengths.size()> factors = [] {
    std::array<Matrix, lengths.size()> all;
    for (std::size_t k = 0; k < lengths.size(); ++k) {
      Matrix covariance(nodes, nodes);
      for (Index i = 0; i < nodes; ++i)
        for (Index j = 0; j < nodes; ++j) {
          const double gap = (node(i) - node(j)) / lengths[k];
          covariance(i, j) = std::exp(-0.5 * gap * gap);
        }
      const Axes axes = principal_axes(covariance);
      Index kept = 0;
      while (kept < nodes && axes.values[nodes - 1 - kept] > 1e-8 * axes.values[nodes - 1]) ++kept;
      all[k] = axes.vectors.rightCols(kept) * axes.values.tail(kept).cwiseSqrt().asDiagonal();
    }
    return all;
  }();
  return factors[which];
}

// Mean 0 and variance 1 under the normal.
void standardise(Vector& shape) {
  const Vector& weights = normal_weights();
  shape.array() -= weights.dot(shape);
  shape /= std::sqrt(weights.dot(shape.cwiseAbs2()));
}

Vector shape_of(const Vector& process, double strength) {
  Vector shape(nodes);
  // The largest slope is one: whatever is added to s g, the standardised shape is the same.
  const Vector slope = (strength * (process.array() - process.maxCoeff())).exp();
  shape[0] = 0.0;
  for (Index i = 1; i < nodes; ++i) shape[i] = shape[i - 1] + 0.5 * (slope[i - 1] + slope[i]);
  standardise(shape);
  return shape;
}

double contrast(const Vector& shape) { return normal_weights().dot((shape - grid()).cwiseAbs2()); }

}  // namespace

RandomShape::RandomShape(double wanted, Random& random) {
  const Matrix& factor = process_factor(static_cast<std::size_t>(random.below(static_cast<Index>(lengths.size()))));
  Vector process = factor * random.normals(factor.cols(), 1);
  if (random.uniform() < symmetric_share) process = ((process + process.reverse()) / std::sqrt(2.0)).eval();
  values_ = grid();
  if (wanted <= 0.0) {
    standardise(values_);
    return;
  }
  constexpr int steps = 22;
  double low = std::log(1e-4), high = std::log(12.0);  // of s
  for (int i = 0; i < steps; ++i) {
    const double middle = 0.5 * (low + high);
    (contrast(shape_of(process, std::exp(middle))) < wanted ? low : high) = middle;
  }
  values_ = shape_of(process, std::exp(0.5 * (low + high)));
}

double RandomShape::varied_strength(double observed, Index count, Random& random) {
  constexpr double weakest = 0.003, strongest = 0.71;  // beyond, shapes do not come
  const double unbiased = std::max(weakest, observed - 1.0 / static_cast<double>(count));
  return std::clamp(unbiased * std::exp(0.55 * random.normal()), weakest, strongest);
}

double RandomShape::at(double z) const {
  const double position = (std::clamp(z, -reach, reach) + reach) / spacing;
  const Index i = std::min<Index>(static_cast<Index>(position), nodes - 2);
  const double beyond = position - static_cast<double>(i);
  return values_[i] + beyond * (values_[i + 1] - values_[i]);
}

Vector RandomShape::drawn_deviation(Index count, Random& random) const {
  Vector drawn(count);
  for (double& value : drawn) value = at(random.normal());
  return shape_deviation(drawn);
}

}  // namespace cda
