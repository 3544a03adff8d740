// Training on labelled rows of both tables in the common space, and how well that works on rows of Y left out.
#include "cda/transfer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <map>

#include "cda/error.hpp"
#include "cda/extend/catalogue.hpp"
#include "cda/extend/random.hpp"

namespace cda {
namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

bool complete(const Matrix& rows, Index i) { return rows.row(i).allFinite(); }

std::vector<Index> labelled(const LabelledRows& side) {
  if (side.rows.rows() != side.targets.size())
    throw Error(Fault::usage, "transfer.rows",
                fmt::format("{} rows have {} targets", side.rows.rows(), side.targets.size()));
  std::vector<Index> rows;
  for (Index i = 0; i < side.targets.size(); ++i)
    if (std::isfinite(side.targets[i]) && complete(side.rows, i)) rows.push_back(i);
  return rows;
}

LabelledRows choose(const LabelledRows& side, const std::vector<Index>& rows) {
  return {side.rows(rows, Eigen::all), side.targets(rows)};
}

// How targets of one table become those that are learnt.
struct Unit {
  double mean = 0.0, sd = 1.0;

  Unit() = default;
  Unit(const Vector& targets, const char* side) {
    const MeanAndSpread of = mean_and_spread(targets);
    mean = of.mean;
    sd = of.sd;
    if (targets.size() < 2 || !(sd > 0.0))
      throw Error(Fault::numerical, "transfer.units",
                  fmt::format("z units need two labelled rows of {} at least, with different targets; it has {}", side,
                              targets.size()),
                  "label more rows, or use the targets as they are (--target-units as-is)");
  }
};

Vector predict_complete(const Matrix& rows, const auto& rule) {
  Vector predictions = Vector::Constant(rows.rows(), unknown);
  std::vector<Index> whole;
  for (Index i = 0; i < rows.rows(); ++i)
    if (complete(rows, i)) whole.push_back(i);
  predictions(whole) = rule.predict(rows(whole, Eigen::all));
  return predictions;
}

struct Learnt {
  Vector predictions;
  double parameter = 0.0;
};

Learnt learn(const Matrix& rows, const Vector& targets, const Matrix& rows_to_predict, const TransferOptions& options) {
  if (options.prediction == Prediction::classes) {
    const SvmRule rule = fit_linear_svm(rows, targets, options.learning);
    return {predict_complete(rows_to_predict, rule), rule.cost};
  }
  const RidgeRule rule = fit_ridge(rows, targets, options.learning);
  return {predict_complete(rows_to_predict, rule), rule.penalty};
}

double most_frequent(const Vector& classes) {
  std::map<double, Index> counts;
  for (const double each : classes) ++counts[each];
  return std::max_element(counts.begin(), counts.end(), [](auto& a, auto& b) { return a.second < b.second; })->first;
}

// One run: `training` rows of Y join, `tested` ones are predicted.
struct Run {
  const LabelledRows &x, &y;
  const Matrix& y_columns;
  const EvaluationOptions& options;
  std::vector<Index> training, tested;

  bool classes() const { return options.transfer.prediction == Prediction::classes; }

  double error(const Vector& predicted, const Vector& truth) const {
    return (classes() ? classification_error(predicted, truth) : average_error(predicted, truth)).mean;
  }

  void measure(TransferEvaluation& evaluation, Index number, TransferOptions transfer_options) const {
    transfer_options.learning.seed = options.seed + static_cast<std::uint64_t>(number);
    const LabelledRows known = choose(y, training);
    const Vector truth = y.targets(tested);
    const Vector predicted = transfer(x, known, y.rows(tested, Eigen::all), transfer_options).predictions;
    evaluation.transferred[number] = error(predicted, truth);
    evaluation.chance[number] =
        classes() ? chance_classification_error(predicted, truth) : chance_average_error(predicted, truth);
    const Vector& typical = training.empty() ? x.targets : known.targets;
    const double constant = classes() ? most_frequent(typical) : typical.mean();
    evaluation.constant[number] = error(Vector::Constant(truth.size(), constant), truth);
    evaluation.y_alone[number] = training.empty() ? unknown
                                                  : error(learn(y_columns(training, Eigen::all), known.targets,
                                                                y_columns(tested, Eigen::all), transfer_options)
                                                              .predictions,
                                                          truth);
  }
};

}  // namespace

