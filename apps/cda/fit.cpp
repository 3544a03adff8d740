// `cda fit` finds pairs of column combinations of two tables that are distributed alike; `cda test` does the same and
// then says how far each pair can be trusted. Everything that can be refused is refused before a row is read or
// computed with: names, numbers, outputs, then the inputs' content.
#include <fmt/format.h>
#include <unistd.h>

#include "commands.hpp"
#include "files.hpp"
#include "findings.hpp"
#include "fit_request.hpp"
#include "interrupt.hpp"
#include "ranks.hpp"

namespace cda::command {
namespace {

struct WholeRequest : FitRequest {
  std::string output, report;

  std::vector<std::string> outputs() const {
    std::vector<std::string> given;
    for (const std::string& each : {output, report})
      if (!each.empty()) given.push_back(each);
    return given;
  }

  std::vector<OutputFile> contents(const Model& model) const {
    std::vector<OutputFile> files;
    if (!output.empty()) files.push_back({output, model.to_json()});
    if (!report.empty()) files.push_back({report, report_html(model)});
    return files;
  }
};

std::string kept(const std::string& output) {
  if (output.empty()) return "the best found so far was printed";
  return output == "-" ? "the best found so far was kept"
                       : fmt::format("the best found so far was written to {}", shown(output, 200));
}

void fit(const WholeRequest& request, bool with_evidence, Session& session) {
  const FitOptions options = fit_options(request);
  const EvidenceOptions how = evidence_options(request);
  const bool evidence = with_evidence || wants_evidence(request);
  if (evidence) require_evidence_for(options.method);
  const bool model_to_stdout = request.output == "-";
  if (!request.report.empty()) require_report(request.report);
  if (evidence && ranks() != nullptr)
    throw Error(Fault::usage, "ranks.evidence", "evidence is not for several processes",
                "run `cda test` without mpirun");
  ReadTables tables = together([&] { return read_tables(request, options, evidence, request.outputs(), session); });
  if (request.keep_partial) keep_partial_results();
  Model model = fit_tables(tables, options, evidence, session);
  all_done();
  if (evidence) examine_model(tables, options, how, model, session);

  write_outputs(request.contents(model));
  if (session.json) {
    print(findings_json(model, session.warnings));
    end_after_partial_result(kept(request.output));
    return;
  }
  if (!session.quiet) {
    const int descriptor = model_to_stdout ? STDERR_FILENO : STDOUT_FILENO;
    std::string text =
        findings_text(model, request.x, request.y, {.page = page_of(descriptor), .every_column = session.verbose});
    if (!request.output.empty() && !model_to_stdout)
      text += fmt::format("\nModel written to {}\n", shown(request.output, 200));
    else if (request.output.empty() && !with_evidence)
      text += "\nNo model was kept: add -o model.json to map further rows with `cda transform`.\n";
    if (!request.report.empty()) text += fmt::format("Report written to {}\n", shown(request.report, 200));
    if (model_to_stdout)
      print_error(text);
    else
      print(text);
  }
  session.repeat_warnings();
  end_after_partial_result(kept(request.output));
}

Action add(CLI::App& app, Session& session, const char* name, const char* description, bool with_evidence) {
  CLI::App* command = app.add_subcommand(name, description);
  auto request = std::make_shared<WholeRequest>();
  add_fit_options(*command, *request);
  command->add_option("-o,--output", request->output, "the model, as JSON (-: standard output)")
      ->type_name("model.json")
      ->group("Output");
  command->add_option("--report", request->report, "one page of HTML that shows what was found")
      ->type_name("page.html")
      ->group("Output");
  add_session_options(*command, session);
  return [request, with_evidence](Session& current) { fit(*request, with_evidence, current); };
}

}  // namespace

Action add_fit(CLI::App& app, Session& session) {
  return add(app, session, "fit",
             "Find pairs of column combinations of two tables that are distributed alike\n\n"
             "Examples:\n"
             "  cda fit X.csv Y.csv                                   print what matches\n"
             "  cda fit X.csv Y.csv --max-columns 3 -o model.json     few columns per pair; keep the model\n"
             "  cda fit X.csv Y.csv --report page.html                pictures of it, in one file\n"
             "  cda fit X.csv Y.csv --method rCDA_Q                   a method of the paper\n"
             "  cda fit X.csv Y.csv --x-exclude id --missing drop-rows\n"
             "  cda fit X.csv Y.csv --divergence energy --json\n"
             "  cda fit X.csv Y.csv --method CDA_M --stream           tables larger than memory\n",
             false);
}

Action add_test(CLI::App& app, Session& session) {
  return add(app, session, "test",
             "Is anything shared? Fit, and say how far each pair can be trusted\n\n"
             "Examples:\n"
             "  cda test X.csv Y.csv                                  evidence and a verdict for every pair\n"
             "  cda test X.csv Y.csv --report page.html               and a page to show\n"
             "  cda test X.csv Y.csv --json                           the same for programs\n"
             "  cda test X.csv Y.csv --surrogates 9999 -o model.json  a finer p; keep the model with its evidence\n"
             "  cda test X.csv Y.csv --block-length 24                hourly rows: whole days stay together\n"
             "  cda test X.csv Y.csv --method CDA_Q --bootstrap 20    for a method of the paper\n",
             true);
}

}  // namespace cda::command
