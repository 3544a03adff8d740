// The page of a clustering: which clusters and why, how they cover the rows, how the selections compare, and all that
// is needed to do it again.
#include <fmt/format.h>

#include <algorithm>

#include "cda/cluster.hpp"
#include "cda/extend/version.hpp"
#include "cda/report.hpp"
#include "report/model_words.hpp"
#include "report/page.hpp"

namespace cda {
namespace {

constexpr std::size_t most_drawn = 40;

std::string name_of(std::size_t cluster) { return fmt::format("cluster {}", cluster + 1); }

std::string names(const ClusteredTable& table, const std::vector<Index>& columns) {
  std::vector<std::string> all;
  for (const Index column : columns) all.push_back(table.columns[static_cast<std::size_t>(column)]);
  return fmt::format("{}", fmt::join(all, ", "));
}

Section clusters_section(const Clustering& clustering, const ClusteredTable& table) {
  Section section{.id = "clusters", .heading = "The clusters"};
  PageTable list{.caption = "In the order they were kept. New: rows that no earlier cluster covers.",
                 .heading = {"cluster", "rows", "new", "columns", "why it was kept"},
                 .rows = {}};
  for (std::size_t i = 0; i < clustering.kept.size(); ++i) {
    const KeptCluster& kept = clustering.kept[i];
    list.rows.push_back({fmt::format("{}", i + 1), fmt::format("{}", kept.cluster.rows.size()),
                         fmt::format("{}", kept.gain), names(table, kept.cluster.columns), kept.why});
  }
  if (!list.rows.empty()) section.tables.push_back(std::move(list));
  section.text.push_back(fmt::format("{} {} looked into, in which {} found{}.",
                                     counted(clustering.candidates.subspaces, "subspace"),
                                     clustering.candidates.subspaces == 1 ? "was" : "were",
                                     clustering.candidates.clusters.size() == 1
                                         ? "1 candidate was"
                                         : fmt::format("{} candidates were", clustering.candidates.clusters.size()),
                                     clustering.candidates.redundant > 0
                                         ? fmt::format("; {} more were left out, because one more column shows them as "
                                                       "well",
                                                       clustering.candidates.redundant)
                                         : ""));
  return section;
}

// How much narrower a cluster is than the table, in each of its columns.
Figure column_map(const Clustering& clustering, const ClusteredTable& table) {
  PageJson rows = PageJson::array(), columns = rows, values = rows;
  const std::size_t shown = std::min(most_drawn, clustering.kept.size());
  for (std::size_t i = 0; i < shown; ++i) {
    const SubspaceCluster& cluster = clustering.kept[i].cluster;
    for (const Index column : cluster.columns) {
      const Vector all = clustering.candidates.values.col(column), own = all(cluster.rows);
      rows.push_back(name_of(i));
      columns.push_back(table.columns[static_cast<std::size_t>(column)]);
      values.push_back(1.0 - (own.maxCoeff() - own.minCoeff()) / (all.maxCoeff() - all.minCoeff()));
    }
  }
  return {"columns-of-clusters",
          "heat",
          "columns of each cluster",
          fmt::format("For the columns in which {} dense: one less the share of the column's range that its rows take. "
                      "Columns without a value play no part in the cluster.",
                      shown == 1 ? "the cluster is" : fmt::format("each of {} clusters is", shown)),
          {{"row", rows}, {"column", columns}, {"value", values}},
          {{"row_label", "cluster"}, {"column_label", "column"}, {"value_label", "narrowness"}}};
}

Figure gain_figure(const Clustering& clustering) {
  PageJson labels = PageJson::array(), gains = labels, sizes = labels;
  const std::size_t shown = std::min(most_drawn, clustering.kept.size());
  Index covered = 0;
  for (std::size_t i = 0; i < shown; ++i) {
    labels.push_back(name_of(i));
    gains.push_back(clustering.kept[i].gain);
    sizes.push_back(clustering.kept[i].cluster.rows.size());
    covered += clustering.kept[i].gain;
  }
  return {"new-rows",
          "intervals",
          "new rows of each cluster",
          fmt::format("{} together cover {} of {} rows.", counted(static_cast<Index>(shown), "cluster"), covered,
                      clustering.candidates.values.rows()),
          {{"label", labels}, {"value", gains}, {"reference", sizes}},
          {{"value_label", "rows that no earlier cluster covers"}, {"reference_label", "all of its rows"}}};
}

Section pictures(const Clustering& clustering, const ClusteredTable& table) {
  Section section{.id = "pictures", .heading = "Where they are"};
  if (clustering.kept.empty()) return section;
  section.figures = {column_map(clustering, table), gain_figure(clustering)};
  return section;
}

Section comparison(const Clustering& clustering) {
  Section section{.id = "selections", .heading = "The selections beside each other"};
  const bool scored = clustering.scores.has_value();
  const auto number = [](double value) { return fmt::format("{:.3f}", value); };
  PageTable list{.caption = "", .heading = {"selection", "clusters", "mean columns", "coverage"}, .rows = {}};
  if (scored)
    for (const char* name : {"F1", "F1 at random", "p", "entropy", "entropy at random"})
      list.heading.emplace_back(name);
  const Index common = clustering.selections.front().common;
  list.heading.push_back(fmt::format("coverage of the first {}", common));
  if (scored) list.heading.push_back(fmt::format("F1 of the first {}", common));
  PageJson labels = PageJson::array(), values = labels, low = labels, high = labels, chance = labels;
  for (const SelectionSummary& one : clustering.selections) {
    std::vector<std::string> row{to_string(one.selection), fmt::format("{}", one.clusters),
                                 fmt::format("{:.1f}", one.columns), number(one.coverage)};
    if (one.scores) {
      row.insert(row.end(),
                 {number(one.scores->f1), number(one.scores->null_f1), fmt::format("{:.3g}", one.scores->p_f1),
                  number(one.scores->entropy), number(one.scores->null_entropy)});
      labels.push_back(to_string(one.selection));
      values.push_back(one.scores->f1);
      chance.push_back(one.scores->null_f1);
      low.push_back(one.scores->null_f1 - 2.0 * one.scores->null_f1_sd);
      high.push_back(one.scores->null_f1 + 2.0 * one.scores->null_f1_sd);
    }
    row.push_back(number(one.common_coverage));
    if (scored) row.push_back(number(one.common_f1.value_or(0.0)));
    list.rows.push_back(std::move(row));
  }
  section.tables.push_back(std::move(list));
  section.text.emplace_back(
      "Plain: new rows for the cost. Paper: divided by the sum of CDA's distances from the clusters kept, as printed, "
      "which prefers what resembles them. Repaired: times how much it differs from them. More clusters raise F1, so "
      "selections are compared by the first ones of each, as many as the shortest has.");
  if (scored) {
    section.text.push_back(fmt::format(
        "F1 of a single cluster that holds all rows: {:.3f}. At random: the same clusters where classes are dealt to "
        "the rows at random.",
        clustering.scores->baseline_f1));
    section.figures.push_back(
        {"f1",
         "intervals",
         "F1 of the selections",
         fmt::format("F1 {:.3f}, where classes at random give {:.3f}.", clustering.scores->f1,
                     clustering.scores->null_f1),
         {{"label", labels}, {"value", values}, {"low", low}, {"high", high}, {"reference", chance}},
         {{"value_label", "F1"},
          {"band", "null"},
          {"band_label", "classes at random, two standard deviations"},
          {"reference_label", "their mean"}}});
  }
  return section;
}

Section again(const ClusteredTable& table) {
  Section section{.id = "again", .heading = "How to do it again"};
  section.text.push_back(fmt::format("`{}`", table.command));
  section.text.push_back(fmt::format(
      "With cda {}: the same file, options and seed give the same clusters, on any number of threads.", version()));
  if (!table.sha256.empty()) {
    PageTable files{.caption = "The file that was read", .heading = {"file", "SHA-256"}, .rows = {}};
    files.rows.push_back({table.name, table.sha256});
    section.tables.push_back(std::move(files));
  }
  PageTable options{.caption = "Everything in force", .heading = {"option", "value"}, .rows = {}};
  for (const auto& [name, value] : table.options) options.rows.push_back({name, value});
  section.tables.push_back(std::move(options));
  section.text.emplace_back(
      "Please cite Müller et al.: Relevant subspace clustering, ICDM 2009 (RESCU), and for the distances Hoang-Vu "
      "Nguyen "
      "and Jilles Vreeken: Canonical Divergence Analysis, 2015.");
  return section;
}

PageVerdict verdict(const Clustering& clustering, const ClusteredTable& table) {
  PageVerdict verdict;
  if (clustering.kept.empty()) {
    verdict.level = PageVerdict::Level::none;
    verdict.label = "no cluster";
    verdict.text = "Nowhere are rows dense enough to be a cluster with these settings.";
    return verdict;
  }
  verdict.label = counted(static_cast<Index>(clustering.kept.size()), "cluster");
  verdict.text = fmt::format("They cover {:.0f} % of the rows.", 100.0 * clustering.coverage);
  if (clustering.scores)
    verdict.text += fmt::format(
        " F1 against the classes is {:.3f}; classes dealt at random give {:.3f} (p {:.3g}), a "
        "single cluster {:.3f}.",
        clustering.scores->f1, clustering.scores->null_f1, clustering.scores->p_f1, clustering.scores->baseline_f1);
  if (table.known)
    verdict.text += fmt::format(" Against the known clusters: CE {:.3f}, RNIA {:.3f} (1: the same).", table.known->ce,
                                table.known->rnia);
  return verdict;
}

}  // namespace

std::string report_html(const Clustering& clustering, const ClusteredTable& table) {
  Page page;
  page.title = fmt::format("Clusters in columns of {}", table.name);
  page.subtitle = fmt::format("{}, {}.", counted(clustering.candidates.values.rows(), "row"),
                              counted(static_cast<Index>(table.columns.size()), "column"));
  page.verdicts = {verdict(clustering, table)};
  page.warnings = table.warnings;
  page.sections = {clusters_section(clustering, table)};
  if (!clustering.kept.empty()) {
    page.sections.push_back(pictures(clustering, table));
    page.sections.push_back(comparison(clustering));
  }
  page.sections.push_back(again(table));
  page.footer = fmt::format("cda {}", version());
  return to_html(page);
}

}  // namespace cda
