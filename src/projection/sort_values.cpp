// Sorting projected values: what most evaluations of a divergence on quantiles spend their time on.
// Values are dealt into buckets of equal width between the smallest and the largest, two for every value, and one
// insertion pass mends the order within buckets. Projected values are spread widely enough for that to be O(n); where
// they are not (a few far outliers and all others in one bucket), the pass would be quadratic, so it gives up after a
// few moves per value and a comparison sort takes over. The order is that of (value, row), whichever way it was found.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include "projection/observe.hpp"

namespace cda {
namespace {

struct Keyed {
  double value;
  Index row;
};

bool before(const Keyed& a, const Keyed& b) { return a.value != b.value ? a.value < b.value : a.row < b.row; }

// Values in rising buckets, rows in order within each. False where the range is not a number to divide by.
bool deal(const Vector& values, std::vector<Keyed>& dealt) {
  const double lowest = values.minCoeff(), range = values.maxCoeff() - lowest;
  const auto buckets = static_cast<std::size_t>(2 * values.size());
  const double width = static_cast<double>(buckets - 1) / range;
  if (!std::isfinite(width) || !std::isfinite(range)) return false;
  std::vector<std::uint32_t> bucket_of(dealt.size()), next(buckets + 1, 0);
  for (std::size_t i = 0; i < dealt.size(); ++i) {
    bucket_of[i] = static_cast<std::uint32_t>((values[static_cast<Index>(i)] - lowest) * width);
    ++next[bucket_of[i]];
  }
  std::uint32_t begin = 0;
  for (std::uint32_t& count : next) begin += std::exchange(count, begin);
  for (std::size_t i = 0; i < dealt.size(); ++i)
    dealt[next[bucket_of[i]]++] = {values[static_cast<Index>(i)], static_cast<Index>(i)};
  return true;
}

// False where it gave up.
bool insertion_sort(std::vector<Keyed>& values) {
  std::size_t moves_left = 8 * values.size();
  for (std::size_t i = 1; i < values.size(); ++i) {
    const Keyed moving = values[i];
    std::size_t to = i;
    for (; to > 0 && before(moving, values[to - 1]); --to) {
      values[to] = values[to - 1];
      if (--moves_left == 0) {
        values[to - 1] = moving;
        return false;
      }
    }
    values[to] = moving;
  }
  return true;
}

}  // namespace

Sorted sort_values(const Vector& values) {
  constexpr Index few = 32;               // below, comparing is as fast
  constexpr Index many = Index{1} << 30;  // what the buckets' numbers hold
  Sorted sorted;
  const auto count = static_cast<std::size_t>(values.size());
  sorted.order.resize(count);
  if (std::is_sorted(values.begin(), values.end())) {
    sorted.values.values = values;
    for (std::size_t i = 0; i < count; ++i) sorted.order[i] = static_cast<Index>(i);
    return sorted;
  }
  std::vector<Keyed> keyed(count);
  const bool dealt = values.size() >= few && values.size() < many && values.allFinite() && deal(values, keyed);
  if (!dealt)
    for (std::size_t i = 0; i < count; ++i) keyed[i] = {values[static_cast<Index>(i)], static_cast<Index>(i)};
  if (!dealt || !insertion_sort(keyed)) std::sort(keyed.begin(), keyed.end(), before);
  sorted.values.values.resize(values.size());
  for (std::size_t i = 0; i < count; ++i) {
    sorted.values.values[static_cast<Index>(i)] = keyed[i].value;
    sorted.order[i] = keyed[i].row;
  }
  return sorted;
}

}  // namespace cda
