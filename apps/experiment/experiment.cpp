// `cda experiment`: repeats a study of how well the method works on data whose truth is known.
#include "cda/extend/experiment.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>

#include "cda/cda.hpp"
#include "cda/extend/catalogue.hpp"
#include "cda/extend/divergence.hpp"
#include "commands.hpp"
#include "experiment_options.hpp"
#include "files.hpp"
#include "interrupt.hpp"
#include "options.hpp"
#include "progress.hpp"

namespace cda::command {
namespace {

ExperimentOptions experiment_options(const ExperimentRequest& request) {
  ExperimentOptions options;
  if (request.quick && request.full) throw Error(Fault::usage, "usage", "--quick and --full contradict each other");
  if (request.quick) options.effort = ExperimentOptions::Effort::quick;
  if (request.full) options.effort = ExperimentOptions::Effort::full;
  if (request.runs) options.runs = whole_number("--runs", *request.runs, 1, 1'000'000);
  if (request.threads) options.threads = static_cast<int>(whole_number("--threads", *request.threads, 1, 4096));
  options.seed = seed_number("--seed", request.seed);
  return options;
}

std::optional<std::string> content_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  std::ostringstream content;
  content << file.rdbuf();
  return content.str();
}

std::string results_text(const Results& results, bool colour) {
  std::vector<std::string> settings;
  for (const auto& [name, value] : results.options) settings.push_back(fmt::format("{} {}", name, value));
  std::string text = fmt::format("{}\n{}, seed {}, {} runs per row at most ({})\n\n", bold(results.title, colour),
                                 results.experiment, results.seed, results.runs, fmt::join(settings, ", "));
  std::vector<std::vector<std::string>> rows(1), legend;
  for (const ResultColumn& column : results.columns) {
    rows.front().push_back(column.name);
    if (!column.summary.empty()) legend.push_back({column.name, column.summary});
  }
  for (const std::vector<Cell>& cells : results.rows) {
    rows.emplace_back();
    for (std::size_t i = 0; i < cells.size(); ++i)
      rows.back().push_back(shown_cell(cells[i], results.columns[i].decimals));
  }
  text += text_table(rows) + "\n" + text_table(legend, "  ") + "\n";
  for (const std::string& note : results.notes) text += fmt::format("- {}\n", note);
  if (!results.listing.empty()) text += "\n" + results.listing;
  return text;
}

// The paper's evaluation, one study after the other. With a folder each is written to it when it is done, and those
// that are there already, by this version with these options, are not run again; of the one under way every replicate
// is kept there as it is done.
void all_experiments(const ExperimentRequest& request, Session& session) {
  const ExperimentOptions options = experiment_options(request);
  const std::vector<std::string> studies = studies_that_compare();
  if (request.output == "-") throw Error(Fault::usage, "usage", "the results of all studies need a folder, not -");
  if (!request.report.empty())
    throw Error(Fault::usage, "usage", "--report is for one study",
                "with -o FOLDER every study gets a page of its own");
  if (session.json || !session.quiet) check_standard_output();
  const std::filesystem::path folder = request.output;
  const auto file_of = [&](const std::string& study) { return (folder / (study + ".json")).string(); };
  const auto part_of = [&](const std::string& study) { return (folder / (study + ".part")).string(); };
  const auto page_of = [&](const std::string& study) { return (folder / (study + ".html")).string(); };
  if (!folder.empty()) {
    std::error_code failure;
    std::filesystem::create_directories(folder, failure);
    for (const std::string& study : studies) check_outputs({file_of(study), page_of(study)}, {});
  }
  std::vector<std::string> json;
  for (std::size_t i = 0; i < studies.size(); ++i) {
    const std::string& study = studies[i];
    if (const auto known = folder.empty() ? std::nullopt : content_of(file_of(study));
        known && holds_results(*known, study, options)) {
      session.note(fmt::format("{}: already in {}", study, shown(file_of(study), 200)));
      json.push_back(*known);
      continue;
    }
    Results results;
    ExperimentOptions running = options;
    if (!folder.empty()) {
      running.kept = replicates_in_file(part_of(study), study, options);
      if (const Index done = running.kept->count(); done > 0)
        session.note(fmt::format("{}: replicates finished before, in {}: {}", study, shown(part_of(study), 200), done));
    }
    try {
      // Studies take from seconds to hours, and nobody knows how long those ahead will: the estimate is for this one.
      ProgressBar bar(!session.quiet);
      results = run_experiment(study, running, [&](const std::string& what, double share) {
        bar.show(share, fmt::format("study {} of {}, {}: {}", i + 1, studies.size(), study, what));
        return stop_signal() == 0;
      });
      stop_if_asked();
    } catch (const Error& error) {
      if (error.code() != "interrupted" || folder.empty()) throw;
      throw Error(error.fault(), "interrupted.partial",
                  fmt::format("interrupted; what is finished is in {}, and the same command goes on from there",
                              shown(request.output, 200)));
    }
    json.push_back(results.to_json());
    if (!folder.empty()) {
      write_outputs({{page_of(study), report_html(results)}, {file_of(study), json.back()}});
      running.kept.reset();
      std::error_code ignored;
      std::filesystem::remove(part_of(study), ignored);
    }
    if (!session.json && !session.quiet) print(results_text(results, colours(STDOUT_FILENO)) + "\n");
  }
  if (session.json) print(fmt::format("{{\"experiments\": [\n{}]}}\n", fmt::join(json, ",\n")));
}

void experiment(const ExperimentRequest& request, Session& session) {
  if (same_name(request.study, "all")) return all_experiments(request, session);
  const ExperimentOptions options = experiment_options(request);
  const PartSpec study = experiments().complete(request.study);
  const bool output_to_stdout = request.output == "-";
  if (output_to_stdout && session.json)
    throw Error(Fault::usage, "usage", "-o - and --json would both write to standard output", "give -o a file name");
  if (session.json || !session.quiet) check_standard_output();
  std::vector<std::string> outputs;
  if (!request.output.empty()) outputs.push_back(request.output);
  if (!request.report.empty()) {
    require_report(request.report);
    outputs.push_back(request.report);
  }
  check_outputs(outputs, {});

  Results results;
  {
    ProgressBar bar(!session.quiet);
    results = run_experiment(study, options, [&](const std::string& what, double share) {
      bar.show(share, what);
      return stop_signal() == 0;
    });
  }
  stop_if_asked();
  std::vector<OutputFile> files;
  if (!request.output.empty()) files.push_back({request.output, results.to_json()});
  if (!request.report.empty()) files.push_back({request.report, report_html(results)});
  write_outputs(files);
  if (session.json) {
    print(results.to_json());
    return;
  }
  if (session.quiet) return;
  std::string text = results_text(results, colours(output_to_stdout ? STDERR_FILENO : STDOUT_FILENO));
  if (output_to_stdout) {
    print_error(text);
    return;
  }
  if (!request.output.empty()) text += fmt::format("\nResults written to {}\n", shown(request.output, 200));
  if (!request.report.empty()) text += fmt::format("\nReport written to {}\n", shown(request.report, 200));
  print(text);
}

}  // namespace

Action add_experiment(CLI::App& app, Session& session) {
  auto request = std::make_shared<ExperimentRequest>();
  declare_experiment(app, session, *request, experiments().list());
  return [request](Session& current) { experiment(*request, current); };
}

}  // namespace cda::command
