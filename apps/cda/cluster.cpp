// `cda cluster`: rows that belong together in some of the columns, as few clusters as say it all.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>

#include "cda/cda.hpp"
#include "cda/extend/catalogue.hpp"
#include "cda/extend/divergence.hpp"
#include "cda/extend/format.hpp"
#include "cluster_findings.hpp"
#include "commands.hpp"
#include "files.hpp"
#include "interrupt.hpp"
#include "options.hpp"
#include "progress.hpp"

namespace cda::command {
namespace {

struct ClusterRequest {
  std::string data, output, report, all;
  std::optional<std::string> label, noise, known;
  std::string density = to_string(CandidateOptions().rule), units = "scaled";
  std::string radius = fmt::format("{}", CandidateOptions().radius);
  std::string density_factor = fmt::format("{}", CandidateOptions().density_factor);
  std::string least_density = fmt::format("{}", CandidateOptions().least_density);
  std::string min_points = fmt::format("{}", CandidateOptions().min_points);
  std::optional<std::string> min_size, redundancy, max_columns, clusters, divergence;
  std::string max_candidates = fmt::format("{}", CandidateOptions().max_candidates);
  std::string max_subspaces = fmt::format("{}", CandidateOptions().max_subspaces);
  std::string selection = to_string(SelectionOptions().selection), cost = to_string(SelectionOptions().cost);
  std::string least_gain = fmt::format("{}", SelectionOptions().least_gain);
  std::string method = ClusterDistanceOptions().method;
  std::string permutations = fmt::format("{}", ClusterOptions().permutations);
  std::string seed = "0";
  bool as_published = false, no_comparison = false;
  Reading reading;
  bool excel_safe = true;

