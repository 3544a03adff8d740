// What `cda transfer` and `cda score` have in common: two tables mapped by a model, with one column of each kept apart
// as what is known of its rows.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cda/cda.hpp"
#include "options.hpp"

namespace cda::command {

struct MappedRequest {
  std::string model, x, y;
  std::optional<std::string> target, label;  // at most one: a column of numbers, or of classes
  Reading reading;

  const std::optional<std::string>& known_column() const { return target ? target : label; }
};

void add_mapped_options(CLI::App& command, MappedRequest& request);  // MODEL, --x, --y and reading options

struct MappedTable {
  Table table;                      // the columns of the model
  Matrix mapped;                    // rows x pairs; NaN where a cell is missing
  std::vector<std::string> labels;  // of the rows, empty where missing; none without --label
  Vector targets;                   // NaN where missing; class numbers with --label
  bool has_column = false;          // the target or label
};

struct MappedTables {
  Model model;
  MappedTable x, y;
  std::vector<std::string> classes;  // sorted; with --label
};

// A hint where a table lacks the target or label: its columns of such names, or else another hint. Only the columns of
// the model were read so far, so a file is read once more for its names; this is on the way to an error.
std::string near_columns(const MappedRequest& request, Side side, const std::string& otherwise);

// Warns where rows the model was fitted to were read by options that change values, and these rows are not.
void warn_of_other_reading(const Model& model, Side side, const ReadingPlan& plan, Session& session);

struct MappedPlans {
  ReadingPlan x, y;
};
// Refuses everything that can be refused without reading. `output` may be empty; `further` are inputs beside the model
// and the tables.
MappedPlans mapped_plans(const MappedRequest& request, const std::string& output,
                         const std::vector<std::string>& further, const Session& session);

MappedTables read_mapped(const MappedRequest& request, const MappedPlans& plans, Session& session);

}  // namespace cda::command
