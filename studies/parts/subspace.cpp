// The paper's last figure: does CDA's distance between clusters improve RESCU's selection?
//
// Seven data sets with classes, min-max scaled by OpenSubspace's authors. For each of several settings of the
// candidates (not the best of them) and each of several random parts of the rows, the plain selection, the paper's
// formula and its repaired form run on the same candidates, with distances by rCDA_M and by a true divergence
// (Wasserstein), and beside them the repaired form with distances drawn at random: what weighting does that knows
// nothing. F1 rewards many clusters whatever they say, so selections are compared by their first k clusters, k the
// least number any of them has.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <map>
#include <tuple>

#include "cda/cluster.hpp"
#include "cda/extend/format.hpp"
#include "clusters/cluster_distance.hpp"
#include "studies/paired_tests.hpp"
#include "studies/real_data.hpp"
#include "studies/replicates.hpp"
#include "studies/results.hpp"
#include "studies/study.hpp"

using namespace cda;

namespace {

struct DataSet {
  const char* name;
  Index max_columns;  // of a subspace; 0: all
};
constexpr std::array<DataSet, 7> data_sets = {
    {{"glass", 0}, {"liver", 0}, {"diabetes", 0}, {"vowel", 0}, {"shape", 0}, {"breast", 3}, {"pendigits", 6}}};

struct Contestant {
  const char *selection, *distance;
  Selection rule;

  std::string name() const {
    return rule == Selection::plain ? std::string(selection) : fmt::format("{}, {}", selection, distance);
  }
};
constexpr std::array<Contestant, 6> contestants = {{{"plain", "none", Selection::plain},
                                                    {"paper", "rCDA_M", Selection::paper},
                                                    {"paper", "wasserstein", Selection::paper},
                                                    {"repaired", "rCDA_M", Selection::repaired},
                                                    {"repaired", "wasserstein", Selection::repaired},
                                                    {"repaired", "random", Selection::repaired}}};

// Distances between candidates, measured once for all selections that ask for them. For one thread.
class KnownDistances {
 public:
  KnownDistances(const ClusterCandidates& candidates, const ClusterDistanceOptions& options, std::uint64_t seed)
      : candidates_(&candidates), distance_(options, seed) {}

  double operator()(Index a, Index b) {
    const auto [place, fresh] = known_.try_emplace({a, b}, 0.0);
    if (fresh) place->second = distance_.between(table(a), table(b), {});
    return place->second;
  }

 private:
  const Table& table(Index candidate) {
    const auto [place, fresh] = tables_.try_emplace(candidate);
    if (fresh)
      place->second = distance_.table(candidates_->values, candidates_->clusters[static_cast<std::size_t>(candidate)]);
    return place->second;
  }

  const ClusterCandidates* candidates_;
  ClusterDistance distance_;
  std::map<Index, Table> tables_;
  std::map<std::pair<Index, Index>, double> known_;
};

// One selection on one part of the rows with one setting.
struct Case {
  double clusters = 0, coverage = 0, f1 = 0, entropy = 0, null_f1 = 0, common = 0, common_f1 = 0, baseline = 0;

  static auto fields(auto& self) {
    return std::tie(self.clusters, self.coverage, self.f1, self.entropy, self.null_f1, self.common, self.common_f1,
                    self.baseline);
  }
};
using Cases = std::vector<Case>;  // by contestant

struct Labelled {
  Table table;
  std::vector<Index> classes;
};

Labelled labelled(const std::string& path) {
  Labelled data;
  std::vector<std::string> labels;
  data.table = read_labelled_table({path}, {}, "class", labels);
  std::vector<std::string> names = labels;
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  for (const std::string& label : labels)
    data.classes.push_back(std::lower_bound(names.begin(), names.end(), label) - names.begin());
  return data;
}

Labelled part_of(const Labelled& data, Index rows, Random random) {
  std::vector<Index> order = random.permutation(data.table.rows());
  order.resize(static_cast<std::size_t>(rows));
  std::sort(order.begin(), order.end());
  Labelled part{data.table, {}};
  keep_rows(part.table, order);
  for (const Index row : order) part.classes.push_back(data.classes[static_cast<std::size_t>(row)]);
  return part;
}

// Uniform on (0, 1), the same for the same two candidates.
double drawn_distance(std::uint64_t seed, Index a, Index b) {
  return Random(seed, fmt::format("{} {}", std::min(a, b), std::max(a, b))).uniform();
}

class SubspaceStudy final : public Experiment {
 public:
  explicit SubspaceStudy(const Settings& settings)
      : folder_(settings.text("data")),
        rows_(settings.count("rows", 50, 1'000'000)),
        clusters_(settings.count("clusters", 2, 1000)),
        looked_at_(settings.count("looked_at", 1, 1000)) {}

