// Ridge regression. With unit columns Z and products of each fold apart,
//
//   G_f = [1 Z]'[1 Z],  h_f = [1 Z]'y,  q_f = y'y   over the rows of fold f
//
// the products of the rows outside a fold are a difference, and so is the squared error on the fold: the rows are gone
// through once, O(n m^2), and each fold costs one decomposition, O(m^3), for all penalties together.
#include <array>
#include <cmath>
#include <limits>

#include "base/linear_algebra.hpp"
#include "use/folds.hpp"

namespace cda {
namespace {

constexpr std::array<double, 9> penalties = {1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1.0, 10.0, 100.0};

// Sums of products of rows with a 1 in front, and of their targets.
struct Products {
  Matrix gram;   // 1 + m, both ways
  Vector cross;  // 1 + m
  double squared = 0.0;

  explicit Products(Index columns) : gram(Matrix::Zero(columns + 1, columns + 1)), cross(Vector::Zero(columns + 1)) {}

  void add(const Matrix& rows, const Vector& targets) {
    Matrix wide(rows.rows(), rows.cols() + 1);
    wide << Vector::Ones(rows.rows()), rows;
    gram += wide.transpose() * wide;
    cross += wide.transpose() * targets;
    squared += targets.squaredNorm();
  }
  Products less(const Products& part) const {
    Products rest = *this;
    rest.gram -= part.gram;
    rest.cross -= part.cross;
    rest.squared -= part.squared;
    return rest;
  }
  double rows() const { return gram(0, 0); }
  // Of a rule (intercept, weights) on the rows that were added.
  double squared_error(const Vector& rule) const {
    return std::max(0.0, squared - 2.0 * rule.dot(cross) + rule.dot(gram * rule));
  }
};

// The rule (intercept, weights) of least squares with any penalty.
class Solver {
 public:
  explicit Solver(const Products& products)
      : means_(products.cross.size() > 1
                   ? Vector(products.gram.col(0).tail(products.cross.size() - 1) / products.rows())
                   : Vector(0)),
        target_mean_(products.cross[0] / products.rows()) {
    const Index m = means_.size();
    const Matrix covariance = products.gram.bottomRightCorner(m, m) / products.rows() - means_ * means_.transpose();
    axes_ = m > 0 ? principal_axes(covariance) : Axes{Vector(0), Matrix(0, 0)};
    turned_ = axes_.vectors.transpose() * (products.cross.tail(m) / products.rows() - target_mean_ * means_);
  }

  Vector rule(double penalty) const {
    Vector rule(means_.size() + 1);
    rule.tail(means_.size()) = axes_.vectors * (turned_.array() / (axes_.values.array().max(0.0) + penalty)).matrix();
    rule[0] = target_mean_ - rule.tail(means_.size()).dot(means_);
    return rule;
  }

 private:
  Vector means_;
  double target_mean_;
  Axes axes_;
  Vector turned_;  // covariances with the target, along the axes
};

double chosen_penalty(const std::vector<Products>& folds, const Products& all) {
  std::array<double, penalties.size()> errors{};
  for (const Products& fold : folds) {
    const Solver solver(all.less(fold));
    for (std::size_t i = 0; i < penalties.size(); ++i) errors[i] += fold.squared_error(solver.rule(penalties[i]));
  }
  std::size_t best = penalties.size() - 1;
  const double rounding = 1e-12 * all.squared;
  for (std::size_t i = penalties.size(); i-- > 0;)
    if (errors[i] < errors[best] - rounding) best = i;
  return penalties[best];
}

}  // namespace

RidgeRule fit_ridge(const Matrix& rows, const Vector& targets, const LearningOptions& options) {
  check_training_rows(rows, targets, options);
  const UnitColumns units(rows);
  const Matrix unit_rows = units.apply(rows);
  const double offset = targets.mean();  // products lose no digits to a target far from zero
  const Vector centred = targets.array() - offset;
  const Index n = rows.rows(), count = std::min(options.folds, n);
  Products all(rows.cols());
  double penalty = options.parameter.value_or(penalties.back());
  if (options.parameter || n < 2) {
    all.add(unit_rows, centred);
  } else {
    const std::vector<Index> fold_of = deal_folds(n, count, options.seed);
    std::vector<Products> folds;
    for (Index f = 0; f < count; ++f) {
      std::vector<Index> members;
      for (Index i = 0; i < n; ++i)
        if (fold_of[static_cast<std::size_t>(i)] == f) members.push_back(i);
      folds.emplace_back(rows.cols()).add(unit_rows(members, Eigen::all), centred(members));
      all.gram += folds.back().gram;
      all.cross += folds.back().cross;
      all.squared += folds.back().squared;
    }
    penalty = chosen_penalty(folds, all);
  }
  const Vector rule = Solver(all).rule(penalty);
  const Vector unit_weights = rule.tail(rows.cols());
  return {units.weights(unit_weights), units.intercept(unit_weights, rule[0] + offset), penalty};
}

Vector RidgeRule::predict(const Matrix& rows) const { return (rows * weights).array() + intercept; }

}  // namespace cda
