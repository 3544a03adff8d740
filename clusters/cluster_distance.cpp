// How far one cluster is from another that may have other rows and other columns: the paper's
//
//   dist(C, C') = 1/w sum_{i <= w} obj(u_i, v_i),
//
// the mean objective of the pairs that a method of CDA finds between the rows of C in its columns and those of C' in
// its own. Rows are compared on the common scale of the table: a preparation of each cluster for itself would take away
// how dense it is and where. w is the smaller number of columns (or rank, where columns depend on each other), at most
// 10. Of large clusters some rows are taken, by a hash of their content: the order of rows plays no part.
#include "clusters/cluster_distance.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "cda/cluster.hpp"
#include "cda/error.hpp"
#include "cda/extend/random.hpp"
#include "cda/fit.hpp"

namespace cda {
namespace {

std::uint64_t content_hash(const Matrix& values, Index row, std::uint64_t seed) {
  std::uint64_t hash = seed;
  for (Index j = 0; j < values.cols(); ++j) {
    const double value = values(row, j) + 0.0;  // -0 is 0
    hash = stable_hash({reinterpret_cast<const char*>(&value), sizeof value}, hash);
  }
  return hash;
}

// A column that is constant within the cluster would be set aside, and with it the columns it is compared by. Instead
// it varies by so little that nothing else sees it.
void let_vary(Eigen::Ref<Vector> column, std::uint64_t seed) {
  constexpr double hardly = 1e-3;
  if (column.maxCoeff() - column.minCoeff() > hardly) return;
  Random random(seed, "hardly varying");
  for (double& value : column) value += hardly * random.uniform();
}

}  // namespace

Table cluster_table(const Matrix& values, const SubspaceCluster& cluster, Index most_rows, std::uint64_t seed) {
  std::vector<Index> rows = cluster.rows;
  if (static_cast<Index>(rows.size()) > most_rows) {
    std::vector<std::pair<std::uint64_t, Index>> hashed;
    for (const Index row : rows) hashed.emplace_back(content_hash(values, row, seed), row);
    std::sort(hashed.begin(), hashed.end());
    rows.clear();
    for (Index i = 0; i < most_rows; ++i) rows.push_back(hashed[static_cast<std::size_t>(i)].second);
  }
  Matrix part = values(rows, cluster.columns);
  for (Index j = 0; j < part.cols(); ++j) let_vary(part.col(j), seed);
  return make_table(std::move(part));
}

ClusterDistance::ClusterDistance(const ClusterDistanceOptions& options, std::uint64_t seed)
    : rows_(options.rows), seed_(seed) {
  if (rows_ < 2) throw Error(Fault::usage, "option.value", "distances need at least 2 rows of each cluster");
  const MethodInfo& method = find_method(options.method);
  if (!method.baseline.empty())
    throw Error(Fault::usage, "cluster.method",
                fmt::format("{} has no objective to measure a distance by", method.name),
                "choose one of CDA's own methods: cda list methods");
  fit_.method = options.method;
  fit_.divergence = options.divergence;
  fit_.as_published = options.as_published;
  // The contrast is defined on whitened columns, others on the columns as they are.
  shapes_only_ = method.parts.formulation.name == "contrast";
  if (!shapes_only_) fit_.prepare = std::vector<PartSpec>{};
  fit_.few_valued = FewValued::keep;
  fit_.starts = options.starts;
  fit_.refined = options.refined;
  // One of thousands: a distance to four digits is enough.
  fit_.stopping = {.gradient_tolerance = 1e-4, .decrease_tolerance = 1e-5, .iterations = 200};
  fit_.seed = seed;
  fit_.threads = 1;
}

double ClusterDistance::between(const Table& a, const Table& b, const FitObserver& observer) const {
  const auto measured = [&](const FitOptions& options) {
    const Model model = fit(a, b, options, observer);
    double sum = 0.0;
    for (const Pair& pair : model.pairs) sum += shapes_only_ ? pair.divergence : pair.objective;
    // An estimate of a divergence may come out below zero.
    return std::max(0.0, sum / static_cast<double>(model.pairs.size()));
  };
  // Free norms may vanish, which a fit refuses. Norms of one cannot, and where the cost holds them near one it adds
  // next to nothing: the distance is then that of the method's sibling. A density that cannot be estimated from a few
  // rows leaves that of CDA_M, which needs moments only.
  FitOptions unit_norms = fit_, moments = fit_;
  unit_norms.formulation = PartSpec("iterative");
  unit_norms.optimiser = PartSpec("natural_gradient");
  moments.method = "CDA_M";
  moments.divergence.reset();
  for (const FitOptions& options : {fit_, unit_norms}) {
    if (shapes_only_) break;
    try {
      return measured(options);
    } catch (const Error& error) {
      if (error.fault() != Fault::numerical) throw;
    }
  }
  return measured(shapes_only_ ? fit_ : moments);
}

double cluster_distance(const ClusterCandidates& candidates, const SubspaceCluster& a, const SubspaceCluster& b,
                        const ClusterDistanceOptions& options, std::uint64_t seed) {
  const ClusterDistance distance(options, seed);
  return distance.between(distance.table(candidates.values, a), distance.table(candidates.values, b), {});
}

}  // namespace cda
