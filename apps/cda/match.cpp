// `cda match`: which column of one table could be which column of another, by the shapes of their distributions.
#include <fmt/format.h>
#include <unistd.h>

#include <optional>

#include "cda/cda.hpp"
#include "commands.hpp"
#include "files.hpp"
#include "interrupt.hpp"
#include "match_findings.hpp"
#include "options.hpp"
#include "progress.hpp"

namespace cda::command {
namespace {

struct MatchRequest {
  std::string x, y, output;
  std::string units = to_string(MatchOptions().units);
  std::string bootstrap = fmt::format("{}", MatchOptions().bootstrap);
  std::string seed = "0";
  Reading reading;
  bool excel_safe = true;
};

MatchOptions match_options(const MatchRequest& request) {
  MatchOptions options;
  options.units = match_units(request.units);
  options.bootstrap = whole_number("--bootstrap", request.bootstrap, 19, 1'000'000);
  options.seed = seed_number("--seed", request.seed);
  options.threads = thread_count(request.reading);
  return options;
}

// A shape needs no complete rows: unless a policy was asked for, missing cells stay and are left out column by column.
Table read_table_of(const ReadingPlan& plan, Session& session) {
  Table table = read_with_warnings(plan, session);
  std::vector<std::string> remarks;
  if (!plan.missing_name.empty()) {
    table = without_missing(std::move(table), plan.missing, &remarks);
  } else if (const Index missing = table.missing_cells(); missing > 0) {
    remarks.push_back(fmt::format("{}: {} missing cell{} left out, each for its own column only",
                                  shown(plan.files.front(), 200), missing, missing == 1 ? " is" : "s are"));
  }
  for (const std::string& remark : remarks) session.note(remark);
  stop_if_asked();
  return table;
}

void match(const MatchRequest& request, Session& session) {
  const MatchOptions options = match_options(request);
  const ReadingPlan x_plan = reading_plan(request.x, request.reading, Side::x);
  const ReadingPlan y_plan = reading_plan(request.y, request.reading, Side::y);
  const bool csv_to_stdout = request.output == "-";
  if (csv_to_stdout && session.json)
    throw Error(Fault::usage, "usage", "-o - and --json would both write to standard output", "give -o a file name");
  const std::vector<std::string> files = files_of(x_plan, y_plan);
  refuse_shared_stream(files);
  if (session.json || !session.quiet) check_standard_output();
  if (!request.output.empty()) {
    require_csv("matches", request.output);
    check_outputs({request.output}, files);
  }

  if (same_file(request.x, request.y))
    session.warn("X and Y are the same file: every column matches itself, and that means nothing");
  const Table x = read_table_of(x_plan, session);
  const Table y = read_table_of(y_plan, session);
  session.refuse_warnings();

  ColumnMatches found;
  {
    ProgressBar bar(!session.quiet);
    found = match_columns(x, y, options, [&](double share) {
      bar.show(share, "matching");
      return stop_signal() == 0;
    });
  }
  stop_if_asked();
  session.warnings.insert(session.warnings.end(), found.warnings.begin(), found.warnings.end());
  session.refuse_warnings();

  const MatchFindings findings{x, y, options, found};
  if (!request.output.empty()) write_output(request.output, match_csv(findings, request.excel_safe));
  if (session.json) {
    print(match_json(findings, session.warnings));
    return;
  }
  if (!session.quiet) {
    const std::string text = match_text(findings, {.x_name = request.x,
                                                   .y_name = request.y,
                                                   .page = page_of(csv_to_stdout ? STDERR_FILENO : STDOUT_FILENO),
                                                   .verbose = session.verbose});
    if (csv_to_stdout)
      print_error(text);
    else
      print(request.output.empty() ? text
                                   : text + fmt::format("\nMatches written to {}\n", shown(request.output, 200)));
  }
  session.repeat_warnings();
}

}  // namespace

Action add_match(CLI::App& app, Session& session) {
  CLI::App* command =
      app.add_subcommand("match",
                         "Find which column of X could be which column of Y, by shape alone\n\n"
                         "Examples:\n"
                         "  cda match old.csv new.csv                     print which column could be which\n"
                         "  cda match old.csv new.csv -o matches.csv      keep it, one line per match\n"
                         "  cda match old.csv new.csv --units raw         both in the same units\n"
                         "  cda match old.csv new.csv --only-numeric -v   leave text out, show every figure\n\n"
                         "Missing cells are left out, each for its own column, unless --missing says otherwise.\n");
  auto request = std::make_shared<MatchRequest>();
  command->add_option("X", request->x, "the first table: CSV or another format (-: standard input)")
      ->type_name("FILE")
      ->required();
  command->add_option("Y", request->y, "the second table")->type_name("FILE")->required();
  const auto option = [&](const char* name, auto& value, const char* type, const std::string& text) {
    return command->add_option(name, value, text)->type_name(type)->group("Matching");
  };
  option("--units", request->units, "standardised|raw",
         "standardised: forget offset, unit and sign of every column; raw: compare values as they stand")
      ->capture_default_str();
  option("--bootstrap", request->bootstrap, "B", "resamples that tell how stable a match is")->capture_default_str();
  option("--seed", request->seed, "NUMBER", "which resamples; the same seed gives the same bytes")
      ->capture_default_str();
  option("--threads", request->reading.both.threads, "NUMBER",
         "default: what this process may use; the result does not depend on it");
  command->add_option("-o,--output", request->output, "the matches, as CSV (-: standard output)")
      ->type_name("matches.csv")
      ->group("Output");
  add_excel_safe(*command, request->excel_safe);
  add_session_options(*command, session);
  add_reading_options(*command, request->reading, true);
  return [request](Session& current) { match(*request, current); };
}

}  // namespace cda::command
