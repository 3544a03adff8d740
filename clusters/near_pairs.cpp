#include "clusters/near_pairs.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace cda {

double squared_limit(double radius) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  double limit = radius * radius;
  while (std::sqrt(limit) > radius) limit = std::nextafter(limit, 0.0);
  while (std::isfinite(limit) && std::sqrt(std::nextafter(limit, infinity)) <= radius)
    limit = std::nextafter(limit, infinity);
  return limit;
}

SortedColumn::SortedColumn(const double* values, Index rows)
    : order_(static_cast<std::size_t>(rows)), sorted_(static_cast<std::size_t>(rows)) {
  std::iota(order_.begin(), order_.end(), 0U);
  std::stable_sort(order_.begin(), order_.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return values[a] < values[b]; });
  for (std::size_t i = 0; i < order_.size(); ++i) sorted_[i] = values[order_[i]];
}

Index SortedColumn::near_count(double limit) const {
  Index count = 0;
  std::size_t end = 0;
  for (std::size_t i = 0; i < sorted_.size(); ++i) {
    end = std::max(end, i + 1);
    while (end < sorted_.size() && (sorted_[end] - sorted_[i]) * (sorted_[end] - sorted_[i]) <= limit) ++end;
    count += static_cast<Index>(end - i - 1);
  }
  return count;
}

}  // namespace cda
