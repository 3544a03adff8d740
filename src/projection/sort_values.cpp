// Sorting projected values: what most evaluations of a divergence on quantiles spend their time on.
// Values become whole numbers, their share of the range in 2^(8 + log2 n) steps, which are sorted digit by digit (least
// first, about ten bits at a time: no comparison, so no branch to guess wrong). Steps are so narrow that hardly any two
// values share one; an insertion pass over the values themselves mends what is left. O(n) where values are spread as
// projected values are; where they are not (a few far outliers and all others in one step), the insertion pass would be
// quadratic, so it gives up after a few moves per value and a comparison sort takes over. The order is that of (value,
// row), whichever way it was found: sorting by digits keeps rows in order.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

#include "projection/observe.hpp"

namespace cda {
namespace {

struct Step {
  std::uint32_t step, row;
};

constexpr int most_digit_bits = 11;  // 2048 streams of writing are what caches take

// Sorted by their steps below 2^bits; `room` is as long.
void sort_by_digits(std::vector<Step>& steps, std::vector<Step>& room, int bits) {
  const int digits = (bits + most_digit_bits - 1) / most_digit_bits, width = (bits + digits - 1) / digits;
  const std::uint32_t mask = (1U << width) - 1U;
  std::array<std::array<std::uint32_t, 1U << most_digit_bits>, 3> next;
  for (int digit = 0; digit < digits; ++digit)
    std::fill_n(next[static_cast<std::size_t>(digit)].begin(), mask + 1U, 0U);
  for (const Step& one : steps)
    for (int digit = 0; digit < digits; ++digit)
      ++next[static_cast<std::size_t>(digit)][(one.step >> (digit * width)) & mask];
  for (int digit = 0; digit < digits; ++digit) {
    auto& places = next[static_cast<std::size_t>(digit)];
    std::uint32_t reached = 0;
    for (std::uint32_t value = 0; value <= mask; ++value) reached += std::exchange(places[value], reached);
    for (const Step& one : steps) room[places[(one.step >> (digit * width)) & mask]++] = one;
    steps.swap(room);
  }
}

// False where it gave up. Equal values are never passed, so their rows stay in order.
bool insertion_sort(Vector& values, std::vector<Index>& order) {
  Index moves_left = 8 * values.size();
  for (Index i = 1; i < values.size(); ++i) {
    if (!(values[i] < values[i - 1])) continue;
    const double value = values[i];
    const Index row = order[static_cast<std::size_t>(i)];
    Index to = i;
    for (; to > 0 && value < values[to - 1]; --to) {
      values[to] = values[to - 1];
      order[static_cast<std::size_t>(to)] = order[static_cast<std::size_t>(to - 1)];
    }
    values[to] = value;
    order[static_cast<std::size_t>(to)] = row;
    moves_left -= i - to;
    if (moves_left < 0) return false;
  }
  return true;
}

// Rows by the step their value is in; false where the range is no number to divide by.
bool order_by_steps(const Eigen::Ref<const Vector>& values, std::vector<Index>& order) {
  const double lowest = values.minCoeff(), range = values.maxCoeff() - lowest;
  const int bits = std::min(3 * most_digit_bits - 2,
                            8 + static_cast<int>(std::bit_width(static_cast<std::uint64_t>(values.size()))));
  const double per_value = (std::exp2(bits) - 1.0) / range;
  if (!std::isfinite(range) || !std::isfinite(per_value)) return false;
  std::vector<Step> steps(order.size()), room(order.size());
  for (std::size_t i = 0; i < order.size(); ++i)
    steps[i] = {static_cast<std::uint32_t>((values[static_cast<Index>(i)] - lowest) * per_value),
                static_cast<std::uint32_t>(i)};
  sort_by_digits(steps, room, bits);
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = steps[i].row;
  return true;
}

}  // namespace

Sorted sort_values(const Eigen::Ref<const Vector>& values) {
  constexpr Index few = 24;  // below, inserting is as fast
  Sorted sorted;
  sorted.order.resize(static_cast<std::size_t>(values.size()));
  for (std::size_t i = 0; i < sorted.order.size(); ++i) sorted.order[i] = static_cast<Index>(i);
  sorted.values.values = values;
  if (std::is_sorted(values.begin(), values.end())) return sorted;
  const bool countable = values.size() < std::numeric_limits<std::uint32_t>::max() && values.allFinite();
  if (values.size() >= few && countable && order_by_steps(values, sorted.order))
    for (std::size_t i = 0; i < sorted.order.size(); ++i)
      sorted.values.values[static_cast<Index>(i)] = values[sorted.order[i]];
  if (!insertion_sort(sorted.values.values, sorted.order)) {
    std::sort(sorted.order.begin(), sorted.order.end(),
              [&](Index a, Index b) { return values[a] != values[b] ? values[a] < values[b] : a < b; });
    for (std::size_t i = 0; i < sorted.order.size(); ++i)
      sorted.values.values[static_cast<Index>(i)] = values[sorted.order[i]];
  }
  return sorted;
}

}  // namespace cda
