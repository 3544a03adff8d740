#include "cda/transfer.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "cda/error.hpp"
#include "cda/extend/random.hpp"

namespace {

using namespace cda;

const double nan = std::nan("");

std::string code_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.code();
  }
  return "accepted";
}

TEST(Errors, AreMeansOverRowsWithTheirSpread) {
  const Vector predicted = Eigen::Vector4d(1, 2, 3, 4), truth = Eigen::Vector4d(1, 4, 3, 0);
  EXPECT_DOUBLE_EQ(average_error(predicted, truth).mean, 1.5);
  EXPECT_DOUBLE_EQ(average_error(predicted, truth).sd, std::sqrt((2.25 + 0.25 + 2.25 + 6.25) / 3.0));
  EXPECT_DOUBLE_EQ(classification_error(predicted, truth).mean, 0.5);
  EXPECT_TRUE(std::isnan(average_error(predicted.head(1), truth.tail(1)).sd));  // one value has no spread
  EXPECT_THROW(average_error(predicted, truth.head(2)), Error);
}

TEST(Errors, OfChanceAreMeansOverAllPairsOfAPredictionAndARow) {
  Random random(1, "chance");
  Vector predicted = random.normals(37, 1), truth = 2.0 * random.normals(37, 1);
  predicted[3] = predicted[4] = truth[5];  // ties
  double sum = 0.0, wrong = 0.0;
  const Vector classes = (predicted.array() > 0.3).cast<double>(), others = truth.array().round();
  for (Index i = 0; i < 37; ++i)
    for (Index j = 0; j < 37; ++j) {
      sum += std::abs(predicted[i] - truth[j]);
      wrong += classes[i] != others[j] ? 1.0 : 0.0;
    }
  EXPECT_NEAR(chance_average_error(predicted, truth), sum / (37.0 * 37.0), 1e-12);
  EXPECT_NEAR(chance_classification_error(classes, others), wrong / (37.0 * 37.0), 1e-12);
}

// Two tables in one space, with a target that is the same function of it, in Y ten times as large.
struct Sides {
  LabelledRows x, y;
};
Sides made(Index n, Index k, double factor) {
  Random random(2, "sides");
  const auto side = [&](Index rows, double unit) {
    LabelledRows made{random.normals(rows, 3), Vector(rows)};
    made.targets = unit * (made.rows.col(0) - 2.0 * made.rows.col(1) + 0.1 * random.normals(rows, 1).col(0));
    made.targets.array() += unit * 5.0;
    return made;
  };
  return {side(n, 1.0), side(k, factor)};
}

TEST(Transfer, PredictsRowsOfYFromThoseOfX) {
  Sides sides = made(200, 50, 1.0);
  const Vector truth = sides.y.targets;
  sides.y.targets.setConstant(nan);
  const Transferred found = transfer(sides.x, sides.y, sides.y.rows);
  EXPECT_EQ(found.x_trained, 200);
  EXPECT_EQ(found.y_trained, 0);
  EXPECT_LT(average_error(found.predictions, truth).mean, 0.12);  // noise of sd .1 alone gives .08
}

TEST(Transfer, LeavesOutRowsThatAreNotCompleteAndPredictsNothingForThem) {
  Sides sides = made(60, 20, 1.0);
  sides.x.rows(3, 0) = nan;
  sides.x.targets[5] = nan;
  sides.y.targets.tail(10).setConstant(nan);
  sides.y.rows(2, 1) = sides.y.rows(15, 1) = nan;
  const Transferred found = transfer(sides.x, sides.y, sides.y.rows);
  EXPECT_EQ(found.x_trained, 58);
  EXPECT_EQ(found.y_trained, 9);
  EXPECT_TRUE(std::isnan(found.predictions[15]));
  EXPECT_EQ(found.predictions.array().isNaN().count(), 2);
}

TEST(Transfer, InZUnitsOvercomesAnotherUnitOfTheTarget) {
  Sides sides = made(300, 120, 10.0);
  const Vector truth = sides.y.targets;
  sides.y.targets.tail(80).setConstant(nan);
  const auto error = [&](TargetUnits units) {
    const Vector found = transfer(sides.x, sides.y, sides.y.rows, {.units = units}).predictions;
    return average_error(found.tail(80), truth.tail(80)).mean;
  };
  EXPECT_GT(error(TargetUnits::as_is), 15.0);
  EXPECT_LT(error(TargetUnits::z), 5.0);  // the unit of Y is known from 40 rows only
  sides.y.targets.tail(119).setConstant(nan);
  EXPECT_EQ(code_of([&] { error(TargetUnits::z); }), "transfer.units");
  EXPECT_EQ(code_of([] { target_units("y"); }), "name.unknown");
}

