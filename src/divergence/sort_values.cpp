// Sorting projected values: what most evaluations of a divergence on quantiles spend their time on.
// Values are dealt to cells by their share of the range, about two cells for each value, so that hardly any two meet in
// one: no comparison, so no branch to guess wrong. An insertion pass over all mends what is left. Where many are first
// dealt to buckets small enough to stay near the processor, and threads take buckets in turn: far memory is gone
// through twice, however many values there are. O(n) where values are spread as projected values are; a cell that many
// meet in (far outliers squeeze all others into one) is dealt again by its own range, and where that does not end soon
// a comparison sort takes over. The order is that of (value, row), whichever way it was found and on however many
// threads: dealing keeps rows in order, and inserting passes no equal value.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "divergence/observe.hpp"

namespace cda {
namespace {

struct Entry {
  double value;
  Index row;
};

constexpr Index few = 24;     // up to these, inserting is as fast as anything
constexpr Index near = 4096;  // entries that stay near the processor, 64 kB, and the most cells they are dealt to
constexpr Index most_buckets = 2048;  // streams of writing at once that caches take

// The order of (value, row), with what is not a number last.
bool comes_before(const Entry& a, const Entry& b) {
  if (a.value < b.value || b.value < a.value) return a.value < b.value;
  const bool a_last = std::isnan(a.value), b_last = std::isnan(b.value);
  return a_last != b_last ? b_last : a.row < b.row;
}

void insertion_sort(Entry* entries, Index count) {
  for (Index i = 1; i < count; ++i) {
    if (!(entries[i].value < entries[i - 1].value)) continue;
    const Entry moved = entries[i];
    Index to = i;
    for (; to > 0 && moved.value < entries[to - 1].value; --to) entries[to] = entries[to - 1];
    entries[to] = moved;
  }
}

// Equal shares of a range.
class Shares {
 public:
  Shares(double lowest, double highest, Index count)
      : lowest_(lowest), per_value_((static_cast<double>(count) - 0.5) / (highest - lowest)) {}
  // Ranges beyond the largest number, or next to none, cannot be shared out.
  bool usable() const { return std::isfinite(per_value_) && per_value_ > 0.0; }
  Index of(double value) const { return static_cast<Index>((value - lowest_) * per_value_); }

