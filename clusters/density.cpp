#include "clusters/density.hpp"

#include <algorithm>
#include <limits>
#include <numbers>
#include <numeric>

namespace cda {
namespace {

// c_s = 2 pi / s c_{s-2}.
double unit_ball(std::size_t dimension) {
  double volume = dimension % 2 == 0 ? 1.0 : 2.0;
  for (std::size_t s = dimension % 2 + 2; s <= dimension; s += 2)
    volume *= 2.0 * std::numbers::pi / static_cast<double>(s);
  return volume;
}

}  // namespace

DensityThreshold::DensityThreshold(const CandidateOptions& options, Index rows, Index min_size, Vector ranges)
    : adaptive_(options.rule == DensityRule::adaptive),
      radius_(options.radius),
      factor_(options.density_factor),
      least_density_(options.least_density),
      limit_(squared_limit(options.radius)),
      min_points_(options.min_points),
      rows_(rows),
      min_size_(min_size),
      ranges_(std::move(ranges)) {}

// n times the share of the data's box that a ball takes; for the adaptive density times the mean weight in it.
double DensityThreshold::expected(const std::vector<Index>& columns) const {
  const auto s = static_cast<double>(columns.size());
  double expected = static_cast<double>(rows_) * unit_ball(columns.size()) * (adaptive_ ? 2.0 / (s + 2.0) : 1.0);
  for (const Index column : columns) expected *= radius_ / ranges_[column];
  return std::max(expected, std::numeric_limits<double>::min());
}

double DensityThreshold::core(const std::vector<Index>& columns) const {
  if (!adaptive_) return static_cast<double>(min_points_);
  return std::max(factor_ * expected(columns), least(static_cast<Index>(columns.size())));
}

double DensityThreshold::least(Index most_columns) const {
  if (!adaptive_) return static_cast<double>(min_points_);
  return least_density_ * 2.0 / (static_cast<double>(most_columns) + 2.0);
}

JoinedRows::JoinedRows(Index rows) : parent_(static_cast<std::size_t>(rows)) {
  std::iota(parent_.begin(), parent_.end(), 0U);
}

std::uint32_t JoinedRows::find(std::uint32_t row) {
  while (parent_[row] != row) {
    parent_[row] = parent_[parent_[row]];
    row = parent_[row];
  }
  return row;
}

void JoinedRows::join(std::uint32_t a, std::uint32_t b) {
  const std::uint32_t x = find(a), y = find(b);
  if (x < y)
    parent_[y] = x;
  else
    parent_[x] = y;
}

Regions::Regions(const DensityThreshold& threshold, const std::vector<Index>& columns)
    : threshold_(threshold),
      columns_(columns),
      place_(static_cast<std::size_t>(threshold.rows()), -1),
      last_(static_cast<std::size_t>(threshold.rows()), -1) {}

// Roots are the lowest rows of their sets, so they come first.
void Regions::add_core(std::uint32_t row, std::uint32_t root, double density) {
  if (root == row) {
    place_[row] = static_cast<std::int32_t>(regions_.size());
    regions_.push_back({{}, RowSet(threshold_.rows()), 0, 0.0});
    cores_.push_back(0);
  }
  place_[row] = place_[root];
  const auto at = static_cast<std::size_t>(place_[row]);
  regions_[at].rows.add(row);
  regions_[at].density += density;
  ++cores_[at];
}

void Regions::add_border(std::uint32_t core, std::uint32_t row) {
  if (last_[row] == place_[core]) return;
  last_[row] = place_[core];
  regions_[static_cast<std::size_t>(place_[core])].rows.add(row);
}

std::vector<Region> Regions::large_enough() {
  const double expected = threshold_.expected(columns_);
  const RowSet columns(threshold_.columns(), columns_);
  for (std::size_t i = 0; i < regions_.size(); ++i) {
    regions_[i].columns = columns;
    regions_[i].size = regions_[i].rows.size();
    regions_[i].density /= static_cast<double>(cores_[i]) * expected;
  }
  std::erase_if(regions_, [&](const Region& one) { return one.size < threshold_.min_size(); });
  return std::move(regions_);
}

}  // namespace cda