  std::vector<std::string> outputs() const {
    std::vector<std::string> given;
    for (const std::string& each : {output, all, report})
      if (!each.empty()) given.push_back(each);
    return given;
  }
};

CandidateOptions candidate_options(const ClusterRequest& request) {
  CandidateOptions options;
  options.rule = density_rule(request.density);
  if (!same_name(request.units, "scaled") && !same_name(request.units, "as-is"))
    unknown_name("unit", request.units, {"scaled", "as-is"});
  options.scaled = same_name(request.units, "scaled");
  options.radius = real_number("--radius", request.radius, 1e-300, 1e300);
  options.density_factor = real_number("--density-factor", request.density_factor, 0.0, 1e12);
  options.least_density = real_number("--least-density", request.least_density, 1e-12, 1e12);
  options.min_points = whole_number("--min-points", request.min_points, 2);
  if (request.min_size) options.min_size = whole_number("--min-size", *request.min_size, 2);
  if (request.redundancy)
    options.redundancy =
        same_name(*request.redundancy, "none") ? 2.0 : real_number("--redundancy", *request.redundancy, 0.0, 1.0);
  if (request.max_columns) options.max_columns = whole_number("--max-columns", *request.max_columns, 1);
  options.max_candidates = whole_number("--max-candidates", request.max_candidates, 1, 100'000'000);
  options.max_subspaces = whole_number("--max-subspaces", request.max_subspaces, 1);
  options.threads = thread_count(request.reading);
  return options;
}

ClusterOptions cluster_options(const ClusterRequest& request) {
  ClusterOptions options;
  options.candidates = candidate_options(request);
  SelectionOptions& how = options.selection;
  how.selection = selection_rule(request.selection);
  how.cost = cluster_cost(request.cost);
  how.least_gain = real_number("--least-gain", request.least_gain, 0.0, 1.0);
  if (request.clusters) how.most = whole_number("--clusters", *request.clusters, 1);
  how.distance.method = find_method(request.method).name;
  if (request.divergence) how.distance.divergence = divergences().complete(PartSpec(*request.divergence));
  how.distance.as_published = request.as_published;
  how.seed = seed_number("--seed", request.seed);
  how.threads = options.candidates.threads;
  options.compare = !request.no_comparison;
  options.permutations = whole_number("--permutations", request.permutations, 1, 1'000'000);
  if (request.noise && !request.label)
    throw Error(Fault::usage, "usage", "--noise is a class of the column that --label names", "give --label COLUMN");
  return options;
}

struct ReadData {
  Table table;
  std::vector<Index> classes;  // of the rows; empty without --label
  std::vector<std::string> names;
};

// Rows without missing cells, and their labels with them.
void drop_incomplete(Table& table, std::vector<std::string>& labels) {
  std::vector<Index> complete;
  for (Index i = 0; i < table.rows(); ++i)
    if (table.values.row(i).allFinite()) complete.push_back(i);
  if (labels.empty() || static_cast<Index>(complete.size()) == table.rows()) return;
  std::vector<std::string> kept;
  for (const Index row : complete) kept.push_back(labels[static_cast<std::size_t>(row)]);
  labels = std::move(kept);
}

ReadData read_data(const ClusterRequest& request, const ReadingPlan& plan, Session& session) {
  ReadData data;
  std::vector<std::string> labels, remarks;
  if (request.label) {
    std::vector<std::string> warnings;
    data.table = read_labelled_table(plan.files, plan.options, *request.label, labels, &warnings);
    for (const std::string& warning : warnings) session.warn(warning);
  } else {
    data.table = read_with_warnings(plan, session);
  }
  if (plan.missing == Missing::drop_rows) drop_incomplete(data.table, labels);
  data.table = without_missing(std::move(data.table), plan.missing, &remarks);
  for (const std::string& remark : remarks) session.note(remark);
  if (request.label) {
    std::set<std::string> names(labels.begin(), labels.end());
    const bool gaps = names.erase("") > 0;
    if (request.noise && names.erase(*request.noise) == 0)
      session.warn(fmt::format("no row has the class {} that --noise names", in_quotes(*request.noise)));
    data.names.assign(names.begin(), names.end());
    if (data.names.empty())
      throw Error(Fault::input, "cluster.no-class", fmt::format("column {} holds no class", in_quotes(*request.label)),
                  {}, {.file = shown(request.data, 4096)});
    if (gaps) session.warn("rows without a class count as rows of no class");
    for (const std::string& label : labels) {
      const auto at = std::lower_bound(data.names.begin(), data.names.end(), label);
      data.classes.push_back(at != data.names.end() && *at == label ? at - data.names.begin() : Index{-1});
    }
  }
  stop_if_asked();
  return data;
}

// As typed, as far as options decide the result.
std::string command_line(const ClusterRequest& request) {
  std::string text = "cda cluster " + shown(request.data, 200);
  const ClusterRequest usual;
  const auto add = [&](const char* name, const std::string& value, const std::string& otherwise) {
    if (value != otherwise) text += fmt::format(" {} {}", name, shown(value, 100));
  };
  const auto maybe = [&](const char* name, const std::optional<std::string>& value) {
    if (value) text += fmt::format(" {} {}", name, shown(*value, 100));
  };
  maybe("--label", request.label);
  maybe("--noise", request.noise);
  maybe("--known", request.known);
  add("--density", request.density, usual.density);
  add("--units", request.units, usual.units);
  add("--radius", request.radius, usual.radius);
  add("--density-factor", request.density_factor, usual.density_factor);
  add("--least-density", request.least_density, usual.least_density);
  add("--min-points", request.min_points, usual.min_points);
  maybe("--min-size", request.min_size);
  maybe("--redundancy", request.redundancy);
  maybe("--max-columns", request.max_columns);
  add("--max-candidates", request.max_candidates, usual.max_candidates);
  add("--max-subspaces", request.max_subspaces, usual.max_subspaces);
  add("--selection", request.selection, usual.selection);
  add("--cost", request.cost, usual.cost);
  add("--least-gain", request.least_gain, usual.least_gain);
  maybe("--clusters", request.clusters);
  add("--method", request.method, usual.method);
  maybe("--divergence", request.divergence);
  if (request.as_published) text += " --as-published";
  if (request.no_comparison) text += " --no-comparison";
  add("--permutations", request.permutations, usual.permutations);
  add("--seed", request.seed, usual.seed);
  return text;
}

std::string page_of_clusters(const ClusterRequest& request, const ReadingPlan& plan, const ClusterFindings& findings,
                             const Session& session) {
  return report_html(findings.found, {.name = std::filesystem::path(request.data).filename().string(),
                                      .columns = findings.table.names,
                                      .command = command_line(request),
                                      .options = cluster_settings(findings),
                                      .warnings = session.warnings,
                                      .known = findings.known,
                                      .sha256 = sha256_of_files(plan.files)});
}

std::vector<OutputFile> contents(const ClusterRequest& request, const ReadingPlan& plan,
                                 const ClusterFindings& findings, const Session& session) {
  std::vector<OutputFile> files;
  if (!request.output.empty()) files.push_back({request.output, cluster_csv(findings, request.excel_safe)});
  if (!request.all.empty()) files.push_back({request.all, candidates_json(findings)});
  if (!request.report.empty()) files.push_back({request.report, page_of_clusters(request, plan, findings, session)});
  return files;
}

void cluster(const ClusterRequest& request, Session& session) {
  const ClusterOptions options = cluster_options(request);
  const ReadingPlan plan = reading_plan(request.data, request.reading);
  const bool csv_to_stdout = request.output == "-";
  if (csv_to_stdout && session.json)
    throw Error(Fault::usage, "usage", "-o - and --json would both write to standard output", "give -o a file name");
  std::vector<std::string> files = plan.files;
  if (request.known) files.push_back(*request.known);
  refuse_shared_stream(files);
  if (session.json || !session.quiet) check_standard_output();
  if (!request.output.empty()) require_csv("clusters", request.output);
  if (!request.report.empty()) require_report(request.report);
  if (request.all == "-")
    throw Error(Fault::usage, "usage", "--candidates needs a file: standard output is for the clusters kept");
  check_outputs(request.outputs(), files);

  const ReadData data = read_data(request, plan, session);
  std::vector<SubspaceCluster> known;
  if (request.known)
    known =
        known_clusters(read_text(*request.known), data.table.rows(), data.table.columns(), shown(*request.known, 4096));
  session.refuse_warnings();

  Clustering found;
  {
    ProgressBar bar(!session.quiet);
    found = cda::cluster(data.table, data.classes, options, [&](const std::string& what, double share) {
      bar.show(share, what);
      return stop_signal() == 0;
    });
  }
  stop_if_asked();
  for (const std::string& warning : found.candidates.warnings) session.warn(warning);
  session.refuse_warnings();

  ClusterFindings findings{data.table, options, found, data.names, std::nullopt};
  if (request.known) {
    std::vector<SubspaceCluster> kept;
    for (const KeptCluster& one : found.kept) kept.push_back(one.cluster);
    findings.known = compare_clusters(kept, known, data.table.rows(), data.table.columns());
  }
  write_outputs(contents(request, plan, findings, session));
  if (session.json) {
    print(cluster_json(findings, session.warnings));
    return;
  }
  if (!session.quiet) {
    std::string text =
        cluster_text(findings, request.data, page_of(csv_to_stdout ? STDERR_FILENO : STDOUT_FILENO), session.verbose);
    if (csv_to_stdout) {
      print_error(text);
    } else {
      if (!request.output.empty()) text += fmt::format("\nClusters written to {}\n", shown(request.output, 200));
      if (!request.report.empty()) text += fmt::format("\nReport written to {}\n", shown(request.report, 200));
      print(text);
    }
  }
  session.repeat_warnings();
}

}  // namespace

Action add_cluster(CLI::App& app, Session& session) {
  CLI::App* command = app.add_subcommand(
      "cluster",
      "Find rows that belong together in some of the columns, as few clusters as say it all\n\n"
      "Examples:\n"
      "  cda cluster data.csv                                  clusters, with columns, rows and reason\n"
      "  cda cluster data.csv --label type                     and how well they agree with classes\n"
      "  cda cluster data.csv --selection repaired             prefer clusters unlike those kept\n"
      "  cda cluster data.csv --radius 0.15 --min-size 20      looser and larger ones\n"
      "  cda cluster data.csv --report page.html -o rows.csv   a page, and which row is in which\n"
      "  cda cluster data.csv --density subclu --min-points 16 --clusters 5 --json\n\n"
      "Columns are brought to [0, 1]. Candidates are dense regions in any subset of the columns; of\n"
      "these the one that covers most new rows for its cost is kept, again and again (RESCU).\n");
  auto request = std::make_shared<ClusterRequest>();
  command->add_option("DATA", request->data, "the table: CSV or another format (-: standard input)")
      ->type_name("FILE")
      ->required();
  const char* group = "Candidates";
  const auto option = [&](const char* name, auto& value, const char* type, const std::string& text) {
    return command->add_option(name, value, text)->type_name(type)->group(group);
  };
  option("--density", request->density, "adaptive|subclu",
         "adaptive: so many times what uniform rows would have; subclu: so many neighbours in every subspace")
      ->capture_default_str();
  option("--radius", request->radius, "NUMBER", "rows at most so far apart are neighbours")->capture_default_str();
  option("--density-factor", request->density_factor, "NUMBER",
         "adaptive: a core has so many times the density of uniform rows")
      ->capture_default_str();
  option("--least-density", request->least_density, "NUMBER",
         "adaptive: and at least so many neighbours, less in many columns")
      ->capture_default_str();
  option("--min-points", request->min_points, "NUMBER", "subclu: a core has so many rows within the radius")
      ->capture_default_str();
  option("--min-size", request->min_size, "NUMBER",
         "rows of a cluster (default: 8, or 1/64 of all rows if that is more)");
  option("--units", request->units, "scaled|as-is",
         "scaled: columns are brought to [0, 1]; as-is: the radius is in their units (subclu only)")
      ->capture_default_str();
  option("--redundancy", request->redundancy, "SHARE|none",
         "leave out clusters of which one more column keeps this share (default: 0.5 beyond 12 columns)");
  option("--max-columns", request->max_columns, "NUMBER", "of a subspace (default: all)");
  option("--max-candidates", request->max_candidates, "NUMBER",
         "where there are more, subspaces of fewer columns are searched")
      ->capture_default_str();
  option("--max-subspaces", request->max_subspaces, "NUMBER", "to look into; where there are more, the same")
      ->capture_default_str();
  group = "Selection";
  option("--selection", request->selection, "plain|paper|repaired",
         "plain: new rows for the cost; paper: over the sum of CDA's distances from those kept, as printed; "
         "repaired: times how much it differs from them")
      ->capture_default_str();
  option("--cost", request->cost, "density-columns|size|columns|constant",
         "of a cluster: 1/(density columns), 1/(density columns rows), 1/columns or 1")
      ->capture_default_str();
  option("--least-gain", request->least_gain, "SHARE", "a cluster is redundant where fewer of its rows are new")
      ->capture_default_str();
  option("--clusters", request->clusters, "NUMBER", "keep so many at most");
  option("--method", request->method, "NAME", "of CDA that measures distances of clusters: cda list methods")
      ->capture_default_str();
  option("--divergence", request->divergence, "PART", "instead of the method's own: wasserstein, quadratic, ...");
  command->add_flag("--as-published", request->as_published, "the method as printed in the paper")->group(group);
  command->add_flag("--no-comparison", request->no_comparison, "do not run the other selections")->group(group);
  group = "Scores";
  option("--label", request->label, "COLUMN", "classes of the rows, text or numbers; not part of the data");
  option("--noise", request->noise, "CLASS", "rows of this class belong to none");
  option("--known", request->known, "FILE", "known clusters (OpenSubspace's .true): adds CE and RNIA");
  option("--permutations", request->permutations, "NUMBER", "of the classes, for what chance gives")
      ->capture_default_str();
  group = "Running";
  option("--seed", request->seed, "NUMBER", "of starts and permutations; the same seed gives the same bytes")
      ->capture_default_str();
  option("--threads", request->reading.both.threads, "NUMBER",
         "default: what this process may use; the result does not depend on it");
  command->add_option("-o,--output", request->output, "a 0 or 1 for each row and cluster, as CSV (-: standard output)")
      ->type_name("rows.csv")
      ->group("Output");
  command->add_option("--candidates", request->all, "all that the selection chose from, as JSON")
      ->type_name("all.json")
      ->group("Output");
  command->add_option("--report", request->report, "one page of HTML that shows the clusters")
      ->type_name("page.html")
      ->group("Output");
  add_excel_safe(*command, request->excel_safe);
  add_session_options(*command, session);
  add_reading_options(*command, request->reading, false);
  command->add_option("--missing", request->reading.both.missing, "what to do about missing cells")
      ->type_name("refuse|drop-rows|drop-columns|mean")
      ->group("Reading");
  return [request](Session& current) { cluster(*request, current); };
}

}  // namespace cda::command
