// `cda score`: how good a common space is where something about the truth is known, beside whitened principal
// components, which know only each table by itself, and beside chance.
#include <fmt/format.h>

#include <cmath>
#include <functional>
#include <optional>

#include "cda/cda.hpp"
#include "cda/extend/executor.hpp"
#include "commands.hpp"
#include "files.hpp"
#include "interrupt.hpp"
#include "json.hpp"
#include "mapped_tables.hpp"
#include "progress.hpp"

namespace cda::command {
namespace {

struct ScoreRequest {
  MappedRequest mapped;
  bool paired = false;
  std::string truth, output;
  std::string neighbours = "5";
};

// Both tables in one space, and the directions that lead there where they are linear.
struct Space {
  Matrix x, y;
  Matrix x_weights, y_weights;  // columns x pairs; empty where the map is not linear
};

struct Subspaces {
  SubspaceError x, y;
};

struct Scores {
  std::optional<PartnerRanks> partners;
  std::optional<LabelTransfer> x_to_y, y_to_x;
  std::optional<Subspaces> subspaces;
};

Space space_of(const Model& model, Matrix x, Matrix y) {
  Space space{std::move(x), std::move(y), {}, {}};
  if (!model.x_preparation.linear() || !model.y_preparation.linear()) return space;
  const auto pairs = static_cast<Index>(model.pairs.size());
  space.x_weights.resize(static_cast<Index>(model.x.columns.size()), pairs);
  space.y_weights.resize(static_cast<Index>(model.y.columns.size()), pairs);
  for (Index i = 0; i < pairs; ++i) {
    space.x_weights.col(i) = model.pairs[static_cast<std::size_t>(i)].x_weights;
    space.y_weights.col(i) = model.pairs[static_cast<std::size_t>(i)].y_weights;
  }
  return space;
}

// Rows that can be used, of one side or, where rows are partners, of both.
std::vector<Index> usable(const MappedTable& side, const MappedTable* partner, bool labelled) {
  std::vector<Index> rows;
  for (Index i = 0; i < side.mapped.rows(); ++i)
    if (side.mapped.row(i).allFinite() && (partner == nullptr || partner->mapped.row(i).allFinite()) &&
        (!labelled || std::isfinite(side.targets[i])))
      rows.push_back(i);
  return rows;
}

class Scorer {
 public:
  Scorer(const ScoreRequest& request, const MappedTables& tables, std::optional<TrueDirections> truth)
      : request_(request),
        tables_(tables),
        truth_(std::move(truth)),
        neighbours_(whole_number("--neighbours", request.neighbours, 1, 1000)),
        executor_(thread_count(request.mapped.reading)) {}

  // The steps of a score, for a progress bar: each compares every row of one table with every row of the other.
  int steps() const { return (request_.paired ? 1 : 0) + (request_.mapped.label ? 2 : 0); }

  Scores score(const Space& space, const std::function<void()>& step) const {
    Scores scores;
    if (request_.paired) {
      step();
      const std::vector<Index> rows = usable(tables_.x, &tables_.y, false);
      scores.partners = closer_than_partner(space.x(rows, Eigen::all), space.y(rows, Eigen::all), executor_);
    }
    if (request_.mapped.label) {
      const std::vector<Index> x = usable(tables_.x, nullptr, true), y = usable(tables_.y, nullptr, true);
      const Matrix x_rows = space.x(x, Eigen::all), y_rows = space.y(y, Eigen::all);
      const Vector x_labels = tables_.x.targets(x), y_labels = tables_.y.targets(y);
      step();
      scores.x_to_y = label_transfer(y_rows, y_labels, x_rows, x_labels, neighbours_, executor_);
      step();
      scores.y_to_x = label_transfer(x_rows, x_labels, y_rows, y_labels, neighbours_, executor_);
    }
    if (truth_)
      scores.subspaces = {subspace_error(space.x_weights, truth_->x), subspace_error(space.y_weights, truth_->y)};
    return scores;
  }

