#include "evidence/tail.hpp"

#include <algorithm>
#include <cmath>

namespace cda {
namespace {

// Linear between the two nearest of a sorted sample.
double quantile(const std::vector<double>& sorted, double share) {
  const double at = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(at);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (at - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

}  // namespace

Tail::Tail(std::vector<double> sample) {
  std::sort(sample.begin(), sample.end());
  for (std::size_t i = 0; i < shares.size(); ++i) quantiles_[i] = quantile(sample, shares[i]);
  double excess = 0.0, count = 0.0;
  for (auto value = sample.rbegin(); value != sample.rend() && *value > quantiles_.back(); ++value) {
    excess += *value - quantiles_.back();
    count += 1.0;
  }
  mean_excess_ = count > 0.0 ? excess / count : 0.0;
}

double Tail::share_above(double value) const {
  if (value <= quantiles_.front()) return 1.0;
  for (std::size_t i = 1; i < shares.size(); ++i) {
    if (value > quantiles_[i]) continue;
    const double width = quantiles_[i] - quantiles_[i - 1];
    const double within = width > 0.0 ? (value - quantiles_[i - 1]) / width : 1.0;
    return 1.0 - shares[i - 1] - within * (shares[i] - shares[i - 1]);
  }
  const double beyond = value - quantiles_.back();
  constexpr double least = 1e-300;
  return mean_excess_ > 0.0 ? std::max(least, 0.1 * std::exp(-beyond / mean_excess_)) : least;
}

Vector null_quantiles(std::vector<double> sample) {
  std::sort(sample.begin(), sample.end());
  Vector quantiles(21);
  for (Index i = 0; i <= 20; ++i) quantiles[i] = quantile(sample, 0.05 * static_cast<double>(i));
  return quantiles;
}

}  // namespace cda
