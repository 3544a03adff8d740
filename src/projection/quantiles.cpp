#include "projection/quantiles.hpp"

#include <algorithm>
#include <boost/math/special_functions/erf.hpp>
#include <cmath>
#include <cstdint>
#include <numbers>

namespace cda {

// The steps of the sample and the blocks are merged in whole numbers of 1/(n blocks), so that no mass is lost.
Vector quantile_function(const Vector& increasing, Index blocks) {
  const std::int64_t n = increasing.size();
  Vector means = Vector::Zero(blocks);
  std::int64_t i = 0, j = 0, reached = 0;
  while (i < n && j < blocks) {
    const std::int64_t next = std::min((i + 1) * blocks, (j + 1) * n);
    means[j] += static_cast<double>(next - reached) * increasing[i];
    const bool step_ends = next == (i + 1) * blocks, block_ends = next == (j + 1) * n;
    if (step_ends) ++i;
    if (block_ends) ++j;
    reached = next;
  }
  return means / static_cast<double>(n);
}

Vector quantile_function_of(Vector values, Index blocks) {
  std::sort(values.begin(), values.end());
  return quantile_function(values, blocks);
}

Vector normal_quantiles(Index blocks) {
  const auto density_at_quantile = [](double share) {
    if (share <= 0.0 || share >= 1.0) return 0.0;
    const double q = -std::numbers::sqrt2 * boost::math::erfc_inv(2.0 * share);
    return std::exp(-0.5 * q * q) / std::sqrt(2.0 * std::numbers::pi);
  };
  // Computed for the lower half and mirrored: exactly odd.
  Vector means(blocks);
  double before = 0.0;
  for (Index i = 0; i < (blocks + 1) / 2; ++i) {
    const bool middle = 2 * i + 1 == blocks;
    const double after = density_at_quantile(static_cast<double>(i + 1) / static_cast<double>(blocks));
    means[i] = middle ? 0.0 : static_cast<double>(blocks) * (before - after);
    means[blocks - 1 - i] = -means[i];
    before = after;
  }
  return means;
}

double agreement(const Vector& a, const Vector& b) {
  const double strength = a.squaredNorm() + b.squaredNorm();
  return strength > 0.0 ? 2.0 * a.dot(b) / strength : 0.0;
}

}  // namespace cda
