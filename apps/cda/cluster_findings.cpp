#include "cluster_findings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "json.hpp"

namespace cda::command {
namespace {

std::string counted(Index count, const char* thing) {
  return fmt::format("{} {}{}", count, thing, count == 1 ? "" : "s");
}

std::vector<std::string> names_of(const Table& table, const std::vector<Index>& columns) {
  std::vector<std::string> names;
  for (const Index column : columns) names.push_back(table.names[static_cast<std::size_t>(column)]);
  return names;
}

// ---- JSON ----

Json null_json(const ClusterScores& scores) {
  return {{"f1", scores.null_f1}, {"f1_sd", scores.null_f1_sd}, {"entropy", scores.null_entropy}, {"p", scores.p_f1}};
}

Json cluster_object(const Table& table, const KeptCluster& kept) {
  Json object;
  object["columns"] = names_of(table, kept.cluster.columns);
  object["rows"] = kept.cluster.rows;
  if (!table.index.empty()) {
    object["row_names"] = Json::array();
    for (const Index row : kept.cluster.rows) object["row_names"].push_back(table.index[static_cast<std::size_t>(row)]);
  }
  object["density"] = kept.cluster.density;
  object["gain"] = kept.gain;
  object["cost"] = kept.cost;
  object["potential"] = kept.potential;
  object["distance"] = kept.distance ? Json(*kept.distance) : Json(nullptr);
  object["why"] = kept.why;
  return object;
}

Json selection_object(const SelectionSummary& one) {
  Json object{{"selection", to_string(one.selection)},
              {"clusters", one.clusters},
              {"coverage", one.coverage},
              {"mean_columns", one.columns}};
  object["f1"] = one.scores ? Json(one.scores->f1) : Json(nullptr);
  object["entropy"] = one.scores ? Json(one.scores->entropy) : Json(nullptr);
  object["null"] = one.scores ? null_json(*one.scores) : Json(nullptr);
  object["first"] = {{"clusters", one.common}, {"coverage", one.common_coverage}};
  object["first"]["f1"] = one.common_f1 ? Json(*one.common_f1) : Json(nullptr);
  return object;
}

Json options_object(const ClusterOptions& options, const ClusterCandidates& candidates) {
  const CandidateOptions& from = options.candidates;
  const SelectionOptions& how = options.selection;
  Json object{{"density", to_string(from.rule)}, {"units", from.scaled ? "scaled" : "as-is"}, {"radius", from.radius}};
  if (from.rule == DensityRule::adaptive) {
    object["density_factor"] = from.density_factor;
    object["least_density"] = from.least_density;
  } else {
    object["min_points"] = from.min_points;
  }
  object["min_size"] = candidates.min_size;
  object["redundancy"] = from.redundancy < 0.0 ? Json("auto") : Json(from.redundancy);
  object["max_columns"] = candidates.max_columns;
  object["max_candidates"] = from.max_candidates;
  object["max_subspaces"] = from.max_subspaces;
  object["cost"] = to_string(how.cost);
  object["least_gain"] = how.least_gain;
  object["clusters"] = how.most;
  object["method"] = how.distance.method;
  object["divergence"] = how.distance.divergence ? Json(how.distance.divergence->to_string()) : Json(nullptr);
  object["as_published"] = how.distance.as_published;
  object["permutations"] = options.permutations;
  return object;
}

// ---- Text ----

// 3, 5-9, 12: names of rows where there are some.
std::string rows_text(const Table& table, const std::vector<Index>& rows, std::size_t most) {
  std::vector<std::string> parts;
  std::size_t length = 0, i = 0;
  while (i < rows.size() && length < most) {
    std::size_t end = i + 1;
    if (!table.index.empty()) {
      parts.push_back(shown(table.index[static_cast<std::size_t>(rows[i])], 30));
    } else {
      while (end < rows.size() && rows[end] == rows[end - 1] + 1) ++end;
      if (end - i < 3) end = i + 1;
      parts.push_back(end - i > 1 ? fmt::format("{}-{}", rows[i], rows[end - 1]) : fmt::format("{}", rows[i]));
    }
    length += shown_width(parts.back()) + 2;
    i = end;
  }
  return fmt::format("{}{}", fmt::join(parts, ", "), i < rows.size() ? ", ..." : "");
}

std::string columns_text(const Table& table, const std::vector<Index>& columns) {
  std::vector<std::string> names;
  for (const std::string& name : names_of(table, columns)) names.push_back(shown(name, 30));
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string cluster_block(const ClusterFindings& findings, std::size_t number, std::size_t width, bool verbose,
                          bool colour) {
  const KeptCluster& kept = findings.found.kept[number];
  std::string text = fmt::format("{}  {}, {} new\n", bold(fmt::format("cluster {}", number + 1), colour),
                                 counted(static_cast<Index>(kept.cluster.rows.size()), "row"), kept.gain);
  text += wrapped("columns  " + columns_text(findings.table, kept.cluster.columns), width, "  ", "         ");
  const std::size_t most = verbose ? static_cast<std::size_t>(-1) : 2 * (width - 12);
  text += wrapped("rows     " + rows_text(findings.table, kept.cluster.rows, most), width, "  ", "         ");
  text += wrapped("why      " + kept.why, width, "  ", "         ");
  return text;
}

std::string selection_table(const Clustering& found, Selection chosen, std::size_t width) {
  const bool scored = found.selections.front().scores.has_value(), several = found.selections.size() > 1;
  std::vector<std::vector<std::string>> rows{{"selection", "clusters", "columns", "coverage"}};
  std::vector<std::string>& header = rows.front();
  if (scored) header.insert(header.end(), {"F1", "at random", "p", "entropy", "at random"});
  const std::string first = fmt::format("first {}", found.selections.front().common);
  if (several) header.push_back(first + ": coverage");
  if (several && scored) header.push_back("F1");
  for (const SelectionSummary& one : found.selections) {
    const auto number = [](double value) { return fmt::format("{:.3f}", value); };
    std::vector<std::string> row{to_string(one.selection) + (one.selection == chosen && several ? " *" : ""),
                                 fmt::format("{}", one.clusters), fmt::format("{:.1f}", one.columns),
                                 number(one.coverage)};
    if (scored)
      row.insert(row.end(),
                 {number(one.scores->f1), number(one.scores->null_f1), fmt::format("{:.3g}", one.scores->p_f1),
                  number(one.scores->entropy), number(one.scores->null_entropy)});
    if (several) row.push_back(number(one.common_coverage));
    if (several && scored) row.push_back(number(*one.common_f1));
    rows.push_back(std::move(row));
  }
  std::string text = text_table(rows);
  if (scored)
    text +=
        wrapped(fmt::format("F1 of a single cluster of all rows: {:.3f}. At random: the same clusters, classes dealt "
                            "to the rows at random.",
                            found.scores->baseline_f1),
                width);
  if (several)
    text += wrapped(
        fmt::format(
            "{}: selections at equal numbers of clusters, each with its first ones. F1 rewards many clusters, so "
            "compare these. * is listed above.",
            first),
        width);
  return text;
}

}  // namespace

std::string cluster_json(const ClusterFindings& findings, const std::vector<std::string>& warnings) {
  const Clustering& found = findings.found;
  Json object;
  object["selection"] = to_string(findings.options.selection.selection);
  object["seed"] = findings.options.selection.seed;
  object["rows"] = findings.table.rows();
  object["columns"] = findings.table.names;
  object["subspaces"] = found.candidates.subspaces;
  object["candidates"] = found.candidates.clusters.size();
  object["redundant"] = found.candidates.redundant;
  object["clusters"] = Json::array();
  for (const KeptCluster& kept : found.kept) object["clusters"].push_back(cluster_object(findings.table, kept));
  object["coverage"] = found.coverage;
  const auto scored = [&](double ClusterScores::*member) {
    return found.scores ? Json((*found.scores).*member) : Json(nullptr);
  };
  object["f1"] = scored(&ClusterScores::f1);
  object["entropy"] = scored(&ClusterScores::entropy);
  object["baseline_f1"] = scored(&ClusterScores::baseline_f1);
  object["null"] = found.scores ? null_json(*found.scores) : Json(nullptr);
  object["rnia"] = findings.known ? Json(findings.known->rnia) : Json(nullptr);
  object["ce"] = findings.known ? Json(findings.known->ce) : Json(nullptr);
  object["classes"] = findings.classes;
  object["selections"] = Json::array();
  for (const SelectionSummary& one : found.selections) object["selections"].push_back(selection_object(one));
  object["options"] = options_object(findings.options, found.candidates);
  object["warnings"] = warnings;
  return document(object);
}

std::string candidates_json(const ClusterFindings& findings) {
  std::string text = "[";
  for (const SubspaceCluster& one : findings.found.candidates.clusters) {
    const Json object{{"columns", names_of(findings.table, one.columns)}, {"rows", one.rows}, {"density", one.density}};
    text += (text.size() > 1 ? ",\n " : "\n ") + object.dump(-1, ' ', false, Json::error_handler_t::replace);
  }
  return text + "\n]\n";
}

std::vector<std::pair<std::string, std::string>> cluster_settings(const ClusterFindings& findings) {
  std::vector<std::pair<std::string, std::string>> all;
  all.emplace_back("selection", to_string(findings.options.selection.selection));
  all.emplace_back("seed", fmt::format("{}", findings.options.selection.seed));
  const Json options = options_object(findings.options, findings.found.candidates);
  for (const auto& [name, value] : options.items())
    all.emplace_back(name, value.is_string() ? value.get<std::string>() : value.is_null() ? "" : value.dump());
  return all;
}

std::string cluster_csv(const ClusterFindings& findings, bool excel_safe) {
  const Table& table = findings.table;
  const std::vector<KeptCluster>& kept = findings.found.kept;
  const auto name = [&](const std::string& text) { return csv_field(excel_safe ? spreadsheet_safe(text) : text); };
  std::string header = table.index.empty() ? "row" : name(table.index_name);
  std::vector<std::vector<char>> members(kept.size(), std::vector<char>(static_cast<std::size_t>(table.rows()), '0'));
  for (std::size_t i = 0; i < kept.size(); ++i) {
    header += fmt::format(",cluster{}", i + 1);
    for (const Index row : kept[i].cluster.rows) members[i][static_cast<std::size_t>(row)] = '1';
  }
  std::string text = header + "\n";
  for (std::size_t row = 0; row < static_cast<std::size_t>(table.rows()); ++row) {
    text += table.index.empty() ? fmt::format("{}", row) : name(table.index[row]);
    for (const std::vector<char>& one : members) {
      text += ',';
      text += one[row];
    }
    text += '\n';
  }
  return text;
}

std::string cluster_text(const ClusterFindings& findings, const std::string& name, const Page& page, bool verbose) {
  const Clustering& found = findings.found;
  const std::size_t width = std::min<std::size_t>(page.width, 100);
  const auto kept = static_cast<Index>(found.kept.size());
  std::string text = wrapped(
      fmt::format("{} in {} ({}, {}): {} selection from {} in {}, {:.0f} % of the rows covered",
                  bold(counted(kept, "cluster"), page.colour), shown(name, 60), counted(findings.table.rows(), "row"),
                  counted(findings.table.columns(), "column"), to_string(findings.options.selection.selection),
                  counted(static_cast<Index>(found.candidates.clusters.size()), "candidate"),
                  counted(found.candidates.subspaces, "subspace"), 100.0 * found.coverage),
      width);
  if (kept == 0) {
    text += wrapped(
        "No cluster: nowhere are rows dense enough. A larger --radius, a smaller --density-factor, --least-density or "
        "--min-size (with --density subclu: --min-points) ask for less.",
        width);
  } else {
    text += findings.table.index.empty() ? "Rows count from 0.\n\n" : "\n";
    for (std::size_t i = 0; i < found.kept.size(); ++i)
      text += cluster_block(findings, i, width, verbose, page.colour) + "\n";
    text += selection_table(found, findings.options.selection.selection, width);
  }
  if (findings.known)
    text += wrapped(fmt::format("Against the known clusters: CE {:.3f}, RNIA {:.3f} (1: the same rows and columns).",
                                findings.known->ce, findings.known->rnia),
                    width);
  return text;
}

}  // namespace cda::command