  Results run(const ExperimentOptions& options, const ExperimentObserver& observer) const override {
    Replicates replicates("subspace", options, observer);
    Results results;
    results.title = "Non-redundant subspace clustering: F1 of RESCU's selection with and without CDA";
    results.runs = options.runs_or(2, 10, 10);
    results.columns = {{"data", ""},
                       {"selection",
                        "plain: new rows for the cost; paper: over the sum of distances by this method; "
                        "repaired: times how much it differs; random: distances drawn at random"},
                       {"cases", "runs times settings"},
                       {"clusters", "mean number", 1},
                       {"coverage", "share of rows in some cluster", 2},
                       {"entropy", "1: every cluster has rows of one class", 3},
                       {"f1", "of all its clusters", 3},
                       {"null_f1", "of the same clusters where classes are dealt at random", 3},
                       {"baseline_f1", "of one cluster of all rows", 3},
                       {"k", "clusters at which selections are compared, mean", 1},
                       {"f1_at_k", "of its first k clusters", 3},
                       {"sd", "of f1_at_k over runs", 3},
                       {"gain", "f1_at_k less that of the plain selection", 3},
                       {"better", "cases in which it is larger, of those in which it differs", 2},
                       {"p", "that the gain is none (Wilcoxon over runs; in the last rows: over data sets)", 3}};
    results.plots = {{.title = "F1 at equal numbers of clusters",
                      .label = "selection",
                      .value = "f1_at_k",
                      .spread = "sd",
                      .reference = "null_f1",
                      .panels = {"data"}}};
    std::array<std::vector<double>, contestants.size()> gains;
    const std::vector<DataSet> sets = sets_of(options.effort);
    const std::string folder = data_folder(folder_);
    for (const DataSet& set : sets) {
      const std::filesystem::path path =
          std::filesystem::path(folder) / "subspace_real" / (std::string(set.name) + ".arff");
      std::error_code ignored;
      if (!std::filesystem::exists(path, ignored)) {
        results.notes.push_back(
            fmt::format("{}there is no subspace_real/{}.arff in {}; it comes with OpenSubspace (RWTH Aachen); name its "
                        "folder with the option data= or in CDA_DATA",
                        nothing_measured, set.name, in_quotes(folder, 200)));
        continue;
      }
      const Labelled data = labelled(path.string());
      const auto runs =
          replicates.of(set.name, 1.0 / static_cast<double>(sets.size()), results.runs,
                        [&](const Replicate& replicate) { return measure(set, data, options, replicate); });
      add_rows(set.name, runs, gains, results);
    }
    add_summary(gains, results);
    add_notes(options, results);
    return results;
  }

 private:
  static std::vector<DataSet> sets_of(Effort effort) {
    if (effort == Effort::quick) return {data_sets[0], data_sets[1]};
    return {data_sets.begin(), data_sets.end()};
  }
  static std::vector<double> radii(const ExperimentOptions& options) {
    return options.by_effort<std::vector<double>>({0.1, 0.15}, {0.05, 0.1, 0.15}, {0.05, 0.1, 0.15, 0.2});
  }
  static std::vector<double> least_gains(const ExperimentOptions& options) {
    return options.by_effort<std::vector<double>>({0.3}, {0.3}, {0.0, 0.3, 0.6});
  }

