// Matches of columns as they are shown: one JSON object or a CSV file for programs, a table for people.
#pragma once

#include <string>
#include <vector>

#include "cda/files.hpp"
#include "cda/match.hpp"
#include "console.hpp"

namespace cda::command {

// What was compared and what came out.
struct MatchFindings {
  const Table& x;
  const Table& y;
  const MatchOptions& options;
  const ColumnMatches& found;
};

struct MatchTextOptions {
  std::string x_name, y_name;
  Page page = {};
  bool verbose = false;  // further figures, and what there is to note of each match
};

std::string match_json(const MatchFindings& findings, const std::vector<std::string>& warnings);
std::string match_csv(const MatchFindings& findings, bool excel_safe);
std::string match_text(const MatchFindings& findings, const MatchTextOptions& options);

}  // namespace cda::command