  Subspaces chance() const {
    const auto pairs = static_cast<Index>(tables_.model.pairs.size());
    const auto of = [&](const Matrix& truth) {
      return chance_subspace(truth.rows(), std::min(pairs, truth.rows()), std::min(truth.cols(), truth.rows()));
    };
    return {of(truth_->x), of(truth_->y)};
  }

 private:
  const ScoreRequest& request_;
  const MappedTables& tables_;
  std::optional<TrueDirections> truth_;
  Index neighbours_;
  Executor executor_;
};

// The complete rows of a side in the columns of the model, to fit on.
Table complete_rows(const MappedTable& side) {
  Table table = side.table;
  std::vector<Index> rows;
  for (Index i = 0; i < table.rows(); ++i)
    if (table.values.row(i).allFinite()) rows.push_back(i);
  table.values = Matrix(table.values(rows, Eigen::all));
  table.index.clear();
  return table;
}

Space principal_components(const MappedTables& tables) {
  const Model pca = fit(complete_rows(tables.x), complete_rows(tables.y),
                        {.method = "PCA", .components = static_cast<Index>(tables.model.pairs.size())},
                        [](const FitProgress&) { return stop_signal() == 0; });
  stop_if_asked();
  return space_of(pca, pca.transform(Side::x, tables.x.table), pca.transform(Side::y, tables.y.table));
}

// ---- What is said ----

Json transfer_json(const LabelTransfer& found, const LabelTransfer& pca) {
  return {{"accuracy", found.accuracy},
          {"chance", found.chance},
          {"majority", found.majority},
          {"pca", {{"accuracy", pca.accuracy}, {"chance", pca.chance}}},
          {"rows", found.rows}};
}

Json subspace_json(const SubspaceError& found, const SubspaceError& pca, const SubspaceError& chance,
                   const Matrix& truth) {
  const auto figures = [](const SubspaceError& of) {
    return Json{{"error", of.error}, {"largest_angle", of.largest_angle}};
  };
  Json object = figures(found);
  object["chance"] = figures(chance);
  object["pca"] = figures(pca);
  object["columns"] = truth.rows();
  object["true_directions"] = truth.cols();
  return object;
}

std::string number(double value) { return fmt::format("{:.3f}", value); }
std::string angle(double value) { return fmt::format("{:.1f} deg", value); }

// The same figures as JSON and as a table to read.
struct Report {
  Json object;
  std::vector<std::vector<std::string>> rows;
  std::string legend;

  void add_partners(const PartnerRanks& found, const PartnerRanks& pca) {
    const auto figures = [](const PartnerRanks& of) {
      return Json{{"x_to_y", of.x_to_y}, {"y_to_x", of.y_to_x}, {"mean", of.mean()}};
    };
    object["foscttm"] = figures(found);
    object["foscttm"]["chance"] = PartnerRanks::chance;
    object["foscttm"]["pca"] = figures(pca);
    const auto row = [&](const char* text, double value, double of_pca) {
      rows.push_back({text, number(value), number(of_pca), number(PartnerRanks::chance)});
    };
    row("FOSCTTM, from X to Y", found.x_to_y, pca.x_to_y);
    row("FOSCTTM, from Y to X", found.y_to_x, pca.y_to_x);
    row("FOSCTTM, mean", found.mean(), pca.mean());
    legend += "FOSCTTM: the share of rows nearer than the true partner; 0 is perfect.\n";
  }

  void add_labels(const Scores& found, const Scores& pca, const ScoreRequest& request,
                  const std::vector<std::string>& classes) {
    const std::string& column = *request.mapped.label;
    object["label_transfer"] = {{"column", column},
                                {"classes", classes},
                                {"neighbours", whole_number("--neighbours", request.neighbours, 1, 1000)},
                                {"x_to_y", transfer_json(*found.x_to_y, *pca.x_to_y)},
                                {"y_to_x", transfer_json(*found.y_to_x, *pca.y_to_x)}};
    const auto row = [&](const char* text, const LabelTransfer& of, const LabelTransfer& of_pca) {
      rows.push_back({text, number(of.accuracy), number(of_pca.accuracy),
                      fmt::format("{} (always the most frequent: {})", number(of.chance), number(of.majority))});
    };
    row("labels of Y by X", *found.x_to_y, *pca.x_to_y);
    row("labels of X by Y", *found.y_to_x, *pca.y_to_x);
    legend += fmt::format(
        "labels: the share of rows whose {} is that of most of their {} nearest rows in the other table; 1 is "
        "perfect.\n",
        shown(column), request.neighbours);
  }

