// `cda transfer`: what is known about rows of X is learnt in the common space and predicted for rows of Y.
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
#include "progress.hpp"

namespace cda::command {
namespace {

struct TransferRequest {
  MappedRequest mapped;
  std::string units = "as-is", seed = "0", runs = "10";
  std::optional<std::string> train_rows;
  std::optional<std::string> output;
  bool excel_safe = true;

  bool classes() const { return mapped.label.has_value(); }
  const std::string& column() const { return *mapped.known_column(); }
};

Index labelled_rows(const MappedTable& side) {
  Index count = 0;
  for (Index i = 0; i < side.targets.size(); ++i)
    count += std::isfinite(side.targets[i]) && side.mapped.row(i).allFinite() ? 1 : 0;
  return count;
}

TransferOptions transfer_options(const TransferRequest& request) {
  TransferOptions options;
  options.prediction = request.classes() ? Prediction::classes : Prediction::numbers;
  options.units = target_units(request.units);
  options.learning.seed = seed_number("--seed", request.seed);
  return options;
}

void check_labels(const MappedTables& tables, const TransferRequest& request) {
  if (labelled_rows(tables.x) == 0)
    throw Error(Fault::input, "transfer.no-labels",
                fmt::format("no complete row of X has a value in {}", in_quotes(request.column())), "",
                {.file = shown(request.mapped.x, 4096)});
  if (request.classes() && tables.classes.size() < 2)
    throw Error(Fault::input, "transfer.one-class",
                fmt::format("{} is {} in every row: there is nothing to tell apart", in_quotes(request.column()),
                            in_quotes(tables.classes.front())),
                "", {.file = shown(request.mapped.x, 4096)});
}

Json side_json(const MappedTable& side) { return {{"rows", side.table.rows()}, {"labelled", labelled_rows(side)}}; }

Json head_json(const MappedTables& tables, const TransferRequest& request) {
  Json object{{"method", tables.model.method},
              {"pairs", tables.model.pairs.size()},
              {"task", request.classes() ? "classification" : "regression"},
              {"column", request.column()}};
  if (request.classes())
    object["classes"] = tables.classes;
  else
    object["target_units"] = request.units;
  object["x"] = side_json(tables.x);
  object["y"] = side_json(tables.y);
  object["seed"] = seed_number("--seed", request.seed);
  return object;
}

// ---- Evaluation ----

struct Line {
  const char* key;
  std::string text;
  const Vector& errors;
};

std::vector<Line> lines_of(const TransferEvaluation& found, const TransferRequest& request) {
  const Index rows = found.y_rows;
  const std::string some = fmt::format("{} row{} of Y", rows, rows == 1 ? "" : "s");
  const char* constant = request.classes() ? "the most frequent class" : "the mean";
  return {{"transfer", rows > 0 ? fmt::format("transfer: X and {}", some) : "transfer: X alone", found.transferred},
          {"y_alone", fmt::format("no transfer: {} alone, by its columns", some), found.y_alone},
          {"constant", fmt::format("always {} of {}", constant, rows > 0 ? some : "X"), found.constant},
          {"chance", "chance: the predictions dealt at random", found.chance}};
}

// In how many runs transfer has the smaller error, for each of the others.
std::string comparison(const TransferEvaluation& found, const std::vector<Line>& lines) {
  std::string text;
  for (std::size_t i = 1; i < lines.size(); ++i) {
    if (lines[i].errors.hasNaN()) continue;
    const auto better = (found.transferred.array() < lines[i].errors.array()).count();
    text += fmt::format(
        "Transfer is better in {} of {} runs than {}.\n", better, found.transferred.size(),
        lines[i].text.substr(lines[i].text.find(": ") == std::string::npos ? 0 : lines[i].text.find(": ") + 2));
  }
  const double other =
      std::min(lines[1].errors.hasNaN() ? lines[2].errors.mean() : lines[1].errors.mean(), lines[2].errors.mean());
  text += found.transferred.mean() < other
              ? "The common space helps here.\n"
              : "The common space does not help here: something simpler does as well or better.\n";
  return text;
}

void evaluate(const TransferRequest& request, const MappedTables& tables, Session& session) {
  EvaluationOptions options;
  options.train_rows = whole_number("--train-rows", *request.train_rows, 0);
  options.runs = whole_number("--runs", request.runs, 1, 100'000);
  options.seed = seed_number("--seed", request.seed);
  options.transfer = transfer_options(request);
  if (!tables.y.has_column)
    throw Error(Fault::input, "transfer.no-column",
                fmt::format("Y has no column {}, so nothing can be evaluated", in_quotes(request.column())),
                near_columns(request.mapped, Side::y, "without --train-rows its rows are predicted"),
                {.file = shown(request.mapped.y, 4096)});
  const int threads = thread_count(request.mapped.reading);
  TransferEvaluation found;
  {
    ProgressBar bar(!session.quiet);
    options.going_on = [&](double share) {
      bar.show(share, "evaluating");
      return stop_signal() == 0;
    };
    found = evaluate_transfer({tables.x.mapped, tables.x.targets}, {tables.y.mapped, tables.y.targets},
                              tables.y.table.values, options, Executor(threads));
  }
  stop_if_asked();
  session.refuse_warnings();
  const char* measure = request.classes() ? "classification error" : "average error distance";
  const std::vector<Line> lines = lines_of(found, request);
  if (session.json) {
    Json object = head_json(tables, request);
    object["train_rows"] = found.y_rows;
    object["tested"] = found.tested;
    object["runs"] = options.runs;
    object["measure"] = measure;
    for (const Line& line : lines) {
      const MeanAndSpread of = mean_and_spread(line.errors);
      object["errors"][line.key] = line.errors.hasNaN()
                                       ? Json(nullptr)
                                       : Json{{"mean", of.mean},
                                              {"sd", of.sd},
                                              {"runs", std::vector<double>(line.errors.begin(), line.errors.end())}};
    }
    object["warnings"] = session.warnings;
    print(document(object));
    return;
  }
  if (session.quiet) return;
  std::string text = fmt::format(
      "{} of {} in the space of {} pairs ({}): trained on {} rows of X{}, tested on {} rows of Y, {} runs\n",
      request.classes() ? "Classification" : "Regression", shown(request.column()), tables.model.pairs.size(),
      tables.model.method, found.x_rows, found.y_rows > 0 ? fmt::format(" and {} of Y", found.y_rows) : "",
      found.tested, options.runs);
  text +=
      request.classes()
          ? "Error: the share of rows whose class is wrong.\n\n"
          : fmt::format("Error: mean of |{0} - prediction|, in the unit of Y; targets learnt {1}.\n\n",
                        shown(request.column()), request.units == "as-is" ? "as they are" : "in z units of each table");
  std::vector<std::vector<std::string>> rows{{"", "mean error", "sd over runs"}};
  for (const Line& line : lines) {
    const MeanAndSpread of = mean_and_spread(line.errors);
    if (!line.errors.hasNaN())
      rows.push_back(
          {line.text, fmt::format("{:.4g}", of.mean), std::isfinite(of.sd) ? fmt::format("{:.4g}", of.sd) : "-"});
  }
  print(text + text_table(rows) + "\n" + comparison(found, lines));
  session.repeat_warnings();
}

// ---- Prediction ----

std::string shortest(double value) { return std::isnan(value) ? "" : fmt::format("{}", value); }

// One line per row of Y: what was known, and the prediction where nothing was.
std::string predictions_csv(const MappedTables& tables, const Vector& predictions, const TransferRequest& request) {
  const Table& y = tables.y.table;
  const auto name = [&](const std::string& text) {
    return csv_field(request.excel_safe ? spreadsheet_safe(text) : text);
  };
  const auto value = [&](double number) -> std::string {
    if (!request.classes() || std::isnan(number)) return shortest(number);
    return name(tables.classes[static_cast<std::size_t>(number)]);
  };
  std::string text = y.index.empty() ? "" : name(y.index_name) + ",";
  text += name(request.column()) + ",prediction\n";
  for (Index i = 0; i < predictions.size(); ++i) {
    if (!y.index.empty()) text += name(y.index[static_cast<std::size_t>(i)]) + ",";
    text += value(tables.y.targets[i]) + "," + value(predictions[i]) + "\n";
  }
  return text;
}

void predict(const TransferRequest& request, const MappedTables& tables, Session& session) {
  const std::string output = request.output.value_or("-");
  Index wanted = 0;
  for (Index i = 0; i < tables.y.targets.size(); ++i)
    wanted += std::isnan(tables.y.targets[i]) && tables.y.mapped.row(i).allFinite() ? 1 : 0;
  if (wanted == 0)
    throw Error(
        Fault::usage, "transfer.nothing-to-predict",
        fmt::format("{} is known in every complete row of Y: there is nothing to predict", in_quotes(request.column())),
        "--train-rows 20 hides all but 20 of them and shows how well they are predicted");
  if (!tables.y.has_column)
    session.note(
        fmt::format("Y has no column {}: all its rows are predicted, by rows of X alone", shown(request.column())));
  session.refuse_warnings();
  Transferred found = transfer({tables.x.mapped, tables.x.targets}, {tables.y.mapped, tables.y.targets},
                               tables.y.mapped, transfer_options(request));
  for (Index i = 0; i < found.predictions.size(); ++i)
    if (!std::isnan(tables.y.targets[i])) found.predictions[i] = std::nan("");
  stop_if_asked();
  write_output(output, predictions_csv(tables, found.predictions, request));
  if (session.json) {
    Json object = head_json(tables, request);
    object["trained"] = {{"x", found.x_trained}, {"y", found.y_trained}};
    object["predicted"] = wanted;
    object["parameter"] = found.parameter;
    object["warnings"] = session.warnings;
    print(document(object));
    return;
  }
  session.note(fmt::format("{} rows of Y predicted by a rule trained on {} rows of X and {} of Y{}", wanted,
                           found.x_trained, found.y_trained,
                           output == "-" ? "" : fmt::format(", written to {}", shown(output, 200))));
}

void run_transfer(const TransferRequest& request, Session& session) {
  if (request.mapped.target.has_value() == request.mapped.label.has_value())
    throw Error(Fault::usage, "usage", "transfer takes either --target COLUMN (numbers) or --label COLUMN (classes)",
                "cda transfer --help");
  transfer_options(request);
  if (request.train_rows) {
    whole_number("--train-rows", *request.train_rows, 0);
    whole_number("--runs", request.runs, 1, 100'000);
    if (request.output)
      throw Error(Fault::usage, "usage", "an evaluation (--train-rows) writes no predictions", "leave out -o");
  } else if (session.json && request.output.value_or("-") == "-") {
    throw Error(Fault::usage, "usage", "the predictions are CSV and would mix with --json on standard output",
                "give -o OUT.csv");
  }
  thread_count(request.mapped.reading);
  if (request.output) require_csv("predictions", *request.output);
  const MappedPlans plans =
      mapped_plans(request.mapped, request.train_rows ? "" : request.output.value_or("-"), {}, session);
  const MappedTables tables = read_mapped(request.mapped, plans, session);
  check_labels(tables, request);
  if (request.train_rows)
    evaluate(request, tables, session);
  else
    predict(request, tables, session);
}

}  // namespace

Action add_transfer(CLI::App& app, Session& session) {
  CLI::App* command = app.add_subcommand(
      "transfer",
      "Learn from rows of X, in the common space of a model, what rows of Y are like\n\n"
      "Examples:\n"
      "  cda fit X.csv Y.csv --exclude cnt -o model.json            the maps must not know the target\n"
      "  cda transfer model.json --x X.csv --y Y.csv --target cnt --train-rows 20    does it work?\n"
      "  cda transfer model.json --x X.csv --y Y.csv --target cnt -o out.csv         fill in the missing\n"
      "  cda transfer model.json --x X.csv --y Y.csv --label type -o out.csv         classes, not numbers\n\n"
      "Trained on the rows of X, and of Y, that have a value in the column; where it is missing in Y\n"
      "(or Y has no such column) it is predicted. Numbers: ridge regression. Classes: a linear support\n"
      "vector machine, one class against the rest. Parameters by 5-fold cross-validation.\n");
  auto request = std::make_shared<TransferRequest>();
  add_mapped_options(*command, request->mapped);
  const auto option = [&](const char* name, auto& value, const char* type, const char* text) {
    return command->add_option(name, value, text)->type_name(type)->group("Learning");
  };
  option("--target", request->mapped.target, "COLUMN", "numbers to predict");
  option("--label", request->mapped.label, "COLUMN", "classes to predict: text or numbers");
  option("--target-units", request->units, "as-is|z",
         "as-is: both tables use the same unit; z: each table's targets less their mean, over their sd, by its own "
         "training rows")
      ->capture_default_str();
  option("--train-rows", request->train_rows, "N",
         "evaluate: so many random labelled rows of Y join the training, the others are the test");
  option("--runs", request->runs, "R", "of the evaluation, each with other rows")->capture_default_str();
  option("--seed", request->seed, "NUMBER", "which rows and folds; the same seed gives the same bytes")
      ->capture_default_str();
  option("--threads", request->mapped.reading.both.threads, "NUMBER",
         "default: what this process may use; the result does not depend on it");
  command
      ->add_option("-o,--output", request->output,
                   "one line per row of Y: what was known, and the prediction where nothing was (-: standard output)")
      ->type_name("OUT.csv")
      ->group("Output");
  add_excel_safe(*command, request->excel_safe);
  add_session_options(*command, session);
  return [request](Session& current) { run_transfer(*request, current); };
}

}  // namespace cda::command