 private:
  double lowest_, per_value_;
};

// Into `to`, sorted; `from` is left in disorder. All values are finite, and equal ones in the order of their rows.
void sort_entries(Entry* from, Entry* to, Index count, int rounds_left) {
  if (count <= few) {
    std::copy_n(from, count, to);
    insertion_sort(to, count);
    return;
  }
  double lowest = from[0].value, highest = lowest;
  for (Index i = 1; i < count; ++i) {
    lowest = std::min(lowest, from[i].value);
    highest = std::max(highest, from[i].value);
  }
  const auto wanted = static_cast<Index>(std::bit_ceil(2 * static_cast<std::uint64_t>(count)));
  const Index cell_count = std::min(near, wanted);
  const Shares cells(lowest, highest, cell_count);
  const bool countable = count < std::numeric_limits<std::uint32_t>::max();
  if (rounds_left == 0 || lowest == highest || !cells.usable() || !countable) {
    std::copy_n(from, count, to);
    if (lowest != highest) std::sort(to, to + count, comes_before);
    return;
  }
  std::array<std::uint32_t, near> next;
  std::fill_n(next.begin(), cell_count, 0U);
  for (Index i = 0; i < count; ++i) ++next[static_cast<std::size_t>(cells.of(from[i].value))];
  std::uint32_t reached = 0, fullest = 0;
  for (Index cell = 0; cell < cell_count; ++cell) {
    std::uint32_t& here = next[static_cast<std::size_t>(cell)];
    fullest = std::max(fullest, here);
    reached += std::exchange(here, reached);
  }
  for (Index i = 0; i < count; ++i) to[next[static_cast<std::size_t>(cells.of(from[i].value))]++] = from[i];
  if (fullest > few) {  // a cell ends where the next one began
    Index begin = 0;
    for (Index cell = 0; cell < cell_count; ++cell) {
      const Index end = next[static_cast<std::size_t>(cell)];
      if (end - begin > few) {
        sort_entries(to + begin, from + begin, end - begin, rounds_left - 1);
        std::copy(from + begin, from + end, to + begin);
      }
      begin = end;
    }
  }
  insertion_sort(to, count);
}

constexpr int rounds = 4;

void unpack(const Entry* entries, Index begin, Index end, Sorted& sorted) {
  for (Index i = begin; i < end; ++i, ++entries) {
    sorted.values.values[i] = entries->value;
    sorted.order[i] = entries->row;
  }
}

std::unique_ptr<Entry[]> packed(const Eigen::Ref<const Vector>& values) {
  auto entries = std::make_unique_for_overwrite<Entry[]>(static_cast<std::size_t>(values.size()));
  for (Index i = 0; i < values.size(); ++i) entries[static_cast<std::size_t>(i)] = {values[i], i};
  return entries;
}

void sort_by_comparing(const Eigen::Ref<const Vector>& values, Sorted& sorted) {
  const auto entries = packed(values);
  std::sort(entries.get(), entries.get() + values.size(), comes_before);
  unpack(entries.get(), 0, values.size(), sorted);
}

void sort_few(const Eigen::Ref<const Vector>& values, Sorted& sorted) {
  const auto entries = packed(values);
  const auto room = std::make_unique_for_overwrite<Entry[]>(static_cast<std::size_t>(values.size()));
  sort_entries(entries.get(), room.get(), values.size(), rounds);
  unpack(room.get(), 0, values.size(), sorted);
}

// The least and the greatest value; infinite where some value is not finite.
std::pair<double, double> finite_range(const Eigen::Ref<const Vector>& values, const Executor& executor) {
  const Index n = values.size(), chunks = (n + Executor::chunk_rows - 1) / Executor::chunk_rows;
  Matrix ends(2, chunks);
  executor.for_rows(n, [&](Index begin, Index end) {
    const auto chunk = values.segment(begin, end - begin);
    constexpr double all = std::numeric_limits<double>::infinity();
    auto of_chunk = ends.col(begin / Executor::chunk_rows);
    if (chunk.allFinite())
      of_chunk << chunk.minCoeff(), chunk.maxCoeff();
    else
      of_chunk << -all, all;
  });
  return {ends.row(0).minCoeff(), ends.row(1).maxCoeff()};
}

// Rows in as many stretches as there are threads are counted and dealt to buckets, in order; then buckets are sorted,
// about as many values at a time as stay near.
void sort_many(const Eigen::Ref<const Vector>& values, const Shares& buckets, Index bucket_count,
               const Executor& executor, Sorted& sorted) {
  const Index n = values.size(), stretches = std::min<Index>(executor.threads(), 64);
  const auto stretch_begin = [&](Index stretch) { return n * stretch / stretches; };
  std::vector<Index> next(static_cast<std::size_t>(stretches * bucket_count), 0);
  const auto of_stretch = [&](Index stretch) { return next.data() + stretch * bucket_count; };
  executor.for_each(stretches, [&](Index stretch) {
    Index* counts = of_stretch(stretch);
    for (Index i = stretch_begin(stretch); i < stretch_begin(stretch + 1); ++i) ++counts[buckets.of(values[i])];
  });
  std::vector<Index> piece_begins{0};
  Index reached = 0;
  for (Index bucket = 0; bucket < bucket_count; ++bucket) {
    for (Index stretch = 0; stretch < stretches; ++stretch)
      reached += std::exchange(of_stretch(stretch)[bucket], reached);
    if (reached - piece_begins.back() >= near / 4 || bucket + 1 == bucket_count) piece_begins.push_back(reached);
  }
  const auto entries = std::make_unique_for_overwrite<Entry[]>(static_cast<std::size_t>(n));
  executor.for_each(stretches, [&](Index stretch) {
    Index* places = of_stretch(stretch);
    for (Index i = stretch_begin(stretch); i < stretch_begin(stretch + 1); ++i)
      entries[static_cast<std::size_t>(places[buckets.of(values[i])]++)] = {values[i], i};
  });
  executor.for_each(static_cast<Index>(piece_begins.size()) - 1, [&](Index piece) {
    const Index begin = piece_begins[static_cast<std::size_t>(piece)],
                end = piece_begins[static_cast<std::size_t>(piece + 1)];
    const auto room = std::make_unique_for_overwrite<Entry[]>(static_cast<std::size_t>(end - begin));
    sort_entries(entries.get() + begin, room.get(), end - begin, rounds);
    unpack(room.get(), begin, end, sorted);
  });
}

}  // namespace

Sorted sort_values(const Eigen::Ref<const Vector>& values, const Executor& executor) {
  Sorted sorted;
  const Index n = values.size();
  sorted.values.values.resize(n);
  sorted.order.resize(n);
  if (std::is_sorted(values.begin(), values.end()) && !values.hasNaN()) {
    sorted.values.values = values;
    std::iota(sorted.order.begin(), sorted.order.end(), Index{0});
    return sorted;
  }
  if (n <= near) {
    values.allFinite() ? sort_few(values, sorted) : sort_by_comparing(values, sorted);
    return sorted;
  }
  const auto [lowest, highest] = finite_range(values, executor);
  const Index count =
      std::min(most_buckets, static_cast<Index>(std::bit_ceil(static_cast<std::uint64_t>(n / (near / 8)))));
  const Shares buckets(lowest, highest, count);
  if (buckets.usable())
    sort_many(values, buckets, count, executor, sorted);
  else
    sort_by_comparing(values, sorted);
  return sorted;
}

}  // namespace cda
