// The two rules against their definitions: ridge against normal equations solved another way, the support vector
// machine against the conditions its optimum has to meet, both against figures of scikit-learn 1.2.1.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "cda/error.hpp"
#include "cda/extend/random.hpp"
#include "cda/transfer.hpp"
#include "use/folds.hpp"

namespace {

using namespace cda;

constexpr double class_numbers[] = {0.0, 2.0, 5.0};

struct Data {
  Matrix rows;
  Vector numbers, classes;
};

// Columns of quite different size and offset; a target with noise; three classes of unequal size.
Data made(Index n, std::string_view name) {
  Random random(4, name);
  Data data{random.normals(n, 4), Vector(n), Vector(n)};
  data.rows.col(1) += 0.8 * data.rows.col(0);
  data.rows.col(2) = (40.0 * data.rows.col(2).array() + 1000.0).matrix().eval();
  data.numbers = 3.0 * data.rows.col(0) - 0.05 * data.rows.col(2) + random.normals(n, 1);
  for (Index i = 0; i < n; ++i) {
    const double value = data.rows(i, 1) + 0.3 * random.normal();
    data.classes[i] = value < -0.5 ? 0.0 : value < 0.9 ? 2.0 : 5.0;
  }
  return data;
}

Matrix standardised(const Matrix& rows) {
  const Matrix centred = rows.rowwise() - rows.colwise().mean();
  return centred.array().rowwise() / centred.colwise().norm().array() * std::sqrt(static_cast<double>(rows.rows()));
}

// [1 Z]'[1 Z] + n penalty diag(0, 1, ..., 1), solved whole.
Vector by_normal_equations(const Matrix& z, const Vector& y, double penalty) {
  Matrix wide(z.rows(), z.cols() + 1);
  wide << Vector::Ones(z.rows()), z;
  Matrix gram = wide.transpose() * wide;
  gram.diagonal().tail(z.cols()).array() += penalty * static_cast<double>(z.rows());
  return gram.ldlt().solve(wide.transpose() * y);
}

TEST(Ridge, SolvesTheNormalEquations) {
  const Data data = made(60, "ridge");
  const Matrix z = standardised(data.rows);
  Matrix wide(60, 5);
  wide << Vector::Ones(60), z;
  for (const double penalty : {1e-6, 0.1, 30.0}) {
    const RidgeRule rule = fit_ridge(data.rows, data.numbers, {.parameter = penalty});
    EXPECT_EQ(rule.penalty, penalty);
    const Vector expected = wide * by_normal_equations(z, data.numbers, penalty);
    EXPECT_LT((rule.predict(data.rows) - expected).cwiseAbs().maxCoeff(), 1e-9 * expected.cwiseAbs().maxCoeff());
  }
}

TEST(Ridge, ChoosesThePenaltyWithTheLowestErrorOnRowsLeftOut) {
  for (const Index n : {7, 40}) {
    for (const double noise : {0.0, 3.0, 60.0}) {
      Data data = made(n, "penalty");
      data.numbers += noise * Random(5, "noise").normals(n, 1);
      const Matrix z = standardised(data.rows);
      const std::vector<Index> fold_of = deal_folds(n, 5, 9);
      double best = 1e300, chosen = 0.0;
      for (double power = 2.0; power >= -6.0; power -= 1.0) {
        double error = 0.0;
        for (Index fold = 0; fold < 5; ++fold) {
          std::vector<Index> in, out;
          for (Index i = 0; i < n; ++i) (fold_of[static_cast<std::size_t>(i)] == fold ? in : out).push_back(i);
          const Vector rule = by_normal_equations(z(out, Eigen::all), data.numbers(out), std::pow(10.0, power));
          for (const Index i : in) error += std::pow(data.numbers[i] - rule[0] - z.row(i).dot(rule.tail(4)), 2);
        }
        if (error < best * (1.0 - 1e-12)) {
          best = error;
          chosen = std::pow(10.0, power);
        }
      }
      EXPECT_DOUBLE_EQ(fit_ridge(data.rows, data.numbers, {.seed = 9}).penalty, chosen) << n << " rows, " << noise;
    }
  }
}

TEST(Ridge, TakesOneRowConstantColumnsAndMoreColumnsThanRows) {
  const Data data = made(3, "few");
  EXPECT_DOUBLE_EQ(fit_ridge(data.rows.topRows(1), data.numbers.head(1)).predict(data.rows)[2], data.numbers[0]);
  Matrix constant = data.rows;
  constant.col(2).setConstant(7.0);
  const RidgeRule rule = fit_ridge(constant, data.numbers);
  EXPECT_EQ(rule.weights[2], 0.0);
  EXPECT_TRUE(rule.predict(constant).allFinite());
  EXPECT_DOUBLE_EQ(fit_ridge(Matrix(3, 0), data.numbers).intercept, data.numbers.mean());
}

TEST(Ridge, DoesNotLoseDigitsToATargetFarFromZero) {
  const Data data = made(50, "far");
  const Vector far = data.numbers.array() + 1e9;
  const Vector near_zero = fit_ridge(data.rows, data.numbers, {.parameter = 0.01}).predict(data.rows);
  const Vector shifted = fit_ridge(data.rows, far, {.parameter = 0.01}).predict(data.rows);
  EXPECT_LT((shifted - near_zero).array().abs().maxCoeff() - 1e9, 1e-5);  // doubles near 1e9 are 1e-7 apart
}

// The objective is strictly convex: its gradient is zero at the optimum and nowhere else.
TEST(LinearSvm, IsWhereTheGradientOfItsObjectiveIsZero) {
  const Data data = made(120, "svm");
  const Matrix z = standardised(data.rows);
  for (const double cost : {1.0, 100.0, 10000.0}) {
    const SvmRule rule = fit_linear_svm(data.rows, data.classes, {.parameter = cost});
    ASSERT_EQ(rule.classes, (std::vector<double>{0.0, 2.0, 5.0}));
    const Vector sd = (data.rows.rowwise() - data.rows.colwise().mean()).colwise().norm() / std::sqrt(120.0);
    for (Index c = 0; c < 3; ++c) {
      const Vector w = rule.weights.col(c).cwiseProduct(sd);
      const double b = rule.intercepts[c] + rule.weights.col(c).dot(data.rows.colwise().mean().transpose());
      Vector gradient(5);
      gradient << w, b;
      double size = gradient.norm();
      for (Index i = 0; i < 120; ++i) {
        const double sign = data.classes[i] == rule.classes[static_cast<std::size_t>(c)] ? 1.0 : -1.0;
        const double slack = std::max(0.0, 1.0 - sign * (b + z.row(i).dot(w)));
        const double pull = 2.0 * cost / 120.0 * slack * sign;
        gradient.head(4) -= pull * z.row(i).transpose();
        gradient[4] -= pull;
        size += std::abs(pull);
      }
      EXPECT_LT(gradient.norm(), 1e-4 * size) << cost;  // liblinear stops at 1e-6 of the gradient at zero
    }
  }
}

TEST(LinearSvm, TwoClassesAreTwoSidesOfOneRule) {
  Data data = made(80, "two");
  data.classes = (data.classes.array() > 1.0).select(Vector::Constant(80, 3.0), Vector::Constant(80, 1.0));
  const SvmRule rule = fit_linear_svm(data.rows, data.classes);
  EXPECT_EQ(rule.weights.col(0), -rule.weights.col(1));
  const SvmRule turned =
      fit_linear_svm(data.rows.colwise().reverse(), data.classes.reverse(), {.parameter = rule.cost});
  EXPECT_LT((turned.weights - rule.weights).norm(), 1e-4 * rule.weights.norm());  // whichever class comes first
  EXPECT_LT(classification_error(rule.predict(data.rows), data.classes).mean, 0.15);
}

// Newton's method on the objective itself, for rows with a 1 at the end; halved where a step is too long.
Vector by_newton(const Matrix& wide, const Vector& signs, double cost) {
  const double c = cost / static_cast<double>(wide.rows());
  const auto slack = [&](const Vector& w) -> Vector {
    return (1.0 - signs.array() * (wide * w).array()).cwiseMax(0.0);
  };
  const auto value = [&](const Vector& w) { return 0.5 * w.squaredNorm() + c * slack(w).squaredNorm(); };
  Vector w = Vector::Zero(wide.cols());
  for (int step = 0; step < 100; ++step) {
    const Vector left = slack(w);
    const Vector gradient = w - 2.0 * c * wide.transpose() * left.cwiseProduct(signs);
    const Vector active = (left.array() > 0.0).cast<double>();
    const Matrix hessian =
        Matrix::Identity(w.size(), w.size()) + 2.0 * c * wide.transpose() * active.asDiagonal() * wide;
    Vector change = hessian.ldlt().solve(gradient);
    while (value(w - change) > value(w) && change.norm() > 1e-12) change *= 0.5;
    w -= change;
  }
  return w;
}

TEST(LinearSvm, ChoosesTheCostWithTheFewestErrorsOnRowsLeftOut) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    const Data data = made(40, "cost");
    Matrix wide(40, 5);
    wide << standardised(data.rows), Vector::Ones(40);
    const std::vector<Index> fold_of = deal_folds(40, 4, seed, &data.classes);
    Index fewest = 41;
    double chosen = 0.0;
    for (const double cost : {1.0, 10.0, 100.0, 1000.0, 10000.0}) {
      Index wrong = 0;
      for (Index fold = 0; fold < 4; ++fold) {
        std::vector<Index> in, out;
        for (Index i = 0; i < 40; ++i) (fold_of[static_cast<std::size_t>(i)] == fold ? in : out).push_back(i);
        Matrix values(static_cast<Index>(in.size()), 3);
        for (Index c = 0; c < 3; ++c) {
          const Vector signs = 2.0 * (data.classes(out).array() == class_numbers[c]).cast<double>() - 1.0;
          values.col(c) = wide(in, Eigen::all) * by_newton(wide(out, Eigen::all), signs, cost);
        }
        for (std::size_t i = 0; i < in.size(); ++i) {
          Index best = 0;
          values.row(static_cast<Index>(i)).maxCoeff(&best);
          wrong += class_numbers[best] != data.classes[in[i]] ? 1 : 0;
        }
      }
      if (wrong < fewest) {
        fewest = wrong;
        chosen = cost;
      }
    }
    EXPECT_EQ(fit_linear_svm(data.rows, data.classes, {.folds = 4, .seed = seed}).cost, chosen) << seed;
  }
}

