#include "find/clouds/sinkhorn.hpp"

#include <algorithm>
#include <cmath>

namespace cda {
namespace {

// Factors beyond exp(20) are taken into the exponent.
constexpr float largest_logarithm = 20.0F;

// exp(scale * similarities - f - g).
void exponentiate(float scale, const FloatMatrix& similarities, const FloatVector& f, const FloatVector& g,
                  FloatMatrix& kernel) {
  for (Index j = 0; j < similarities.cols(); ++j)
    exponentials(scale, similarities.col(j).data(), f.data(), g[j], kernel.col(j).data(), similarities.rows());
}

float largest_factor(const FloatVector& factors) {
  return std::max(std::log(factors.maxCoeff()), -std::log(factors.minCoeff()));
}

}  // namespace

double deviation(const FloatMatrix& similarities, const FloatVector& x_mass, const FloatVector& y_mass) {
  double mean = 0.0, square = 0.0;
  for (Index j = 0; j < similarities.cols(); ++j) {
    const WeightedMoments column = weighted_moments(similarities.col(j).data(), x_mass.data(), similarities.rows());
    mean += static_cast<double>(y_mass[j]) * column.sum;
    square += static_cast<double>(y_mass[j]) * column.square;
  }
  return std::sqrt(std::max(0.0, square - mean * mean));
}

FloatVector Plan::row_sums() const {
  FloatVector sums = FloatVector::Zero(rows.size());
  for (Index j = 0; j < columns.size(); j += together)
    add_columns(kernel, j, std::min(together, columns.size() - j), columns.data() + j, sums);
  return rows.cwiseProduct(sums);
}

FloatVector Plan::column_sums() const {
  FloatVector sums(columns.size());
  for (Index j = 0; j < columns.size(); j += together)
    column_dots(kernel, j, std::min(together, columns.size() - j), rows, sums.data() + j);
  return columns.cwiseProduct(sums);
}

Matrix Plan::between(const FloatMatrix& x, const FloatMatrix& y) const {
  const FloatMatrix left = rows.asDiagonal() * x, right = columns.asDiagonal() * y;
  return (left.transpose() * product(kernel, right)).cast<double>();
}

FloatMatrix Plan::entries() const { return rows.asDiagonal() * kernel * columns.asDiagonal(); }

Plan sinkhorn(const FloatMatrix& similarities, const FloatVector& x_mass, const FloatVector& y_mass,
              const SinkhornOptions& options, const FloatVector& before) {
  const Index n = similarities.rows(), k = similarities.cols();
  const double unit = options.blur * deviation(similarities, x_mass, y_mass);
  const auto scale = static_cast<float>(unit > 0.0 ? 1.0 / unit : 1.0);
  // A balanced plan has power 1. Else a sum that is missed by a factor c costs reach * log c, and of the factor that
  // would mend it, in units of the mass, this power is taken.
  const bool balanced = !std::isfinite(options.reach);
  const auto power = static_cast<float>(balanced ? 1.0 : options.reach / (options.reach + options.blur));
  const auto relaxed = [power](float factor, float absorbed, float mass) {
    return std::exp(power * (std::log(factor) - absorbed) + (1.0F - power) * std::log(mass) + absorbed);
  };
  Plan plan;
  // The largest entry of every column becomes 1 and, where nothing is known of the plan, that of every row.
  FloatVector f = -before, g(k);
  if (before.size() == 0) {
    f = similarities.col(0);
    for (Index j = 1; j < k; ++j) raise_to(similarities.col(j).data(), f.data(), n);
    f *= scale;
  }
  for (Index j = 0; j < k; ++j) g[j] = largest_difference(scale, similarities.col(j).data(), f.data(), n);
  plan.kernel.resize(n, k);
  exponentiate(scale, similarities, f, g, plan.kernel);
  plan.rows = FloatVector::Ones(n);
  plan.columns = FloatVector::Ones(k);
  FloatVector sums(n);
  for (int turn = 0; turn < options.turns; ++turn) {
    sums.setZero();
    double wrong = 0.0;
    for (Index first = 0; first < k; first += together) {  // both sides in one pass over the kernel
      const Index count = std::min(together, k - first);
      float dots[together];
      column_dots(plan.kernel, first, count, plan.rows, dots);
      for (Index j = first; j < first + count; ++j) {
        const float sum = dots[j - first];
        wrong += std::abs(static_cast<double>(plan.columns[j] * sum - y_mass[j]));
        plan.columns[j] = y_mass[j] / sum;
        // What was taken into the exponent is part of the factor that the power is meant for.
        if (!balanced) plan.columns[j] = relaxed(plan.columns[j], g[j], y_mass[j]);
      }
      add_columns(plan.kernel, first, count, plan.columns.data() + first, sums);
    }
    plan.rows = x_mass.cwiseQuotient(sums);
    if (balanced && turn > 0 && wrong < options.tolerance) break;  // and this turn made it better still
    if (!balanced)
      for (Index i = 0; i < n; ++i) plan.rows[i] = relaxed(plan.rows[i], f[i], x_mass[i]);
    if (turn + 1 < options.turns &&
        (largest_factor(plan.rows) > largest_logarithm || largest_factor(plan.columns) > largest_logarithm)) {
      f.array() -= plan.rows.array().log();
      g.array() -= plan.columns.array().log();
      exponentiate(scale, similarities, f, g, plan.kernel);
      plan.rows.setOnes();
      plan.columns.setOnes();
    }
  }
  plan.logarithms = plan.rows.array().log() - f.array();
  return plan;
}

}  // namespace cda
