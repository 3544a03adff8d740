// `cda fit`: finds pairs of column combinations of two tables that are distributed alike. Everything that can be
// refused is refused before a row is read or computed with: names, numbers, outputs, then the inputs' content.
#include <fmt/format.h>
#include <unistd.h>

#include <optional>

#include "cda/cda.hpp"
#include "commands.hpp"
#include "files.hpp"
#include "findings.hpp"
#include "interrupt.hpp"
#include "options.hpp"

namespace cda::command {
namespace {

// The command line as typed.
struct Request {
  std::string x, y, output;
  std::string method = FitOptions().method;
  std::optional<std::string> components, divergence, formulation, optimiser, scale, bandwidth;
  std::vector<std::string> prepare;
  bool as_published = false;
  std::optional<std::string> starts, refined, scouting_rows, max_iterations, tolerance, decrease_tolerance,
      decrease_times, threads;
  std::string seed = "0";
  Reading reading;
};

int small_number(const char* option, const std::string& text, int lowest) {
  return static_cast<int>(whole_number(option, text, lowest, 1'000'000'000));
}

FitOptions fit_options(const Request& request) {
  FitOptions options;
  options.method = find_method(request.method).name;
  if (request.divergence) options.divergence = divergences().complete(*request.divergence);
  if (request.formulation) options.formulation = formulations().complete(*request.formulation);
  if (request.optimiser) options.optimiser = optimisers().complete(*request.optimiser);
  if (!request.prepare.empty()) {
    options.prepare.emplace();
    for (const std::string& part : split_parts(request.prepare))
      if (!same_name(part, "none")) options.prepare->push_back(preparations().complete(part));
  }
  if (request.scale) options.scale = ScaleRule::parse(*request.scale).to_string();
  options.bandwidth = request.bandwidth;
  options.as_published = request.as_published;
  if (request.components) options.components = whole_number("--components", *request.components, 1);
  if (request.starts) options.starts = small_number("--starts", *request.starts, 0);
  if (request.refined) options.refined = small_number("--refined", *request.refined, 1);
  if (request.scouting_rows) options.scouting_rows = whole_number("--scouting-rows", *request.scouting_rows, 0);
  if (request.max_iterations)
    options.stopping.iterations = small_number("--max-iterations", *request.max_iterations, 1);
  if (request.tolerance) options.stopping.gradient_tolerance = real_number("--tolerance", *request.tolerance, 0.0, 1.0);
  if (request.decrease_tolerance)
    options.stopping.decrease_tolerance = real_number("--decrease-tolerance", *request.decrease_tolerance, 0.0, 1.0);
  if (request.decrease_times)
    options.stopping.decrease_times = small_number("--decrease-times", *request.decrease_times, 1);
  if (request.threads) options.threads = static_cast<int>(whole_number("--threads", *request.threads, 1, 4096));
  options.seed = seed_number("--seed", request.seed);
  return options;
}

Table read_side(const std::string& path, const ReadingPlan& plan, Session& session) {
  Table table = read_with_warnings(path, plan.options, session);
  std::vector<std::string> remarks;
  table = without_missing(std::move(table), plan.missing, &remarks);
  for (const std::string& remark : remarks) session.note(remark);
  stop_if_asked();
  return table;
}

Model fit_with_progress(const Table& x, const Table& y, const FitOptions& options, const Session& session) {
  ProgressBar bar(!session.quiet);
  return cda::fit(x, y, options, [&](const FitProgress& progress) {
    bar.show(progress.share,
             progress.pairs > 1 ? fmt::format("pair {} of {}", progress.pair, progress.pairs) : std::string("fitting"));
    return stop_signal() == 0;
  });
}

void fit(const Request& request, Session& session) {
  const FitOptions options = fit_options(request);
  const ReadingPlan x_plan = reading_plan(request.reading.both, request.reading.x);
  const ReadingPlan y_plan = reading_plan(request.reading.both, request.reading.y);
  const bool model_to_stdout = request.output == "-";
  if (model_to_stdout && session.json)
    throw Error(Fault::usage, "usage", "-o - and --json would both write to standard output", "give -o a file name");
  refuse_shared_stream({request.x, request.y});
  if (session.json || !session.quiet) check_standard_output();
  if (!request.output.empty()) check_output(request.output, {request.x, request.y});

  if (same_file(request.x, request.y))
    session.warn("X and Y are the same file: every column matches itself, and a divergence near 0 means nothing");
  const Table x = read_side(request.x, x_plan, session);
  const Table y = read_side(request.y, y_plan, session);
  session.refuse_warnings();

  Model model = fit_with_progress(x, y, options, session);
  stop_if_asked();
  session.warnings.insert(session.warnings.end(), model.warnings.begin(), model.warnings.end());
  session.refuse_warnings();
  // What was done about missing cells shaped the answer, so it is kept with it.
  if (!x_plan.missing_name.empty()) model.options["x_missing"] = x_plan.missing_name;
  if (!y_plan.missing_name.empty()) model.options["y_missing"] = y_plan.missing_name;

  if (!request.output.empty()) write_output(request.output, model.to_json());
  if (session.json) {
    print(findings_json(model, session.warnings));
    return;
  }
  if (!session.quiet) {
    const int descriptor = model_to_stdout ? STDERR_FILENO : STDOUT_FILENO;
    std::string text =
        findings_text(model, request.x, request.y, {.colour = colours(descriptor), .every_column = session.verbose});
    if (request.output.empty())
      text += "\nNo model was kept: add -o model.json to map further rows with `cda transform`.\n";
    else if (!model_to_stdout)
      text += fmt::format("\nModel written to {}\n", shown(request.output, 200));
    if (model_to_stdout)
      print_error(text);
    else
      print(text);
  }
  session.repeat_warnings();
}

void add_method_options(CLI::App& command, Request& request) {
  const char* method = "Method";
  const auto option = [&](const char* name, auto& value, const char* type, const std::string& text) {
    return command.add_option(name, value, text)->type_name(type)->group(method);
  };
  std::vector<std::string> names;
  for (const MethodInfo& known : methods()) names.push_back(known.name);
  option("--method", request.method, "NAME", fmt::format("one of {}, in any case", fmt::join(names, ", ")))
      ->capture_default_str();
  option("--components", request.components, "R", "how many pairs (default: the smaller rank, at most 10)");
  option("--divergence", request.divergence, "PART", "how distributions are compared, e.g. extended_mallows:order=1");
  option("--formulation", request.formulation, "PART", "how pairs are asked for");
  option("--optimiser", request.optimiser, "PART", "how they are found");
  option("--prepare", request.prepare, "PART",
         "what is done to the columns first, in order; repeatable, or joined: minmax+pca:3; none")
      ->allow_extra_args(false);
  option("--bandwidth", request.bandwidth, "RULE", "for divergences that smooth: a rule's name or a value");
  option("--scale,--beta", request.scale, "RULE", "of Y against X: lemma, optimised or a value");
  command.add_flag("--as-published", request.as_published, "the paper to the letter where we depart from it")
      ->group(method);
}

void add_running_options(CLI::App& command, Request& request) {
  const auto option = [&](const char* name, auto& value, const std::string& text) {
    return command.add_option(name, value, text)->type_name("NUMBER")->group("Running");
  };
  const FitOptions defaults;
  option("--starts", request.starts, "random starting points looked at per problem [100; pearson 24]");
  option("--refined", request.refined, "of them followed to their optimum [12; pearson 4]");
  option("--scouting-rows", request.scouting_rows,
         "rows of each table on which that is done first; 0: all [2000; pearson 500]");
  option("--max-iterations", request.max_iterations,
         fmt::format("of the optimiser, per start [{}]", defaults.stopping.iterations));
  option("--tolerance", request.tolerance,
         fmt::format("stop when the gradient is this small [{}]", defaults.stopping.gradient_tolerance));
  option("--decrease-tolerance", request.decrease_tolerance,
         fmt::format("stop when the relative decrease is this small [{}] ...", defaults.stopping.decrease_tolerance));
  option("--decrease-times", request.decrease_times,
         fmt::format("... so many times in a row [{}]", defaults.stopping.decrease_times));
  option("--seed", request.seed, "which random starting points; the same seed gives the same bytes")
      ->capture_default_str();
  option("--threads", request.threads, "default: what this process may use; the result does not depend on it");
}

}  // namespace

Action add_fit(CLI::App& app, Session& session) {
  CLI::App* command =
      app.add_subcommand("fit",
                         "Find pairs of column combinations of two tables that are distributed alike\n\n"
                         "Examples:\n"
                         "  cda fit X.csv Y.csv                                   print what matches\n"
                         "  cda fit X.csv Y.csv --method rCDA_Q -o model.json     keep the model\n"
                         "  cda fit X.csv Y.csv --x-exclude id --missing drop-rows\n"
                         "  cda fit X.csv Y.csv --divergence wasserstein --prepare standardise --json\n");
  auto request = std::make_shared<Request>();
  command->add_option("X", request->x, "the first table: CSV or TSV (-: standard input)")->required();
  command->add_option("Y", request->y, "the second table")->required();
  add_method_options(*command, *request);
  add_running_options(*command, *request);
  command->add_option("-o,--output", request->output, "the model, as JSON (-: standard output)")
      ->type_name("model.json")
      ->group("Output");
  add_session_options(*command, session);
  add_reading_options(*command, request->reading, true);
  return [request](Session& current) { fit(*request, current); };
}

}  // namespace cda::command
