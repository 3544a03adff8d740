// The way of two tables through a method that CDA is compared with: what it needs of them is checked, rows and columns
// that correspond are brought side by side, columns are prepared, the method maps them, and what came out is told like
// that of any other method. The divergence of a pair is W2^2 of its values, whatever the method went by.
#include "find/baseline_fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <set>

#include "base/linear_algebra.hpp"
#include "base/option_text.hpp"
#include "cda/extend/baseline.hpp"
#include "find/pairs/search.hpp"
#include "find/prepared_table.hpp"
#include "find/request.hpp"

namespace cda {
namespace {

void refuse_options(const FitOptions& options, const std::string& method) {
  if (const std::string name = asked_of_parts(options); !name.empty())
    throw Error(Fault::usage, "option.method", fmt::format("--{} is not for {}", dashed(name), method),
                fmt::format("options of {} follow its name: cda list baselines", method));
}

std::string list_of(const std::vector<std::string>& names) {
  constexpr std::size_t most = 8;
  std::vector<std::string> some;
  for (std::size_t i = 0; i < std::min(most, names.size()); ++i) some.push_back(in_quotes(names[i]));
  return fmt::format("{}{}", fmt::join(some, ", "), names.size() > most ? ", ..." : "");
}

// Y with its columns in the order of X's. They are found by name; where no name is common they are taken as they come.
Table with_columns_of(const Table& x, Table y, const std::string& method, std::vector<std::string>& warnings) {
  std::map<std::string, Index> position;
  for (std::size_t j = 0; j < y.names.size(); ++j) position[y.names[j]] = static_cast<Index>(j);
  std::vector<Index> order;
  std::vector<std::string> common;
  for (const std::string& name : x.names)
    if (const auto found = position.find(name); found != position.end()) {
      order.push_back(found->second);
      common.push_back(name);
    }
  if (common.size() == x.names.size() && common.size() == y.names.size()) {
    y.select_columns(order);
    return y;
  }
  if (common.empty() && x.columns() == y.columns()) {
    warnings.push_back(fmt::format(
        "no column has the same name in both tables: {} takes column 1 of Y for column 1 of X, and so on", method));
    return y;
  }
  throw Error(
      Fault::input, "data.columns",
      fmt::format("{} needs the same columns in both tables; X has {}, Y {}, and {} in common", method, x.columns(),
                  y.columns(), common.empty() ? "none" : fmt::format("{} ({})", common.size(), list_of(common))),
      common.empty() ? "methods that need no common columns: iCDA, or one of the paper's"
                     : "choose the common ones with --only");
}

// The order of rows that belong together: by the content of both.
std::vector<Index> joint_order(const Table& x, const Table& y, const Executor& executor) {
  Table both;
  for (const std::string& name : x.names) both.names.push_back("x " + name);
  for (const std::string& name : y.names) both.names.push_back("y " + name);
  both.values.resize(x.rows(), x.columns() + y.columns());
  both.values << x.values, y.values;
  return content_order(both, executor);
}

// Columns of two tables with equal ones that vary in each, in an order given by what they hold.
std::vector<Index> varying_in_both(const Matrix& x, const Matrix& y, const std::vector<std::string>& names) {
  const auto kept = [&](const Matrix& rows) { return PreparedColumns::fit(rows, names, {}, nullptr).kept(); };
  const auto as_set = [](const std::vector<Index>& columns) { return std::set<Index>(columns.begin(), columns.end()); };
  const std::set<Index> in_x = as_set(kept(x)), in_y = as_set(kept(y));
  std::vector<Index> common;
  for (const Index column : kept(stacked(x, y)))
    if (in_x.count(column) != 0 && in_y.count(column) != 0) common.push_back(column);
  if (common.empty()) throw Error(Fault::numerical, "data.constant", "no column varies in both tables");
  return common;
}

struct BothTables {
  PreparedTable x, y;
};

BothTables prepare(const Table& x, const Table& y, const Baseline& method, const std::vector<PartSpec>& steps,
                   const Executor& executor, const FitObserver& observer, std::vector<std::string>& warnings) {
  ask(observer);
  const std::vector<Index> x_order = method.paired_rows() ? joint_order(x, y, executor) : content_order(x, executor);
  ask(observer);
  const std::vector<Index> y_order = method.paired_rows() ? x_order : content_order(y, executor);
  ask(observer);
  Matrix x_rows = x.values(x_order, Eigen::all), y_rows = y.values(y_order, Eigen::all);
  ask(observer);
  const auto columns_of = [&](const Table& table, const Matrix& rows, const std::string& side,
                              const PreparedColumns::Choice& choice) {
    return about(table, side, [&] {
      std::vector<std::string> remarks;
      PreparedColumns columns = PreparedColumns::fit(rows, table.names, steps, &remarks, choice);
      for (const std::string& remark : remarks) warnings.push_back(side + ": " + remark);
      return columns;
    });
  };
  PreparedColumns x_columns, y_columns;
  if (method.pooled()) {
    x_columns = y_columns = columns_of(x, stacked(x_rows, y_rows), "X and Y", {});
  } else {
    PreparedColumns::Choice choice;
    if (method.equal_columns()) {
      choice.only = varying_in_both(x_rows, y_rows, x.names);
      if (const auto left = x.columns() - static_cast<Index>(choice.only.size()); left > 0)
        warnings.push_back(fmt::format("{} not vary in both tables: set aside with weight 0",
                                       left == 1 ? "1 column does" : fmt::format("{} columns do", left)));
    }
    x_columns = columns_of(x, x_rows, "X", choice);
    y_columns = columns_of(y, y_rows, "Y", choice);
  }
  const auto sample_of = [&](const Table& table, Matrix rows, PreparedColumns columns, const std::vector<Index>& order,
                             const char* side) {
    ask(observer);
    Matrix features = columns.apply(rows);
    PreparedTable made = prepared({std::move(columns), std::move(features), {}},
                                  taken(content_keys(table, executor), order), side, executor, warnings);
    made.rows = std::move(rows);
    return made;
  };
  PreparedTable of_x = sample_of(x, std::move(x_rows), std::move(x_columns), x_order, "X");
  return {std::move(of_x), sample_of(y, std::move(y_rows), std::move(y_columns), y_order, "Y")};
}

double squared_distance(const Vector& x, const Vector& y) {
  static const auto wasserstein = divergences().make("wasserstein");
  const Sample x_sample{Matrix(x)}, y_sample{Matrix(y)};
  Projection x_values(x_sample, Matrix::Ones(1, 1), Vector::Ones(1));
  Projection y_values(y_sample, Matrix::Ones(1, 1), Vector::Ones(1));
  return wasserstein->evaluate(x_values, y_values, false);
}

void record(const BaselineMaps& maps, const BothTables& tables, double seconds, Model& model) {
  model.directions = maps.directions;
  if (maps.kernel) {
    model.x_preparation.set_kernel(*maps.kernel);
    model.y_preparation.set_kernel(*maps.kernel);
  }
  const Matrix x_values = model.x_preparation.projected(tables.x.sample.rows(), maps.directions.x);
  const Matrix y_values =
      model.y_preparation.projected(tables.y.sample.rows(), maps.directions.y) * maps.directions.scales.asDiagonal();
  for (Index i = 0; i < maps.directions.pairs(); ++i) {
    Pair pair;
    pair.objective = maps.figures[i];
    pair.divergence = squared_distance(x_values.col(i), y_values.col(i));
    pair.converged = maps.converged;
    pair.stopped = maps.stopped;
    pair.iterations = maps.iterations;
    pair.seconds = seconds;
    model.pairs.push_back(std::move(pair));
  }
  for (const std::string& warning : maps.warnings) model.warnings.push_back(warning);
  model.coupling = maps.coupling;
}

// Columns prepared as asked, or as the method has it.
std::vector<PartSpec> chosen_steps(const FitOptions& options, const Baseline& method) {
  std::vector<PartSpec> steps;
  for (const PartSpec& step : options.prepare.value_or(method.preparation()))
    steps.push_back(preparations().complete(step));
  // Clouds of rows are laid on each other about their means, whatever was done to the columns before.
  const std::set<std::string> centring{"centre", "standardise", "whiten", "pca"};
  if (!method.compared() && (steps.empty() || centring.count(steps.back().name) == 0))
    steps.push_back(preparations().complete(PartSpec("centre")));
  return steps;
}

}  // namespace

FitOptions completed_baseline(FitOptions options) {
  options.method = complete_method(options.method);
  refuse_options(options, find_method(options.method).name);
  options.prepare = chosen_steps(options, *baselines().make(PartSpec(options.method)));
  options.divergence = divergences().complete(PartSpec("wasserstein"));
  return without_means(options);
}

Model fit_baseline(const Table& x_table, const Table& y_table, const FitOptions& options, const FitObserver& observer) {
  const MethodInfo& method = find_method(options.method);
  refuse_options(options, method.name);
  const auto baseline = baselines().make(PartSpec(complete_method(options.method)));
  check_table(x_table, "X");
  check_table(y_table, "Y");
  if (baseline->paired_rows() && x_table.rows() != y_table.rows())
    throw Error(Fault::input, "data.paired",
                fmt::format("{} needs rows that belong together, but X has {} rows and Y {}", method.name,
                            x_table.rows(), y_table.rows()),
                "methods that need no pairs of rows: iCDA, or one of the paper's");
  Model model;
  const Table& x = x_table;
  const Table y = baseline->equal_columns() ? with_columns_of(x, y_table, method.name, model.warnings) : y_table;
  const FitOptions whole = completed_baseline(options);
  const Executor executor(options.threads);
  const BothTables tables = prepare(x, y, *baseline, *whole.prepare, executor, observer, model.warnings);
  const Index components =
      component_count(options.components, tables.x.sample, tables.y.sample, baseline->usual_components());

  const auto started = std::chrono::steady_clock::now();
  const auto advance = [&](double share) { ask(observer, {.pair = 1, .pairs = components, .share = share}); };
  std::string reason;
  const auto enough = [&] {
    if (reason.empty()) reason = options.stopping.asked_enough();
    return reason;
  };
  advance(0.0);
  const BaselineMaps maps = baseline->fit(
      {tables.x.sample.rows(), tables.y.sample.rows(), components, options.seed, executor, advance, enough});

  model.method = method.name;
  model.options = whole;
  model.figure = baseline->figure_name();
  model.x = summary(x, tables.x.sample);
  model.y = summary(y, tables.y.sample);
  model.x_preparation = tables.x.columns;
  model.y_preparation = tables.y.columns;
  record(maps, tables, std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count(), model);
  describe(tables.x, tables.y, model);
  model.multiply_out();
  warn_of_largest_weights(model);
  if (options.summarise)
    model.summary = summarise_values(model.transform(Side::x, tables.x.rows), model.transform(Side::y, tables.y.rows));
  model.stopped = reason;
  if (!reason.empty()) model.warnings.push_back(fmt::format("the fit ended early ({}): the best found so far", reason));
  return model;
}

}  // namespace cda
