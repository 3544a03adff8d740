// What `cda cluster` found, as text, JSON and CSV.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cda/cda.hpp"
#include "cda/cluster.hpp"
#include "console.hpp"

namespace cda::command {

struct ClusterFindings {
  const Table& table;
  const ClusterOptions& options;
  const Clustering& found;
  const std::vector<std::string>& classes;  // their names; empty without --label
  std::optional<SubspaceScores> known;      // against known clusters, where there are some
};

std::string cluster_json(const ClusterFindings& findings, const std::vector<std::string>& warnings);
// All candidates: a list of objects with columns, rows and density.
std::string candidates_json(const ClusterFindings& findings);
// One line for each row, a 0 or 1 for each cluster.
std::string cluster_csv(const ClusterFindings& findings, bool excel_safe);
// Everything in force, as names and values.
std::vector<std::pair<std::string, std::string>> cluster_settings(const ClusterFindings& findings);
std::string cluster_text(const ClusterFindings& findings, const std::string& name, const Page& page, bool verbose);

}  // namespace cda::command
