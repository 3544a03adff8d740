#include "base/rounded.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <limits>
#include <string>

namespace cda {

double rounded(double value) {
  constexpr double largest = std::numeric_limits<double>::max();
  if (!std::isfinite(value)) return std::isnan(value) ? 0.0 : std::copysign(largest, value);
  const std::string text = fmt::format("{:.6g}", value);
  double result = 0.0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), result);
  return read.ec == std::errc() ? result : value;  // rounding may lead beyond the largest number
}

}  // namespace cda
