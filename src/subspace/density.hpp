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
#include "subspace/near_pairs.hpp"

namespace cda {

class DensityThreshold {
 public:
  // `ranges`: of all columns, 1 where they are scaled.
  DensityThreshold(const CandidateOptions& options, Index rows, Index min_size, Vector ranges);

  Index rows() const { return rows_; }
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

// The clusters of one subspace, by their first core. `pairs` calls its argument for every near pair, as often as asked.
template <class Pairs>
std::vector<SubspaceCluster> clusters_of(const DensityThreshold& threshold, const std::vector<Index>& columns,
                                         const std::vector<double>& density, const Pairs& pairs) {
  const double needed = threshold.core(columns);
  bool any = false;
  for (const double value : density) any = any || value >= needed;
  if (!any) return {};
  JoinedRows joined(threshold.rows());
  std::vector<std::pair<std::uint32_t, std::uint32_t>> borders;  // core, and a row near it that is none
  pairs([&](std::uint32_t a, std::uint32_t b, double) {
    const bool a_core = density[a] >= needed, b_core = density[b] >= needed;
    if (a_core && b_core)
      joined.join(a, b);
    else if (a_core)
      borders.emplace_back(a, b);
    else if (b_core)
      borders.emplace_back(b, a);
  });
  std::vector<SubspaceCluster> found;
  std::vector<Index> place(density.size(), -1), cores;
  for (std::uint32_t row = 0; row < density.size(); ++row) {
    if (density[row] < needed) continue;
    const std::uint32_t first = joined.find(row);
    if (place[first] < 0) {
      place[first] = static_cast<Index>(found.size());
      found.push_back({columns, {}, 0.0});
      cores.push_back(0);
    }
    const auto at = static_cast<std::size_t>(place[first]);
    found[at].rows.push_back(static_cast<Index>(row));
    found[at].density += density[row];
    ++cores[at];
  }
  for (const auto& [core, row] : borders)
    found[static_cast<std::size_t>(place[joined.find(core)])].rows.push_back(static_cast<Index>(row));
  const double expected = threshold.expected(columns);
  for (std::size_t i = 0; i < found.size(); ++i) {
    std::vector<Index>& rows = found[i].rows;
    std::sort(rows.begin(), rows.end());
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
    found[i].density /= static_cast<double>(cores[i]) * expected;
  }
  std::erase_if(found, [&](const SubspaceCluster& one) {
    return static_cast<Index>(one.rows.size()) < threshold.min_size();
  });
  return found;
}

}  // namespace cda