  static ClusterDistanceOptions distance_options(const std::string& distance) {
    ClusterDistanceOptions options;
    options.rows = 200;
    options.starts = 4;
    options.refined = 1;
    if (distance == "wasserstein") {
      options.method = "CDA_M";
      options.divergence = "wasserstein";
    }
    return options;
  }

  SelectionOptions selection_options(const Contestant& one, double least_gain, std::uint64_t seed,
                                     std::map<std::string, KnownDistances>& known) const {
    SelectionOptions how;
    how.selection = one.rule;
    how.least_gain = least_gain;
    how.most = clusters_;
    how.looked_at = looked_at_;
    const std::string distance = one.distance;
    if (distance == "random")
      how.measured = [seed](Index a, Index b) { return drawn_distance(seed, a, b); };
    else if (const auto place = known.find(distance); place != known.end())
      how.measured = [&distances = place->second](Index a, Index b) { return distances(a, b); };
    how.seed = seed;
    how.threads = 1;
    return how;
  }

  std::vector<Cases> measure(const DataSet& set, const Labelled& data, const ExperimentOptions& options,
                             const Replicate& replicate) const {
    const Index rows = std::min(rows_, data.table.rows() * 9 / 10);
    const Labelled part = part_of(data, rows, replicate.random.stream("rows"));
    const ClusterObserver observer = [&](const std::string&, double) { return replicate.fit_observer({}); };
    std::vector<Cases> all;
    for (const double radius : radii(options)) {
      CandidateOptions from;
      from.radius = radius;
      from.max_columns = set.max_columns;
      from.threads = 1;
      const ClusterCandidates candidates = find_clusters(part.table, from, observer);
      std::map<std::string, KnownDistances> known;
      for (const char* distance : {"rCDA_M", "wasserstein"})
        known.emplace(distance, KnownDistances(candidates, distance_options(distance), replicate.seed));
      for (const double least_gain : least_gains(options)) {
        Cases cases(contestants.size());
        std::vector<std::vector<std::vector<Index>>> kept;
        std::size_t common = static_cast<std::size_t>(clusters_);
        for (const Contestant& one : contestants) {
          kept.push_back(rows_of(
              select_clusters(candidates, selection_options(one, least_gain, replicate.seed, known), observer)));
          common = std::min(common, kept.back().size());
        }
        for (std::size_t i = 0; i < contestants.size(); ++i) {
          const ClusterScores scores = score_clusters(kept[i], part.classes, 19, replicate.seed);
          cases[i] = {static_cast<double>(kept[i].size()),
                      scores.coverage,
                      scores.f1,
                      scores.entropy,
                      scores.null_f1,
                      static_cast<double>(common),
                      0.0,
                      scores.baseline_f1};
          kept[i].resize(common);
          cases[i].common_f1 = cluster_f1(kept[i], part.classes);
        }
        all.push_back(cases);
      }
    }
    return all;
  }

