// `cda nearest`: for each row of X the closest rows of Y in the common space of a model, and back.
#include <fmt/format.h>

#include <cmath>
#include <optional>

#include "cda/cda.hpp"
#include "cda/extend/executor.hpp"
#include "commands.hpp"
#include "files.hpp"
#include "interrupt.hpp"
#include "json.hpp"
#include "mapped_tables.hpp"
#include "options.hpp"
#include "progress.hpp"

namespace cda::command {
namespace {

struct NearestRequest {
  MappedRequest mapped;
  std::string output = "-";
  std::string count = "5";
  bool excel_safe = true;
};

// The rows of a side that have a place in the common space.
std::vector<Index> placed(const MappedTable& side) {
  std::vector<Index> rows;
  for (Index i = 0; i < side.mapped.rows(); ++i)
    if (side.mapped.row(i).allFinite()) rows.push_back(i);
  return rows;
}

// A row's own name, or its number from 1.
std::string id(const MappedTable& side, Index row, bool excel_safe) {
  if (side.table.index.empty()) return fmt::format("{}", row + 1);
  const std::string& name = side.table.index[static_cast<std::size_t>(row)];
  return csv_field(excel_safe ? spreadsheet_safe(name) : name);
}

// One line for each of the nearest rows of each row. Distances are written so that they read back exactly.
std::string lines(const MappedTable& rows, const MappedTable& others, const char* table, Index count,
                  const Executor& executor, bool excel_safe) {
  const std::vector<Index> of = placed(rows), among = placed(others);
  const auto nearest = nearest_rows(rows.mapped(of, Eigen::all), others.mapped(among, Eigen::all), count, executor);
  std::string text;
  for (std::size_t i = 0; i < of.size(); ++i)
    for (std::size_t rank = 0; rank < nearest[i].size(); ++rank)
      text += fmt::format("{},{},{},{},{}\n", table, id(rows, of[i], excel_safe), rank + 1,
                          id(others, among[static_cast<std::size_t>(nearest[i][rank].row)], excel_safe),
                          std::sqrt(nearest[i][rank].squared));
  return text;
}

void run_nearest(const NearestRequest& request, Session& session) {
  const Index count = whole_number("-k", request.count, 1, 1000000);
  const int threads = thread_count(request.mapped.reading);
  if (session.json && request.output == "-")
    throw Error(Fault::usage, "usage", "the rows are CSV and would mix with --json on standard output",
                "give -o OUT.csv");
  require_csv("nearest rows", request.output);
  const MappedPlans plans = mapped_plans(request.mapped, request.output, {}, session);
  const MappedTables tables = read_mapped(request.mapped, plans, session);
  for (const auto& [side, name] : {std::pair(&tables.x, "X"), std::pair(&tables.y, "Y")})
    if (placed(*side).empty())
      throw Error(Fault::input, "nearest.no-rows", fmt::format("no row of {} is complete", name));
  if (tables.model.coupling && tables.model.coupling->ambiguous)
    session.warn("the model's alignment is ambiguous: rows that are near in it may belong to another one");
  session.refuse_warnings();
  const Executor executor(threads);
  std::string text = "table,row,rank,nearest,distance\n";
  {
    ProgressBar bar(!session.quiet);
    bar.show(0.0, "rows of X");
    text += lines(tables.x, tables.y, "x", count, executor, request.excel_safe);
    stop_if_asked();
    bar.show(0.5, "rows of Y");
    text += lines(tables.y, tables.x, "y", count, executor, request.excel_safe);
  }
  stop_if_asked();
  write_output(request.output, text);
  const Index x_rows = tables.x.mapped.rows(), y_rows = tables.y.mapped.rows();
  if (session.json)
    print(document({{"method", tables.model.method},
                    {"x", {{"rows", x_rows}}},
                    {"y", {{"rows", y_rows}}},
                    {"k", count},
                    {"warnings", session.warnings}}));
  else if (request.output != "-")
    session.note(fmt::format("the nearest rows of {} rows of X and {} of Y written to {}", x_rows, y_rows,
                             shown(request.output, 200)));
}

}  // namespace

Action add_nearest(CLI::App& app, Session& session) {
  CLI::App* command = app.add_subcommand(
      "nearest",
      "For each row of X the closest rows of Y in the common space of a model, and back\n\n"
      "Examples:\n"
      "  cda nearest model.json --x X.csv --y Y.csv -o near.csv\n"
      "  cda nearest model.json --x X.csv --y Y.csv -k 1 > near.csv       the nearest one alone\n\n"
      "Writes table,row,rank,nearest,distance: first rows of X with their nearest of Y, then rows of Y\n"
      "with their nearest of X. Rows go by --index-column, or by their number from 1. A near row\n"
      "resembles; that it is the same item nothing here proves.\n");
  auto request = std::make_shared<NearestRequest>();
  add_mapped_options(*command, request->mapped);
  command->add_option("-k,--neighbours", request->count, "how many for each row")
      ->type_name("K")
      ->capture_default_str();
  command
      ->add_option("--threads", request->mapped.reading.both.threads,
                   "default: what this process may use; the result does not depend on it")
      ->type_name("NUMBER");
  command->add_option("-o,--output", request->output, "what to write (-: standard output)")
      ->type_name("OUT.csv")
      ->capture_default_str();
  add_excel_safe(*command, request->excel_safe);
  add_session_options(*command, session);
  return [request](Session& current) { run_nearest(*request, current); };
}

}  // namespace cda::command
