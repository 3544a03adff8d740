// `cda transform`: rows of either table in the common space, pair by pair.
#include <fmt/format.h>

#include "cda/cda.hpp"
#include "commands.hpp"
#include "files.hpp"
#include "interrupt.hpp"
#include "json.hpp"
#include "mapped_tables.hpp"
#include "options.hpp"

namespace cda::command {
namespace {

struct TransformRequest {
  std::string model, x, y, output = "-";
  Reading reading;
  bool excel_safe = true;
};

void transform(const TransformRequest& request, Session& session) {
  if (request.x.empty() == request.y.empty())
    throw Error(Fault::usage, "usage", "transform takes either --x FILE or --y FILE", "cda transform --help");
  const Side side = request.x.empty() ? Side::y : Side::x;
  const std::string& path = side == Side::x ? request.x : request.y;
  if (session.json && request.output == "-")
    throw Error(Fault::usage, "usage", "the values are CSV and would mix with --json on standard output",
                "give -o OUT.csv");
  ReadingPlan plan = reading_plan(path, request.reading);
  refuse_shared_stream({request.model, path});
  if (session.json) check_standard_output();
  check_outputs({request.output}, {request.model, path});
  const bool csv = format_to_write(request.output) == "csv";

  std::vector<std::string> remarks;
  const Model model = Model::from_json(read_json(request.model), shown(request.model, 4096), &remarks);
  model.expect_columns(side, plan.options);
  warn_of_other_reading(model, side, plan, session);
  const Table table = read_with_warnings(plan, session);
  Table result;
  result.values = model.transform(side, table, &remarks);
  for (const std::string& remark : remarks) session.warn(remark);
  session.refuse_warnings();
  stop_if_asked();

  for (Index pair = 1; pair <= result.values.cols(); ++pair) result.names.push_back(fmt::format("pair{}", pair));
  result.index_name = table.index_name;
  result.index = table.index;
  if (csv && request.excel_safe) {
    result.index_name = spreadsheet_safe(result.index_name);
    for (std::string& name : result.index) name = spreadsheet_safe(name);
  }
  write_output(request.output, written_table(result, request.output));

  if (session.json)
    print(document({{"rows", result.values.rows()}, {"pairs", result.values.cols()}, {"warnings", session.warnings}}));
  else if (request.output != "-")
    session.note(fmt::format("{} rows of {} pairs written to {}", result.values.rows(), result.values.cols(),
                             shown(request.output, 200)));
}

}  // namespace

Action add_transform(CLI::App& app, Session& session) {
  CLI::App* command = app.add_subcommand("transform",
                                         "Rows of either table in the common space of a model\n\n"
                                         "Examples:\n"
                                         "  cda transform model.json --x X.csv -o x.csv\n"
                                         "  cda transform model.json --y new.csv --index-column day > y.csv\n");
  auto request = std::make_shared<TransformRequest>();
  command->add_option("MODEL", request->model, "a model written by cda fit -o")->type_name("FILE")->required();
  command->add_option("--x", request->x, "rows with the columns of X")->type_name("FILE");
  command->add_option("--y", request->y, "rows with the columns of Y")->type_name("FILE");
  command
      ->add_option(
          "-o,--output", request->output,
          "what to write: pair1,pair2,...; one line per row (-: standard output); CSV, or by its ending .npy, .parquet")
      ->type_name("OUT.csv")
      ->capture_default_str();
  add_excel_safe(*command, request->excel_safe);
  add_session_options(*command, session);
  add_reading_options(*command, request->reading, false);
  return [request](Session& current) { transform(*request, current); };
}

}  // namespace cda::command
