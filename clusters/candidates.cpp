// Candidates: the table's columns on one scale, all dense regions in their subspaces, and of these, where there are
// many, those that a larger subspace does not show as well.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cda/cluster.hpp"
#include "cda/error.hpp"
#include "cda/extend/executor.hpp"
#include "clusters/redundant.hpp"
#include "clusters/walk.hpp"

namespace cda {
namespace {

constexpr Index searched_completely = 12;  // columns, by default without the rule of redundancy

template <class Value>
Value by_name(const char* kind, const std::string& name, std::initializer_list<Value> values) {
  std::vector<std::string> known;
  for (const Value value : values) {
    known.push_back(to_string(value));
    if (same_name(known.back(), name)) return value;
  }
  unknown_name(kind, name, known);
}

void check(const CandidateOptions& options) {
  const auto require = [](bool fine, const char* what) {
    if (!fine) throw Error(Fault::usage, "option.value", what);
  };
  require(options.radius > 0.0 && std::isfinite(options.radius), "the radius must be positive");
  require(options.density_factor >= 0.0 && std::isfinite(options.density_factor),
          "the density factor must not be negative");
  require(options.least_density > 0.0 && std::isfinite(options.least_density), "the least density must be positive");
  require(options.min_points >= 2, "min points must be at least 2");
  require(options.min_size == 0 || options.min_size >= 2, "a cluster has at least 2 rows");
  require(options.max_columns >= 0, "max columns must not be negative");
  require(options.max_candidates >= 1, "max candidates must be at least 1");
  require(options.max_subspaces >= 1, "max subspaces must be at least 1");
  require(options.threads >= 0, "threads must not be negative");
  if (!options.scaled && options.rule == DensityRule::adaptive)
    throw Error(Fault::usage, "cluster.units", "the adaptive density is defined for columns brought to [0, 1]",
                "let columns be scaled, or choose the density subclu");
}

void check(const Table& table) {
  if (table.rows() < 2)
    throw Error(Fault::input, "data.rows", fmt::format("clustering needs at least 2 rows, found {}", table.rows()), {},
                {table.source});
  if (!table.values.allFinite())
    throw Error(Fault::input, "data.not_finite", "the table holds missing or infinite cells",
                "fill or drop them first, e.g. --missing drop-rows", {table.source});
}

// Columns less their least value, over their range; halves, so that no range overflows. Those that do not vary are 0.
void scale(const Table& table, bool to_unit, ClusterCandidates& found, Vector& ranges) {
  found.values = Matrix::Zero(table.rows(), table.columns());
  ranges = Vector::Ones(table.columns());
  std::vector<std::string> constant;
  for (Index j = 0; j < table.columns(); ++j) {
    const auto column = table.values.col(j);
    const double low = 0.5 * column.minCoeff(), half = 0.5 * column.maxCoeff() - low;
    if (!(half > 0.0)) {
      constant.push_back(in_quotes(table.names[static_cast<std::size_t>(j)]));
      continue;
    }
    found.varying.push_back(j);
    if (to_unit)
      found.values.col(j) = (0.5 * column.array() - low) / half;
    else
      found.values.col(j) = column;
    if (!to_unit) ranges[j] = std::max(2.0 * half, std::numeric_limits<double>::min());
  }
  if (!constant.empty())
    found.warnings.push_back(
        constant.size() == 1
            ? fmt::format("column {} does not vary and is left out", constant.front())
            : fmt::format("{} columns do not vary and are left out: {}", constant.size(), fmt::join(constant, ", ")));
}

bool comes_first(const SubspaceCluster& a, const SubspaceCluster& b) {
  if (a.columns.size() != b.columns.size()) return a.columns.size() < b.columns.size();
  return a.columns != b.columns ? a.columns < b.columns : a.rows < b.rows;
}

// Everything, or else as many columns as the limits allow.
Walked walk_within_limits(const CandidateOptions& options, const DensityThreshold& threshold, const Executor& executor,
                          const ClusterObserver& observer, ClusterCandidates& found) {
  const auto all = static_cast<Index>(found.varying.size());
  const Index wanted = options.max_columns > 0 ? std::min(options.max_columns, all) : all;
  const auto walk = [&](Index columns) {
    return walk_subspaces(found.values, found.varying, threshold,
                          {columns, options.max_candidates, options.max_subspaces}, executor, observer);
  };
  found.max_columns = wanted;
  if (auto walked = walk(wanted)) return *std::move(walked);
  std::optional<Walked> walked;
  for (found.max_columns = 0; found.max_columns + 1 < wanted;) {
    auto deeper = walk(found.max_columns + 1);
    if (!deeper) break;
    walked = std::move(deeper);
    ++found.max_columns;
  }
  const std::string limits = fmt::format("there are more than {} candidates, or {} subspaces that could hold one",
                                         options.max_candidates, options.max_subspaces);
  const std::string remedy =
      "a smaller --radius, a larger --density-factor or --least-density (subclu: --min-points), fewer columns with "
      "--only, or a larger --max-candidates or --max-subspaces";
  if (!walked) throw Error(Fault::resource, "cluster.candidates", limits + " even in single columns", remedy);
  found.warnings.push_back(
      fmt::format("only subspaces of at most {} of {} columns were searched: beyond, {} (remedy: {})",
                  found.max_columns, all, limits, remedy));
  return *std::move(walked);
}

}  // namespace

DensityRule density_rule(const std::string& name) {
  return by_name("density", name, {DensityRule::adaptive, DensityRule::subclu});
}
std::string to_string(DensityRule rule) { return rule == DensityRule::adaptive ? "adaptive" : "subclu"; }

Selection selection_rule(const std::string& name) {
  return by_name("selection", name, {Selection::plain, Selection::paper, Selection::repaired});
}
std::string to_string(Selection selection) {
  if (selection == Selection::plain) return "plain";
  return selection == Selection::paper ? "paper" : "repaired";
}

ClusterCost cluster_cost(const std::string& name) {
  return by_name("cost", name,
                 {ClusterCost::density_columns, ClusterCost::size, ClusterCost::columns, ClusterCost::constant});
}
std::string to_string(ClusterCost cost) {
  if (cost == ClusterCost::density_columns) return "density-columns";
  if (cost == ClusterCost::size) return "size";
  return cost == ClusterCost::columns ? "columns" : "constant";
}

ClusterCandidates find_clusters(const Table& table, const CandidateOptions& options, const ClusterObserver& observer) {
  check(options);
  check(table);
  ClusterCandidates found;
  Vector ranges;
  scale(table, options.scaled, found, ranges);
  const bool adaptive = options.rule == DensityRule::adaptive;
  found.min_size = options.min_size;
  if (found.min_size == 0) found.min_size = adaptive ? std::max<Index>(8, (table.rows() + 63) / 64) : 1;
  if (found.varying.empty()) {
    found.warnings.emplace_back("no column varies, so there is nothing to look for clusters in");
    return found;
  }
  const Executor executor(options.threads);
  const DensityThreshold threshold(options, table.rows(), found.min_size, std::move(ranges));
  Walked walked = walk_within_limits(options, threshold, executor, observer, found);
  found.subspaces = walked.subspaces;
  const auto all = static_cast<Index>(walked.regions.size());
  const double share = options.redundancy >= 0.0
                           ? options.redundancy
                           : (static_cast<Index>(found.varying.size()) > searched_completely ? 0.5 : 2.0);
  if (share <= 1.0) drop_redundant(walked.regions, share, table.columns(), executor);
  for (Region& region : walked.regions) {
    found.clusters.push_back({region.columns.members(), region.rows.members(), region.density});
    region = {};
  }
  std::sort(found.clusters.begin(), found.clusters.end(), comes_first);
  found.redundant = all - static_cast<Index>(found.clusters.size());
  return found;
}

}  // namespace cda