TEST(Transfer, MayUseRowsOfYForTheirUnitOnly) {
  Sides sides = made(200, 50, 10.0);
  sides.y.rows.topRows(25).array() += 3.0;  // rows that would lead astray
  const Vector truth = sides.y.targets;
  sides.y.targets.tail(25).setConstant(nan);
  const Matrix tested = sides.y.rows.bottomRows(25);
  const Transferred found = transfer(sides.x, sides.y, tested, {.units = TargetUnits::z, .train_on_y = false});
  EXPECT_EQ(found.y_trained, 0);
  const Vector known = sides.y.targets.head(25);
  const Vector x_alone = fit_ridge(sides.x.rows, sides.x.targets).predict(tested);
  const MeanAndSpread of_x = mean_and_spread(sides.x.targets), of_y = mean_and_spread(known);
  const Vector expected = (x_alone.array() - of_x.mean) / of_x.sd * of_y.sd + of_y.mean;
  EXPECT_LT((found.predictions - expected).cwiseAbs().maxCoeff(), 1e-3);  // a penalty of a millionth either way
}

TEST(Transfer, LearnsClasses) {
  Sides sides = made(200, 60, 1.0);
  const auto classes = [](const Vector& values) -> Vector { return (values.array() > 5.0).cast<double>() * 3.0; };
  sides.x.targets = classes(sides.x.targets);
  const Vector truth = classes(sides.y.targets);
  sides.y.targets.setConstant(nan);
  const Vector found = transfer(sides.x, sides.y, sides.y.rows, {.prediction = Prediction::classes}).predictions;
  EXPECT_LT(classification_error(found, truth).mean, 0.08);
}

TEST(Transfer, RefusesWithoutLabels) {
  Sides sides = made(10, 10, 1.0);
  sides.x.targets.setConstant(nan);
  EXPECT_EQ(code_of([&] { transfer(sides.x, sides.y, sides.y.rows); }), "transfer.no-labels");
  EXPECT_EQ(code_of([&] { evaluate_transfer(sides.x, sides.y, sides.y.rows, {}, Executor(1)); }), "transfer.no-labels");
}

TEST(Evaluation, ComparesWithChanceAConstantAndYAlone) {
  const Sides sides = made(200, 100, 1.0);
  const TransferEvaluation found =
      evaluate_transfer(sides.x, sides.y, sides.y.rows, {.train_rows = 5, .runs = 6}, Executor(2));
  EXPECT_EQ(found.transferred.size(), 6);
  EXPECT_EQ(found.tested, 95);
  EXPECT_LT(found.transferred.maxCoeff(), 0.13);
  EXPECT_LT(found.transferred.mean(), found.y_alone.mean());  // five rows tell less than two hundred and five
  EXPECT_LT(found.y_alone.mean(), found.constant.mean());
  EXPECT_GT(found.chance.mean(), found.constant.mean());
  EXPECT_NE(found.transferred[0], found.transferred[1]);  // other rows in each run
  const TransferEvaluation again =
      evaluate_transfer(sides.x, sides.y, sides.y.rows, {.train_rows = 5, .runs = 6}, Executor(1));
  EXPECT_EQ(found.transferred, again.transferred);
  EXPECT_EQ(found.y_alone, again.y_alone);
}

TEST(Evaluation, WithoutRowsOfYUsesThoseOfXAlone) {
  const Sides sides = made(100, 40, 1.0);
  const TransferEvaluation found = evaluate_transfer(sides.x, sides.y, sides.y.rows, {.runs = 2}, Executor(1));
  EXPECT_NEAR(found.transferred[0], found.transferred[1], 1e-9);  // only folds are drawn, and add up in another order
  EXPECT_TRUE(found.y_alone.array().isNaN().all());
  EXPECT_DOUBLE_EQ(found.constant[0],
                   average_error(Vector::Constant(40, sides.x.targets.mean()), sides.y.targets).mean);
}

TEST(Evaluation, StopsWhenAsked) {
  const Sides sides = made(30, 20, 1.0);
  int calls = 0;
  EvaluationOptions options{.train_rows = 3, .runs = 9};
  options.going_on = [&](double share) {
    EXPECT_LT(share, 1.0);
    return ++calls < 4;
  };
  EXPECT_EQ(code_of([&] { evaluate_transfer(sides.x, sides.y, sides.y.rows, options, Executor(1)); }), "interrupted");
  EXPECT_GE(calls, 4);
}

TEST(Evaluation, NeedsARowToTest) {
  const Sides sides = made(20, 10, 1.0);
  for (const Index rows : {-1, 10, 11})
    EXPECT_EQ(code_of([&] { evaluate_transfer(sides.x, sides.y, sides.y.rows, {.train_rows = rows}, Executor(1)); }),
              "transfer.train-rows");
}

}  // namespace
