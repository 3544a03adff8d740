#include "experiment_options.hpp"

#include <fmt/format.h>

#include "options.hpp"
#include "text.hpp"

namespace cda::command {

void declare_experiment(CLI::App& app, Session& session, ExperimentRequest& request,
                        const std::vector<PartInfo>& studies) {
  std::string described;
  for (const PartInfo& study : studies)
    described += wrapped(padded(study.name, 21) + study.summary, 100, "  ", std::string(21, ' '));
  CLI::App* command = app.add_subcommand(
      "experiment",
      fmt::format("{}\n\n"
                  "Examples:\n"
                  "  cda experiment recovery --quick                     a first look, in seconds\n"
                  "  cda experiment recovery -o recovery.json            the figures of the documents; keep them\n"
                  "  cda experiment calibration:rows=300 --runs 100      options of the study after a colon\n"
                  "  cda experiment calibration:bootstraps=0 --full      p-values only, more of them\n"
                  "  cda experiment thresholds --runs 2000 --seed 1\n"
                  "  cda experiment table1 --quick --report page.html    the paper's first table, with pictures\n"
                  "  cda experiment all --full -o results                the paper's whole evaluation, to a folder;\n"
                  "                                                      once more after Ctrl-C: the rest of them\n\n"
                  "Studies (their options: cda list experiments):\n{}",
                  experiment_summary, described));
  command
      ->add_option("NAME", request.study,
                   "the study, with its own options: NAME:option=value,...; all: the paper's evaluation")
      ->type_name("STUDY")
      ->required();
  const auto option = [&](const char* name, auto& value, const std::string& text) {
    return command->add_option(name, value, text)->type_name("NUMBER")->group("Running");
  };
  option("--runs", request.runs, "replicates of each row, instead of the study's own number");
  command->add_flag("--quick", request.quick, "few replicates, small tables only")->group("Running");
  command->add_flag("--full", request.full, "more replicates and sizes than usual")->group("Running");
  option("--seed", request.seed, "which random tables; the same seed gives the same bytes")->capture_default_str();
  option("--threads", request.threads, "default: what this process may use; the result does not depend on it");
  command->add_option("-o,--output", request.output, "the results, as JSON (-: standard output); of all: a folder")
      ->type_name("results.json")
      ->group("Output");
  command->add_option("--report", request.report, "one page of HTML with pictures of the results")
      ->type_name("page.html")
      ->group("Output");
  add_session_options(*command, session);
}

}  // namespace cda::command