  void add_subspaces(const Subspaces& found, const Subspaces& pca, const Subspaces& chance, const TrueDirections& truth,
                     std::size_t pairs) {
    object["subspace"] = {{"x", subspace_json(found.x, pca.x, chance.x, truth.x)},
                          {"y", subspace_json(found.y, pca.y, chance.y, truth.y)}};
    const auto row = [&](const char* side, const SubspaceError& of, const SubspaceError& of_pca,
                         const SubspaceError& by_chance) {
      rows.push_back(
          {fmt::format("subspace error of {}", side), number(of.error), number(of_pca.error), number(by_chance.error)});
      rows.push_back({fmt::format("largest angle of {}", side), angle(of.largest_angle), angle(of_pca.largest_angle),
                      angle(by_chance.largest_angle)});
    };
    row("X", found.x, pca.x, chance.x);
    row("Y", found.y, pca.y, chance.y);
    legend += fmt::format(
        "subspace: {} directions found, {} and {} true ones in {} and {} columns; error 0 is the same space, 1 as far "
        "apart as possible.\n",
        pairs, truth.x.cols(), truth.y.cols(), truth.x.rows(), truth.y.rows());
  }
};

// Everything that makes no sense, before anything is read.
void check_request(const ScoreRequest& request, const Session& session) {
  if (!request.paired && !request.mapped.label && request.truth.empty())
    throw Error(Fault::usage, "usage", "score needs something that is known: --paired, --label COLUMN or --truth FILE",
                "cda score --help");
  whole_number("--neighbours", request.neighbours, 1, 1000);
  thread_count(request.mapped.reading);
  if (request.output == "-" && session.json)
    throw Error(Fault::usage, "usage", "-o - and --json would both write to standard output", "give -o a file name");
}

// What is said to be known has to fit the tables.
void check_known(const ScoreRequest& request, const MappedTables& tables, const Space& space,
                 const std::optional<TrueDirections>& truth) {
  if (request.paired && tables.x.table.rows() != tables.y.table.rows())
    throw Error(Fault::input, "score.rows",
                fmt::format("--paired says that row i of both tables belongs together, but X has {} rows and Y has {}",
                            tables.x.table.rows(), tables.y.table.rows()));
  if (request.mapped.label) {
    const std::string column = in_quotes(*request.mapped.label);
    if (!tables.y.has_column)
      throw Error(Fault::input, "transfer.no-column", fmt::format("Y has no column {}", column),
                  near_columns(request.mapped, Side::y, ""), {.file = shown(request.mapped.y, 4096)});
    if (tables.classes.size() < 2)
      throw Error(Fault::input, "transfer.one-class",
                  fmt::format("column {} does not tell rows apart: it holds {} class", column, tables.classes.size()));
    for (const auto& [side, name] : {std::pair(&tables.x, "X"), std::pair(&tables.y, "Y")})
      if (usable(*side, nullptr, true).empty())
        throw Error(Fault::input, "transfer.no-labels",
                    fmt::format("no complete row of {} has a value in {}", name, column));
  }
  if (!truth) return;
  if (space.x_weights.size() == 0)
    throw Error(Fault::input, "score.truth", "the maps of this model are not linear: they have no directions");
  if (truth->x.rows() != space.x_weights.rows() || truth->y.rows() != space.y_weights.rows())
    throw Error(Fault::input, "score.truth",
                fmt::format("the truth is about {} and {} columns, the model about {} and {}", truth->x.rows(),
                            truth->y.rows(), space.x_weights.rows(), space.y_weights.rows()),
                "were columns left out of the fit?", {.file = shown(request.truth, 4096)});
}

void run_score(const ScoreRequest& request, Session& session) {
  check_request(request, session);
  std::vector<std::string> further;
  if (!request.truth.empty()) further.push_back(request.truth);
  const MappedPlans plans = mapped_plans(request.mapped, request.output, further, session);
  std::optional<TrueDirections> truth;
  if (!request.truth.empty()) truth = true_directions(read_json(request.truth), shown(request.truth, 4096));
  const MappedTables tables = read_mapped(request.mapped, plans, session);
  const Space space = space_of(tables.model, tables.x.mapped, tables.y.mapped);
  check_known(request, tables, space, truth);
  session.refuse_warnings();

  const Scorer scorer(request, tables, truth);
  Scores found, pca;
  {
    ProgressBar bar(!session.quiet);
    int done = 0;
    const int steps = 2 * scorer.steps();
    const auto step = [&] {
      stop_if_asked();
      bar.show(static_cast<double>(done) / steps, fmt::format("scoring, step {} of {}", done + 1, steps));
      ++done;
    };
    found = scorer.score(space, step);
    pca = scorer.score(principal_components(tables), step);
  }
  stop_if_asked();
  Report report{{{"method", tables.model.method},
                 {"pairs", tables.model.pairs.size()},
                 {"x", {{"rows", tables.x.table.rows()}}},
                 {"y", {{"rows", tables.y.table.rows()}}}},
                {{"", tables.model.method, "PCA", "chance"}},
                ""};
  if (found.partners) report.add_partners(*found.partners, *pca.partners);
  if (found.x_to_y) report.add_labels(found, pca, request, tables.classes);
  if (found.subspaces)
    report.add_subspaces(*found.subspaces, *pca.subspaces, scorer.chance(), *truth, tables.model.pairs.size());
  report.object["warnings"] = session.warnings;
  const std::string json = document(report.object);
  if (!request.output.empty()) write_output(request.output, json);
  if (session.json) {
    print(json);
  } else if (!session.quiet && request.output != "-") {
    print(text_table(report.rows) + "\n" + report.legend +
          "PCA: whitened principal components of each table by itself, as many, fitted to these rows.\n");
    session.repeat_warnings();
  }
}

}  // namespace

Action add_score(CLI::App& app, Session& session) {
  CLI::App* command = app.add_subcommand(
      "score",
      "How good a common space is where something about the truth is known\n\n"
      "Examples:\n"
      "  cda score model.json --x X.csv --y Y.csv --paired            row i of both belongs together\n"
      "  cda score model.json --x X.csv --y Y.csv --label type        rows of one type should be neighbours\n"
      "  cda score model.json --x d/X.csv --y d/Y.csv --truth d/truth.json   tables of cda synth\n\n"
      "Beside every figure stand that of whitened principal components, which know nothing of the other\n"
      "table, and that of chance.\n");
  auto request = std::make_shared<ScoreRequest>();
  add_mapped_options(*command, request->mapped);
  const auto option = [&](const char* name, auto& value, const char* type, const char* text) {
    return command->add_option(name, value, text)->type_name(type)->group("What is known");
  };
  command->add_flag("--paired", request->paired, "row i of X belongs to row i of Y: FOSCTTM")->group("What is known");
  option("--label", request->mapped.label, "COLUMN", "classes, in both tables: label transfer by nearest neighbours");
  option("--truth", request->truth, "FILE", "truth.json of cda synth: distance from the true directions");
  option("--neighbours", request->neighbours, "K", "that vote on a label")->capture_default_str();
  option("--threads", request->mapped.reading.both.threads, "NUMBER",
         "default: what this process may use; the result does not depend on it");
  command->add_option("-o,--output", request->output, "the figures, as JSON (-: standard output)")
      ->type_name("scores.json")
      ->group("Output");
  add_session_options(*command, session);
  return [request](Session& current) { run_score(*request, current); };
}

}  // namespace cda::command