  static void add_rows(const char* name, const std::vector<std::vector<Cases>>& runs,
                       std::array<std::vector<double>, contestants.size()>& gains, Results& results) {
    for (std::size_t i = 0; i < contestants.size(); ++i) {
      const auto mean = [&](auto value) {
        double sum = 0.0;
        Index count = 0;
        for (const std::vector<Cases>& run : runs)
          for (const Cases& cases : run) {
            sum += value(cases);
            ++count;
          }
        return sum / static_cast<double>(count);
      };
      const auto of = [&](double Case::*member) { return mean([&](const Cases& cases) { return cases[i].*member; }); };
      std::vector<double> per_run, gain_per_run;
      Share better;
      Index count = 0;
      for (const std::vector<Cases>& run : runs) {
        double f1 = 0.0, gain = 0.0;
        for (const Cases& cases : run) {
          const double difference = cases[i].common_f1 - cases[0].common_f1;
          f1 += cases[i].common_f1 / static_cast<double>(run.size());
          gain += difference / static_cast<double>(run.size());
          if (difference != 0.0) better.add(difference > 0.0);
          ++count;
        }
        per_run.push_back(f1);
        gain_per_run.push_back(gain);
      }
      const double gain = mean([&](const Cases& cases) { return cases[i].common_f1 - cases[0].common_f1; });
      const double sd = spread(per_run).sd;
      gains[i].push_back(gain);
      std::vector<Cell> row{std::string(name), contestants[i].name(), count};
      for (const auto member : {&Case::clusters, &Case::coverage, &Case::entropy, &Case::f1, &Case::null_f1,
                                &Case::baseline, &Case::common, &Case::common_f1})
        row.emplace_back(of(member));
      row.emplace_back(std::isfinite(sd) ? Cell(sd) : Cell());
      row.push_back(i == 0 ? Cell() : Cell(gain));
      row.push_back(i == 0 ? Cell() : Cell(better));
      row.push_back(i == 0 ? Cell() : Cell(signed_rank_p(gain_per_run)));
      results.rows.push_back(std::move(row));
    }
  }

  // The mean over the data sets.
  static void add_summary(const std::array<std::vector<double>, contestants.size()>& gains, Results& results) {
    const std::size_t sets = gains[0].size();
    if (sets < 2) return;
    for (std::size_t i = 1; i < contestants.size(); ++i) {
      std::vector<Cell> row(results.columns.size());
      const MeanAndSpread gain = spread(gains[i]);
      const auto larger = std::count_if(gains[i].begin(), gains[i].end(), [](double one) { return one > 0.0; });
      const double p = signed_rank_p(gains[i]);
      row[0] = fmt::format("all {}", sets);
      row[1] = contestants[i].name();
      row[12] = gain.mean;
      row[13] = Share{static_cast<Index>(larger), static_cast<Index>(sets)};
      row[14] = p;
      results.rows.push_back(std::move(row));
      results.notes.push_back(
          fmt::format("{}: F1 at equal numbers of clusters is larger than that of the plain selection on {} of {} "
                      "data sets, by {:+.3f} on average (p {:.2g}): {}",
                      contestants[i].name(), larger, sets, gain.mean, p,
                      p > 0.05          ? "no detectable difference"
                      : gain.mean > 0.0 ? "it helps"
                                        : "it harms"));
    }
  }

  void add_notes(const ExperimentOptions& options, Results& results) const {
    std::vector<std::string> shown_radii, shown_gains;
    for (const double one : radii(options)) shown_radii.push_back(fmt::format("{:g}", one));
    for (const double one : least_gains(options)) shown_gains.push_back(fmt::format("{:g}", one));
    results.notes.push_back(fmt::format(
        "each run takes nine tenths of the rows, at most {}; settings: radius {} times least gain {}; figures "
        "are means over all of them, not the best",
        rows_, fmt::join(shown_radii, ", "), fmt::join(shown_gains, ", ")));
    results.notes.push_back(fmt::format(
        "at most {} clusters, distances for the best {} candidates of each round; subspaces of at most 3 columns of "
        "breast (33 columns) and 6 of pendigits (16)",
        clusters_, looked_at_));
    results.notes.emplace_back(
        "the paper reports that rCDA_M improves all data sets, without figures, settings or its number of clusters");
  }

  std::string folder_;
  Index rows_, clusters_, looked_at_;
};

}  // namespace

CDA_PART(Experiment, subspace) {
  return study<SubspaceStudy>("non-redundant subspace clustering: RESCU with and without CDA on seven data sets",
                              "Nguyen and Vreeken, Canonical Divergence Analysis, section 6.4; docs/cluster.md",
                              {data_option(),
                               {"rows", "1000", "at most so many of a data set"},
                               {"clusters", "12", "at most so many in a selection"},
                               {"looked_at", "10", "candidates of a round for which distances are computed"}});
}
