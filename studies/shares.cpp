#include "studies/shares.hpp"

#include <fmt/format.h>

#include <boost/math/distributions/binomial.hpp>
#include <cmath>

namespace cda {
namespace {

constexpr double significant = 0.05;

boost::math::binomial_distribution<double> counts(const Share& share, double chance) {
  return {static_cast<double>(share.of), chance};
}

std::string comparison_with(const char* word, double threshold, double probability) {
  const std::string against = fmt::format("{} {}", word, short_number(threshold, 2));
  const std::string how = probability < 0.001 ? "P < .001" : fmt::format("P = {}", short_number(probability, 3));
  return probability <= significant ? fmt::format("significantly {} ({})", against, how)
                                    : fmt::format("not {} ({})", against, how);
}

}  // namespace

double chance_of_at_least(const Share& share, double chance) {
  if (share.count == 0) return 1.0;
  return boost::math::cdf(boost::math::complement(counts(share, chance), static_cast<double>(share.count - 1)));
}

double chance_of_at_most(const Share& share, double chance) {
  return boost::math::cdf(counts(share, chance), static_cast<double>(share.count));
}

std::string compared_with_level(const Share& share, double level) {
  return comparison_with("above", level, chance_of_at_least(share, level));
}

std::string compared_with_power(const Share& share, double power) {
  return comparison_with("below", power, chance_of_at_most(share, power));
}

std::string short_number(double value, int decimals) {
  std::string text = fmt::format("{:.{}f}", value, decimals);
  if (text.rfind("0.", 0) == 0) return text.substr(1);
  if (text.rfind("-0.", 0) == 0) return "-" + text.substr(2);
  return text;
}

}  // namespace cda
