// `cda report`: the page of a model that was kept.
#include <fmt/format.h>

#include "cda/cda.hpp"
#include "commands.hpp"
#include "files.hpp"
#include "options.hpp"

namespace cda::command {
namespace {

struct ReportRequest {
  std::string model, output;
};

void report(const ReportRequest& request, Session& session) {
  require_report(request.output);
  if (session.json) check_standard_output();
  check_outputs({request.output}, {request.model});
  std::vector<std::string> remarks;
  const Model model = Model::from_json(read_json(request.model), shown(request.model, 4096), &remarks);
  for (const std::string& remark : remarks) session.warn(remark);
  session.refuse_warnings();
  const std::string page = report_html(model);
  write_output(request.output, page);
  if (session.json)
    print(fmt::format("{{\"bytes\": {}, \"pairs\": {}}}\n", page.size(), model.pairs.size()));
  else
    session.note(fmt::format("Report written to {}", shown(request.output, 200)));
}

}  // namespace

Action add_report(CLI::App& app, Session& session) {
  CLI::App* command =
      app.add_subcommand("report",
                         "A page of HTML that shows what a model found and how far to trust it\n\n"
                         "Examples:\n"
                         "  cda report model.json -o page.html          of a model that was kept\n"
                         "  cda test X.csv Y.csv --report page.html     the same at once, with evidence\n");
  auto request = std::make_shared<ReportRequest>();
  command->add_option("MODEL", request->model, "a model written by cda fit -o or cda test -o (-: standard input)")
      ->type_name("FILE")
      ->required();
  command->add_option("-o,--output", request->output, "the page; it holds all it needs")
      ->type_name("page.html")
      ->required();
  add_session_options(*command, session);
  return [request](Session& current) { report(*request, current); };
}

}  // namespace cda::command