// LinearSVC(C=100/30, dual=False, tol=1e-12) and Ridge(alpha=.5 * 30) of scikit-learn 1.2.1 on the columns in units of
// their standard deviation, turned back.
TEST(Rules, AreThoseOfScikitLearn) {
  Matrix rows(30, 2);
  Vector classes(30), numbers(30);
  for (Index i = 0; i < 30; ++i) {
    const auto t = static_cast<double>(i);
    rows.row(i) << std::sin(t), 3.0 * std::cos(2.0 * t) + 5.0;
    classes[i] = (std::sin(t) + 0.5 * std::cos(5.0 * t) > 0.2 ? 1.0 : 0.0) + (std::cos(2.0 * t) > 0.5 ? 1.0 : 0.0);
    numbers[i] = 2.0 * std::sin(t) - std::cos(3.0 * t);
  }
  const SvmRule svm = fit_linear_svm(rows, classes, {.parameter = 100.0});
  Matrix weights(2, 3);
  weights << -2.77108878, 1.20799308, 0.52348691, -0.61354992, 0.03780325, 0.43992351;
  EXPECT_LT((svm.weights - weights).cwiseAbs().maxCoeff(), 1e-4);
  EXPECT_LT((svm.intercepts - Eigen::Vector3d(3.07293967, -0.21001639, -3.59410033)).cwiseAbs().maxCoeff(), 1e-4);
  const RidgeRule ridge = fit_ridge(rows, numbers, {.parameter = 0.5});
  EXPECT_NEAR(ridge.weights[0], 1.35926979, 1e-8);
  EXPECT_NEAR(ridge.weights[1], -0.00904067, 1e-8);
  EXPECT_NEAR(ridge.intercept, 0.04788951670843247, 1e-12);
}

