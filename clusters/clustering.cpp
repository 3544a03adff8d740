// The whole of it: candidates, the selection asked for, its scores, and the same for the other selections.
#include <algorithm>

#include "cda/cluster.hpp"
#include "cda/error.hpp"

namespace cda {
namespace {

// Steps of a whole, one after another, each with its share.
class Steps {
 public:
  explicit Steps(const ClusterObserver& observer) : observer_(observer) {}

  ClusterObserver next(double share) {
    const double before = before_;
    before_ += share;
    if (!observer_) return {};
    return
        [this, before, share](const std::string& what, double done) { return observer_(what, before + share * done); };
  }

 private:
  const ClusterObserver& observer_;
  double before_ = 0.0;
};

SelectionSummary summary_of(Selection selection, const std::vector<KeptCluster>& kept, const ClusterOptions& options,
                            const std::vector<Index>& classes, Index rows) {
  SelectionSummary summary;
  summary.selection = selection;
  summary.clusters = static_cast<Index>(kept.size());
  summary.coverage = cluster_coverage(rows_of(kept), rows);
  for (const KeptCluster& one : kept)
    summary.columns += static_cast<double>(one.cluster.columns.size()) / static_cast<double>(kept.size());
  if (!classes.empty())
    summary.scores = score_clusters(rows_of(kept), classes, options.permutations, options.selection.seed);
  return summary;
}

}  // namespace

Clustering cluster(const Table& table, const std::vector<Index>& classes, const ClusterOptions& options,
                   const ClusterObserver& observer) {
  if (!classes.empty() && static_cast<Index>(classes.size()) != table.rows())
    throw Error(Fault::usage, "cluster.classes", "there have to be as many classes as rows");
  Steps steps(observer);
  Clustering found;
  found.candidates = find_clusters(table, options.candidates, steps.next(0.4));
  std::vector<Selection> selections{options.selection.selection};
  if (options.compare) selections = {Selection::plain, Selection::paper, Selection::repaired};
  std::vector<std::vector<KeptCluster>> kept;
  for (const Selection selection : selections) {
    SelectionOptions how = options.selection;
    how.selection = selection;
    kept.push_back(select_clusters(found.candidates, how, steps.next(0.6 / static_cast<double>(selections.size()))));
    found.selections.push_back(summary_of(selection, kept.back(), options, classes, table.rows()));
  }
  Index common = found.selections.front().clusters;
  for (const SelectionSummary& one : found.selections) common = std::min(common, one.clusters);
  for (std::size_t i = 0; i < kept.size(); ++i) {
    SelectionSummary& one = found.selections[i];
    std::vector<std::vector<Index>> first = rows_of(kept[i]);
    first.resize(static_cast<std::size_t>(common));
    one.common = common;
    one.common_coverage = cluster_coverage(first, table.rows());
    if (!classes.empty()) one.common_f1 = cluster_f1(first, classes);
    if (one.selection != options.selection.selection) continue;
    found.kept = std::move(kept[i]);
    found.coverage = one.coverage;
    found.scores = one.scores;
  }
  return found;
}

}  // namespace cda
