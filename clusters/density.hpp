// What is dense, and the clusters that dense rows make.
//
// A row is a core where its density reaches a threshold. Cores that are near each other belong together, and the rows
// near a core are on the border of its cluster; a row on the border of several belongs to each of them, so that nothing
// depends on the order of rows.
//
//   subclu    the density is the number of rows within the radius, itself included; the threshold is min_points
//   adaptive  phi(o) = sum over neighbours of (1 - (d / eps)^2); with s columns, n rows and c_s the volume of the unit
//             ball, uniform rows of the unit cube have a(S) = 2 n c_s eps^s / (s + 2) on average;
//             the threshold is max(F a(S), tau 2 / (s + 2)), as 2 / (s + 2) is the mean weight of a row in the ball
//
// Density never grows when columns are added. The least threshold of all subspaces still to come therefore tells which
// rows can no longer become cores, and where there are none, a whole branch of the search can be left out.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "cda/cluster.hpp"
#include "clusters/near_pairs.hpp"
#include "clusters/row_set.hpp"

namespace cda {

class DensityThreshold {
 public:
  // `ranges`: of all columns, 1 where they are scaled.
  DensityThreshold(const CandidateOptions& options, Index rows, Index min_size, Vector ranges);

  Index rows() const { return rows_; }
  Index columns() const { return ranges_.size(); }
  Index min_size() const { return min_size_; }
  double limit() const { return limit_; }  // of squared distances
  double weight(double squared) const { return adaptive_ ? 1.0 - squared / (radius_ * radius_) : 1.0; }
  double own() const { return adaptive_ ? 0.0 : 1.0; }  // what a row itself contributes
  double core(const std::vector<Index>& columns) const;
  // No subspace of at most so many columns asks for less.
  double least(Index most_columns) const;
  double expected(const std::vector<Index>& columns) const;  // of a row among uniform ones

 private:
  bool adaptive_;
  double radius_, factor_, least_density_, limit_;
  Index min_points_, rows_, min_size_;
  Vector ranges_;
};

// Densities of all rows, summed over pairs.
template <class Pairs>
std::vector<double> densities(const DensityThreshold& threshold, const Pairs& pairs) {
  std::vector<double> density(static_cast<std::size_t>(threshold.rows()), threshold.own());
  pairs([&](std::uint32_t a, std::uint32_t b, double squared) {
    const double weight = threshold.weight(squared);
    density[a] += weight;
    density[b] += weight;
  });
  return density;
}

// Sets that grow together; the lowest row of each stands for it.
class JoinedRows {
 public:
  explicit JoinedRows(Index rows);
  std::uint32_t find(std::uint32_t row);
  void join(std::uint32_t a, std::uint32_t b);

 private:
  std::vector<std::uint32_t> parent_;
};

// A dense region while the search goes on: bits, because there are many.
struct Region {
  RowSet columns, rows;
  Index size = 0;        // rows
  double density = 0.0;  // of its cores, in multiples of what uniform rows have
};

// Collects the regions of one subspace, cores first.
class Regions {
 public:
  Regions(const DensityThreshold& threshold, const std::vector<Index>& columns);
  void add_core(std::uint32_t row, std::uint32_t root, double density);
  void add_border(std::uint32_t core, std::uint32_t row);
  std::vector<Region> large_enough();

 private:
  const DensityThreshold& threshold_;
  const std::vector<Index>& columns_;
  std::vector<Region> regions_;
  std::vector<Index> cores_;         // how many each region has
  std::vector<std::int32_t> place_;  // of a root, and of a core: its region; -1: none
  std::vector<std::int32_t> last_;   // of a border row: the region it was added to last
};

// The clusters of one subspace, by their first core. `pairs` calls its argument for every near pair, as often as asked.
template <class Pairs>
std::vector<Region> clusters_of(const DensityThreshold& threshold, const std::vector<Index>& columns,
                                const std::vector<double>& density, const Pairs& pairs) {
  const double needed = threshold.core(columns);
  const auto rows = static_cast<std::uint32_t>(density.size());
  if (std::none_of(density.begin(), density.end(), [&](double value) { return value >= needed; })) return {};
  JoinedRows joined(threshold.rows());
  pairs([&](std::uint32_t a, std::uint32_t b, double) {
    if (density[a] >= needed && density[b] >= needed) joined.join(a, b);
  });
  Regions found(threshold, columns);
  for (std::uint32_t row = 0; row < rows; ++row)
    if (density[row] >= needed) found.add_core(row, joined.find(row), density[row]);
  pairs([&](std::uint32_t a, std::uint32_t b, double) {
    const bool a_core = density[a] >= needed, b_core = density[b] >= needed;
    if (a_core != b_core) a_core ? found.add_border(a, b) : found.add_border(b, a);
  });
  return found.large_enough();
}

}  // namespace cda
