#include "divergence/quantiles.hpp"

#include <algorithm>
#include <boost/math/special_functions/erf.hpp>
#include <cmath>
#include <cstdint>
#include <numbers>

#include "base/shared_order.hpp"

namespace cda {

namespace {

// What values from place `first` on, of n, add to the means. The steps of the sample and the blocks are merged in whole
// numbers of 1/(n blocks), so that no mass is lost.
Vector block_means(const Vector& increasing, std::int64_t first, std::int64_t n, Index blocks) {
  const std::int64_t end = first + increasing.size();
  Vector means = Vector::Zero(blocks);
  std::int64_t i = first, reached = first * blocks, j = reached / std::max<std::int64_t>(n, 1);
  while (i < end && j < blocks) {
    const std::int64_t next = std::min((i + 1) * blocks, (j + 1) * n);
    means[j] += static_cast<double>(next - reached) * increasing[i - first];
    const bool step_ends = next == (i + 1) * blocks, block_ends = next == (j + 1) * n;
    if (step_ends) ++i;
    if (block_ends) ++j;
    reached = next;
  }
  return means;
}

}  // namespace

Vector quantile_function(const Vector& increasing, Index blocks) {
  return block_means(increasing, 0, increasing.size(), blocks) / static_cast<double>(increasing.size());
}

Vector quantile_function_of(Vector values, Index blocks, const Executor& executor) {
  std::sort(values.begin(), values.end());
  const Communicator* ranks = executor.ranks();
  if (ranks == nullptr) return quantile_function(values, blocks);
  const Index total = executor.total(values.size());
  const Deal deal = Deal::in_equal_shares(values, total, *ranks);
  Vector part = deal.dealt(values);
  std::sort(part.begin(), part.end());
  Vector means = block_means(part, deal.first(), total, blocks);
  executor.add_over_ranks(means);
  return means / static_cast<double>(total);
}

Vector normal_quantiles(Index blocks, Index begin, Index end) {
  const auto density_at_quantile = [](double share) {
    if (share <= 0.0 || share >= 1.0) return 0.0;
    const double q = -std::numbers::sqrt2 * boost::math::erfc_inv(2.0 * share);
    return std::exp(-0.5 * q * q) / std::sqrt(2.0 * std::numbers::pi);
  };
  // Computed for the lower half and mirrored: exactly odd. Neighbours share an end.
  Index known_end = -1;
  double known = 0.0;
  const auto density_at_end = [&](Index i) {
    if (i != known_end) known = density_at_quantile(static_cast<double>(i) / static_cast<double>(blocks));
    known_end = i;
    return known;
  };
  Vector means(end - begin);
  for (Index i = begin; i < end; ++i) {
    const Index mirror = blocks - 1 - i;
    if (mirror == i) {
      means[i - begin] = 0.0;
    } else if (mirror > i) {
      const double before = density_at_end(i);
      means[i - begin] = static_cast<double>(blocks) * (before - density_at_end(i + 1));
    } else if (mirror >= begin) {
      means[i - begin] = -means[mirror - begin];
    } else {
      const double after = density_at_end(mirror + 1);
      means[i - begin] = static_cast<double>(blocks) * (after - density_at_end(mirror));
    }
  }
  return means;
}

Vector normal_quantiles(Index blocks) { return normal_quantiles(blocks, 0, blocks); }

double agreement(const Vector& a, const Vector& b) {
  const double strength = a.squaredNorm() + b.squaredNorm();
  return strength > 0.0 ? 2.0 * a.dot(b) / strength : 0.0;
}

}  // namespace cda