TEST(LinearSvm, TakesOneClassAndOneRow) {
  const Data data = made(5, "one");
  const SvmRule rule = fit_linear_svm(data.rows, Vector::Constant(5, 7.0));
  EXPECT_EQ(rule.predict(data.rows), Vector::Constant(5, 7.0));
  EXPECT_EQ(fit_linear_svm(data.rows.topRows(1), data.classes.head(1)).predict(data.rows)[4], data.classes[0]);
}

TEST(Rules, RefuseRowsThatAreNotComplete) {
  Data data = made(5, "gaps");
  EXPECT_THROW(fit_ridge(data.rows, data.numbers.head(4)), Error);
  EXPECT_THROW(fit_ridge(data.rows, data.numbers, {.folds = 1}), Error);
  EXPECT_THROW(fit_ridge(data.rows, data.numbers, {.parameter = 0.0}), Error);
  data.rows(2, 1) = std::nan("");
  EXPECT_THROW(fit_ridge(data.rows, data.numbers), Error);
  EXPECT_THROW(fit_linear_svm(data.rows, data.classes), Error);
}

TEST(Folds, HoldAsMuchOfEachClassAsPossible) {
  Vector labels(23);
  for (Index i = 0; i < 23; ++i) labels[i] = i % 4 == 0 ? 1.0 : 0.0;  // 6 and 17
  const std::vector<Index> fold_of = deal_folds(23, 5, 1, &labels);
  for (Index fold = 0; fold < 5; ++fold) {
    Index rare = 0, all = 0;
    for (Index i = 0; i < 23; ++i)
      if (fold_of[static_cast<std::size_t>(i)] == fold) {
        ++all;
        rare += labels[i] == 1.0 ? 1 : 0;
      }
    EXPECT_TRUE(all == 4 || all == 5);
    EXPECT_TRUE(rare == 1 || rare == 2);
  }
  EXPECT_NE(fold_of, deal_folds(23, 5, 2, &labels));
}

}  // namespace
