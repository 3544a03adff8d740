// Learning in the common space: what is known about rows of X is used for rows of Y.
//
// Both tables are mapped by a model, a linear rule is trained on the labelled rows of both, and predicts the other rows
// of Y. For numbers the rule is ridge regression (regularised least squares), for classes a linear support vector
// machine, one class against the rest. Their one parameter is chosen by cross-validation on training rows only.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cda/extend/executor.hpp"
#include "cda/types.hpp"

namespace cda {

// ---- Errors ----

struct MeanAndSpread {
  double mean = 0.0;
  double sd = 0.0;  // with n - 1; NaN for one value, of which nothing is known
};
MeanAndSpread mean_and_spread(const Vector& values);  // both NaN for none

MeanAndSpread average_error(const Vector& predicted, const Vector& truth);         // of |y - prediction| over rows
MeanAndSpread classification_error(const Vector& predicted, const Vector& truth);  // of 1 where they differ, else 0

// The same means where each prediction is dealt to a row at random: what is left when predictions know nothing about
// the row they are made for.
double chance_average_error(const Vector& predicted, const Vector& truth);
double chance_classification_error(const Vector& predicted, const Vector& truth);

// ---- Rules ----

struct LearningOptions {
  std::optional<double> parameter = {};  // without: chosen by cross-validation, see below
  Index folds = 5;                       // at most as many as rows
  std::uint64_t seed = 0;                // of the folds
};

// Columns are brought to mean 0 and standard deviation 1 by the training rows; weights are those of the columns as
// given. Constant columns have weight 0.
//
//   minimise  |y - b - Zw|^2 / n + penalty |w|^2      (b is not penalised)
//
// penalty among 1e-6, 1e-5, ..., 100: the lowest squared error on rows left out, the larger where equal.
struct RidgeRule {
  Vector weights;
  double intercept = 0.0;
  double penalty = 0.0;

  Vector predict(const Matrix& rows) const;
};
RidgeRule fit_ridge(const Matrix& rows, const Vector& targets, const LearningOptions& options = {});

// For each class against all others
//
//   minimise  (|w|^2 + b^2) / 2 + cost / n sum_i max(0, 1 - s_i (b + w'z_i))^2,    s_i = 1 for the class, else -1
//
// cost among 1, 10, ..., 10000: the lowest error on rows left out, the smaller where equal; on a random choice of 1000
// rows where there are more. Two classes need one rule. Solved by liblinear in the primal form, which has the same
// solution as the dual one and draws no random numbers.
struct SvmRule {
  std::vector<double> classes;  // numbers of the classes there were, increasing
  Matrix weights;               // columns x classes
  Vector intercepts;
  double cost = 0.0;

  Vector predict(const Matrix& rows) const;  // numbers of classes
};
SvmRule fit_linear_svm(const Matrix& rows, const Vector& labels, const LearningOptions& options = {});

// ---- Transfer ----

enum class Prediction { numbers, classes };

// as_is: both tables hold the target in the same unit. z: each table's targets less their mean, divided by their
// standard deviation, both of its own training rows; predictions are turned back into the unit of Y.
enum class TargetUnits { as_is, z };
TargetUnits target_units(const std::string& name);  // "as-is", "z"

// Rows in some space and what is known of them; NaN where nothing is. Classes are numbers from 0.
struct LabelledRows {
  Matrix rows;
  Vector targets;
};

struct TransferOptions {
  Prediction prediction = Prediction::numbers;
  TargetUnits units = TargetUnits::as_is;
  bool train_on_y = true;  // false: labelled rows of Y do not join the training; they only tell the unit of z
  LearningOptions learning = {};
};

// Trained on all labelled rows of both; rows with a NaN are left out. Predicts every given row of Y (NaN where the row
// has one).
struct Transferred {
  Vector predictions;
  double parameter = 0.0;              // penalty or cost
  Index x_trained = 0, y_trained = 0;  // rows
};
Transferred transfer(const LabelledRows& x, const LabelledRows& y, const Matrix& rows_to_predict,
                     const TransferOptions& options = {});

// How well that works: in each run some of the labelled rows of Y, drawn at random, join the training, and the others
// are predicted. Errors are means over the rows predicted: |y - prediction|, or the share of wrong classes.
struct EvaluationOptions {
  Index train_rows = 0;  // of Y
  Index runs = 10;
  std::uint64_t seed = 0;  // which rows
  TransferOptions transfer = {};
  // Called before each run, by any thread, with the share done; returns false to stop: an Error with code
  // "interrupted".
  std::function<bool(double share)> going_on = {};
};
struct TransferEvaluation {
  // One error per run.
  Vector transferred;  // trained on X and the rows of Y, in the common space
  Vector chance;       // its predictions dealt to the rows at random
  Vector constant;     // the mean, or the most frequent class, of the training rows of Y; of X where there are none
  Vector y_alone;  // the same rule trained on the columns of Y for its training rows alone; NaN where there are none
  Index x_rows = 0, y_rows = 0, tested = 0;
};
// `y_columns` are the same rows of Y before they were mapped.
TransferEvaluation evaluate_transfer(const LabelledRows& x, const LabelledRows& y, const Matrix& y_columns,
                                     const EvaluationOptions& options, const Executor& executor);

}  // namespace cda
