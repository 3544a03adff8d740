#include "coupling/sinkhorn.hpp"

#include <algorithm>
#include <cmath>

namespace cda {
namespace {

// Below exp(-80) an entry is as good as none, and single precision still has it as an ordinary number.
constexpr float smallest_exponent = -80.0F;
// Factors beyond exp(20) are taken into the exponent.
constexpr float largest_logarithm = 20.0F;

double deviation(const FloatMatrix& entries, const FloatVector& x_mass, const FloatVector& y_mass) {
  double mean = 0.0, square = 0.0;
  for (Index j = 0; j < entries.cols(); ++j) {
    mean += y_mass[j] * static_cast<double>(entries.col(j).dot(x_mass));
    square += y_mass[j] * static_cast<double>((entries.col(j).array().square() * x_mass.array()).sum());
  }
  return std::sqrt(std::max(0.0, square - mean * mean));
}

// exp(exponents - f - g), and never so small that it is no ordinary number.
void exponentiate(const FloatMatrix& exponents, const FloatVector& f, const FloatVector& g, FloatMatrix& kernel) {
  for (Index j = 0; j < exponents.cols(); ++j)
    kernel.col(j) = (exponents.col(j).array() - f.array() - g[j]).max(smallest_exponent).exp();
}

float largest_factor(const FloatVector& factors) {
  return std::max(std::log(factors.maxCoeff()), -std::log(factors.minCoeff()));
}

}  // namespace

FloatVector Plan::row_sums() const { return rows.cwiseProduct(kernel * columns); }

FloatVector Plan::column_sums() const { return columns.cwiseProduct(kernel.transpose() * rows); }

double Plan::mass() const { return column_sums().cast<double>().sum(); }

Matrix Plan::between(const FloatMatrix& x, const FloatMatrix& y) const {
  const FloatMatrix left = rows.asDiagonal() * x, right = columns.asDiagonal() * y;
  return (left.transpose() * (kernel * right)).cast<double>();
}

FloatMatrix Plan::entries() const { return rows.asDiagonal() * kernel * columns.asDiagonal(); }

Plan sinkhorn(FloatMatrix similarities, const FloatVector& x_mass, const FloatVector& y_mass,
              const SinkhornOptions& options) {
  const Index n = similarities.rows(), k = similarities.cols();
  const double unit = options.blur * deviation(similarities, x_mass, y_mass);
  if (unit > 0.0) similarities *= static_cast<float>(1.0 / unit);
  // A balanced plan has power 1. Else a sum that is missed by a factor c costs reach * log c, and c^power remains.
  const bool balanced = !std::isfinite(options.reach);
  const auto power = static_cast<float>(balanced ? 1.0 : options.reach / (options.reach + options.blur));
  Plan plan;
  // The largest entry of every row and of every column becomes 1.
  FloatVector f = similarities.rowwise().maxCoeff(), g(k);
  for (Index j = 0; j < k; ++j) g[j] = (similarities.col(j) - f).maxCoeff();
  plan.kernel.resize(n, k);
  exponentiate(similarities, f, g, plan.kernel);
  plan.rows = FloatVector::Ones(n);
  plan.columns = FloatVector::Ones(k);
  FloatVector sums(n);
  for (int turn = 0; turn < options.turns; ++turn) {
    sums.setZero();
    double wrong = 0.0;
    for (Index j = 0; j < k; ++j) {  // both sides in one pass over the kernel
      const auto column = plan.kernel.col(j);
      const float sum = column.dot(plan.rows);
      wrong += std::abs(static_cast<double>(plan.columns[j] * sum - y_mass[j]));
      float factor = y_mass[j] / sum;
      // What was taken into the exponent is part of the factor that the power is meant for.
      if (!balanced) factor = std::exp(power * (std::log(factor) - g[j]) + g[j]);
      plan.columns[j] = factor;
      sums.noalias() += factor * column;
    }
    plan.rows = x_mass.cwiseQuotient(sums);
    if (balanced && turn > 0 && wrong < options.tolerance) break;  // and this turn made it better still
    if (!balanced) plan.rows = (power * (plan.rows.array().log() - f.array()) + f.array()).exp();
    if (turn + 1 < options.turns &&
        (largest_factor(plan.rows) > largest_logarithm || largest_factor(plan.columns) > largest_logarithm)) {
      f.array() -= plan.rows.array().log();
      g.array() -= plan.columns.array().log();
      exponentiate(similarities, f, g, plan.kernel);
      plan.rows.setOnes();
      plan.columns.setOnes();
    }
  }
  return plan;
}

}  // namespace cda
