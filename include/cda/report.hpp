// One page that shows what was found and how far to trust it: a single file of HTML that needs nothing else, the same
// bytes for the same model.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cda/cluster.hpp"
#include "cda/experiment.hpp"
#include "cda/model.hpp"

namespace cda {

// Figures of the tables are drawn from Model::summary, verdicts from Model::evidence; where one is not there, the page
// says how to get it.
std::string report_html(const Model& model);

// Results of a study, with its pictures.
std::string report_html(const Results& results);

// Clusters, with what they were found in.
struct ClusteredTable {
  std::string name;                                               // of the table, for people
  std::vector<std::string> columns;                               // names
  std::string command;                                            // that does it again
  std::vector<std::pair<std::string, std::string>> options = {};  // everything in force
  std::vector<std::string> warnings = {};
  std::optional<SubspaceScores> known = {};
  std::string sha256 = {};  // of the file, where it is known
};
std::string report_html(const Clustering& clustering, const ClusteredTable& table);

}  // namespace cda
