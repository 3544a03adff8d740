// rows * threshold hardly depends on the rows: the largest contrast of a Gaussian table falls like 1 / rows. From 50
// rows to 3000 it varies by 10 % of itself at most, in few dimensions by no more than its sampling error. So one number
// per dimension is kept, the mean over tables of 50, 100, 200, 500, 1000 and 3000 rows of the 95 % quantile in 400 of
// them (200 in 50 dimensions). Linear in between, and beyond the last at the slope of the last two. `cda experiment
// thresholds` measures it anew. This table is from before the search followed twice as many further starts as there are
// dimensions instead of as many, which it does beyond six: there a new measurement should come out higher, by how much
// is not known.
#include "find/components/contrast_threshold.hpp"

#include <array>
#include <cstddef>

namespace cda {
namespace {

struct Entry {
  double dimensions, rows_times_threshold;
};

constexpr std::array<Entry, 9> table{
    {{1, 2.63}, {2, 3.87}, {3, 4.98}, {5, 6.97}, {8, 9.91}, {12, 13.8}, {20, 21.9}, {30, 31.3}, {50, 51.4}}};

}  // namespace

double contrast_threshold(Index rows, Index dimensions) {
  const auto d = static_cast<double>(dimensions);
  std::size_t upper = 1;
  while (upper + 1 < table.size() && table[upper].dimensions < d) ++upper;
  const Entry &a = table[upper - 1], &b = table[upper];
  const double slope = (b.rows_times_threshold - a.rows_times_threshold) / (b.dimensions - a.dimensions);
  return (a.rows_times_threshold + slope * (d - a.dimensions)) / static_cast<double>(rows);
}

}  // namespace cda
