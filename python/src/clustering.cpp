// Clusters in subsets of columns.
#include <pybind11/stl.h>

#include "arrays.hpp"
#include "cda/cluster.hpp"
#include "interruptible.hpp"
#include "module.hpp"

namespace cda::python {
namespace {

py::dict scores_dict(const ClusterScores& scores) {
  py::dict one;
  one["f1"] = scores.f1;
  one["entropy"] = scores.entropy;
  one["baseline_f1"] = scores.baseline_f1;
  one["null_f1"] = scores.null_f1;
  one["null_f1_sd"] = scores.null_f1_sd;
  one["null_entropy"] = scores.null_entropy;
  one["p"] = scores.p_f1;
  return one;
}

py::dict cluster_dict(const KeptCluster& kept, const Table& table) {
  py::list columns;
  for (const Index column : kept.cluster.columns) columns.append(table.names[static_cast<std::size_t>(column)]);
  py::dict one;
  one["columns"] = columns;
  one["rows"] = py::array_t<Index>(static_cast<py::ssize_t>(kept.cluster.rows.size()), kept.cluster.rows.data());
  one["density"] = kept.cluster.density;
  one["gain"] = kept.gain;
  one["cost"] = kept.cost;
  one["potential"] = kept.potential;
  one["distance"] = kept.distance;
  one["why"] = kept.why;
  return one;
}

py::dict selection_dict(const SelectionSummary& summary) {
  py::dict one;
  one["selection"] = to_string(summary.selection);
  one["clusters"] = summary.clusters;
  one["coverage"] = summary.coverage;
  one["mean_columns"] = summary.columns;
  one["f1"] = summary.scores ? std::optional(summary.scores->f1) : std::nullopt;
  one["first"] = summary.common;
  one["first_coverage"] = summary.common_coverage;
  one["first_f1"] = summary.common_f1;
  return one;
}

py::dict cluster_table(const Table& table, const std::vector<Index>& classes, const std::string& selection,
                       const std::string& density, double radius, double density_factor, double least_density,
                       Index min_points, Index min_size, bool scaled, double redundancy, Index max_columns,
                       Index max_candidates, Index max_subspaces, const std::string& cost, double least_gain,
                       Index clusters, const std::string& method, const std::string& divergence, bool compare,
                       Index permutations, std::uint64_t seed, int threads) {
  ClusterOptions options;
  options.candidates = {.rule = density_rule(density),
                        .scaled = scaled,
                        .radius = radius,
                        .density_factor = density_factor,
                        .least_density = least_density,
                        .min_points = min_points,
                        .min_size = min_size,
                        .redundancy = redundancy,
                        .max_columns = max_columns,
                        .max_candidates = max_candidates,
                        .max_subspaces = max_subspaces,
                        .threads = threads};
  options.selection.selection = selection_rule(selection);
  options.selection.cost = cluster_cost(cost);
  options.selection.least_gain = least_gain;
  options.selection.most = clusters;
  options.selection.distance.method = method;
  if (!divergence.empty()) options.selection.distance.divergence = PartSpec(divergence);
  options.selection.seed = seed;
  options.selection.threads = threads;
  options.compare = compare;
  options.permutations = permutations;
  const Clustering found = interruptible([&](const auto& going_on) {
    return cluster(table, classes, options, [&](const std::string&, double) { return going_on(); });
  });
  py::list kept, selections;
  for (const KeptCluster& one : found.kept) kept.append(cluster_dict(one, table));
  for (const SelectionSummary& one : found.selections) selections.append(selection_dict(one));
  py::dict all;
  all["clusters"] = kept;
  all["coverage"] = found.coverage;
  all["scores"] = found.scores ? py::object(scores_dict(*found.scores)) : py::object(py::none());
  all["selections"] = selections;
  all["candidates"] = found.candidates.clusters.size();
  all["subspaces"] = found.candidates.subspaces;
  all["warnings"] = found.candidates.warnings;
  return all;
}

}  // namespace

void add_clustering(py::module_& module) {
  module.def("cluster", &cluster_table, py::arg("table"), py::arg("classes"), py::arg("selection"), py::arg("density"),
             py::arg("radius"), py::arg("density_factor"), py::arg("least_density"), py::arg("min_points"),
             py::arg("min_size"), py::arg("scaled"), py::arg("redundancy"), py::arg("max_columns"),
             py::arg("max_candidates"), py::arg("max_subspaces"), py::arg("cost"), py::arg("least_gain"),
             py::arg("clusters"), py::arg("method"), py::arg("divergence"), py::arg("compare"), py::arg("permutations"),
             py::arg("seed"), py::arg("threads"));
}

}  // namespace cda::python
