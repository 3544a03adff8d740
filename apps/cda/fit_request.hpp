// What every command that fits has in common: the options, reading both tables, fitting with a progress bar.
#pragma once

#include <CLI/CLI.hpp>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cda/cda.hpp"
#include "cda/extend/table_moments.hpp"
#include "options.hpp"
#include "typed_options.hpp"

namespace cda::command {

// The command line as typed.
struct FitRequest {
  std::string x, y;
  TypedOptions fit, evidence;
  std::optional<std::string> time_limit, max_memory;
  bool keep_partial = false, stream = false;
  Reading reading;
};

void add_fit_options(CLI::App& command, FitRequest& request);  // X, Y, method, running, evidence and reading options

FitOptions fit_options(const FitRequest& request);  // the clock of a time limit starts here
EvidenceOptions evidence_options(const FitRequest& request);
bool wants_evidence(const FitRequest& request);  // an option of it was typed

// Both tables, read and without missing cells, and what was done about those. Where they were read in blocks, x and y
// hold some of their rows, and their moments are there.
struct ReadTables {
  Table x, y;
  std::optional<TableMoments> x_moments, y_moments;
  std::map<std::string, std::string> reading;  // how they were read, as typed: {"x_exclude", "id,date"}
  TableOverview x_overview, y_overview;        // where they are wanted, on the rank that writes
  bool summarise = false;                      // whether they are
};
// Checks what can be checked before reading (streams, the outputs, standard output), then reads, and compares what the
// fit will need of memory with what is allowed. Reads in blocks where that is asked for, or where the tables will not
// fit into memory and the method needs only moments; `rows_wanted`: something else needs rows.
ReadTables read_tables(const FitRequest& request, const FitOptions& options, bool rows_wanted,
                       const std::vector<std::string>& outputs, Session& session);

// The model, with its warnings handed to the session. Tables that are not needed again are given up.
Model fit_tables(ReadTables& tables, FitOptions options, bool needed_again, Session& session);
// Evidence, added to the model; left out with a warning where it was enough before it was whole.
void examine_model(const ReadTables& tables, const FitOptions& options, const EvidenceOptions& how, Model& model,
                   Session& session);

}  // namespace cda::command