TargetUnits target_units(const std::string& name) {
  if (same_name(name, "as-is")) return TargetUnits::as_is;
  if (same_name(name, "z")) return TargetUnits::z;
  unknown_name("unit of targets", name, {"as-is", "z"});
}

Transferred transfer(const LabelledRows& x, const LabelledRows& y, const Matrix& rows_to_predict,
                     const TransferOptions& options) {
  const LabelledRows known_x = choose(x, labelled(x));
  LabelledRows known_y = choose(y, labelled(y));
  const Index n = known_x.targets.size();
  if (n == 0) throw Error(Fault::input, "transfer.no-labels", "no complete row of X is labelled");
  if (x.rows.cols() != y.rows.cols() || x.rows.cols() != rows_to_predict.cols())
    throw Error(Fault::usage, "transfer.rows", "rows of X and Y are not in the same space");
  Unit x_unit, y_unit;
  if (options.units == TargetUnits::z && options.prediction == Prediction::numbers) {
    x_unit = Unit(known_x.targets, "X");
    y_unit = Unit(known_y.targets, "Y");
  }
  if (!options.train_on_y) known_y = choose(known_y, {});
  const Index k = known_y.targets.size();
  Matrix rows(n + k, x.rows.cols());
  Vector targets(n + k);
  rows << known_x.rows, known_y.rows;
  targets << (known_x.targets.array() - x_unit.mean) / x_unit.sd, (known_y.targets.array() - y_unit.mean) / y_unit.sd;
  Learnt learnt = learn(rows, targets, rows_to_predict, options);
  learnt.predictions = (learnt.predictions.array() * y_unit.sd + y_unit.mean).matrix().eval();
  return {std::move(learnt.predictions), learnt.parameter, n, k};
}

TransferEvaluation evaluate_transfer(const LabelledRows& x, const LabelledRows& y, const Matrix& y_columns,
                                     const EvaluationOptions& options, const Executor& executor) {
  if (y_columns.rows() != y.rows.rows())
    throw Error(Fault::usage, "transfer.rows", "the columns of Y have another number of rows than its mapped ones");
  const LabelledRows known_x = choose(x, labelled(x));
  if (known_x.targets.size() == 0) throw Error(Fault::input, "transfer.no-labels", "no complete row of X is labelled");
  std::vector<Index> pool = labelled(y);
  std::erase_if(pool, [&](Index i) { return !complete(y_columns, i); });
  const auto available = static_cast<Index>(pool.size());
  if (options.runs < 1) throw Error(Fault::usage, "option.value", "an evaluation needs at least one run");
  if (options.train_rows < 0 || options.train_rows >= available)
    throw Error(
        Fault::usage, "transfer.train-rows",
        fmt::format("{} rows of Y cannot join the training: it has {} labelled ones, and at least one is needed "
                    "for the test",
                    options.train_rows, available));
  const Vector none = Vector::Constant(options.runs, unknown);
  TransferEvaluation evaluation{
      none, none, none, none, known_x.targets.size(), options.train_rows, available - options.train_rows};
  std::atomic<Index> begun{0};
  executor.for_each(options.runs, [&](Index number) {
    const double share = static_cast<double>(begun++) / static_cast<double>(options.runs);
    if (options.going_on && !options.going_on(share))
      throw Error(Fault::usage, "interrupted", "the evaluation was stopped");
    std::vector<Index> drawn = Random(options.seed, fmt::format("run {}", number + 1)).permutation(available);
    for (Index& i : drawn) i = pool[static_cast<std::size_t>(i)];
    const auto middle = drawn.begin() + options.train_rows;
    Run run{known_x, y, y_columns, options, {drawn.begin(), middle}, {middle, drawn.end()}};
    std::sort(run.training.begin(), run.training.end());
    std::sort(run.tested.begin(), run.tested.end());
    run.measure(evaluation, number, options.transfer);
  });
  return evaluation;
}

}  // namespace cda
