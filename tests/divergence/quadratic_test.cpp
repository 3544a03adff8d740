// The sums over frequencies against the plain double sums.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "support/samples.hpp"

using namespace cda;
using cda::test::evaluate;
using cda::test::skewed_rows;

namespace {

double normal_density(double distance, double width) {
  return std::exp(-0.5 * distance * distance / (width * width)) / (std::sqrt(2.0 * std::numbers::pi) * width);
}
double density_slope(double distance, double width) {
  return -distance / (width * width) * normal_density(distance, width);
}

template <class Kernel>
double mean_over_pairs(const Vector& a, const Vector& b, const Kernel& kernel) {
  double total = 0.0;
  for (Index i = 0; i < a.size(); ++i)
    for (Index j = 0; j < b.size(); ++j) total += kernel(a[i] - b[j]);
  return total / static_cast<double>(a.size() * b.size());
}

double exact_sum(const Vector& x, const Vector& y, double sx, double sy) {
  const auto smoothed = [](double width) { return [width](double d) { return normal_density(d, width); }; };
  return mean_over_pairs(x, x, smoothed(std::numbers::sqrt2 * sx)) +
         mean_over_pairs(y, y, smoothed(std::numbers::sqrt2 * sy)) -
         2.0 * mean_over_pairs(x, y, smoothed(std::hypot(sx, sy)));
}

double paper_sum(const Vector& x, const Vector& y, double sx, double sy) {
  const auto kernel = [](double width) { return [width](double d) { return normal_density(d, width); }; };
  return mean_over_pairs(x, x, kernel(sx)) + mean_over_pairs(y, y, kernel(sy)) - mean_over_pairs(x, y, kernel(sx)) -
         mean_over_pairs(x, y, kernel(sy));
}

// d/dx_i of the exact integral with one bandwidth, as a double sum.
Vector exact_slopes(const Vector& x, const Vector& y, double s) {
  const double width = std::numbers::sqrt2 * s;
  const auto n = static_cast<double>(x.size()), k = static_cast<double>(y.size());
  Vector slopes = Vector::Zero(x.size());
  for (Index i = 0; i < x.size(); ++i) {
    for (Index j = 0; j < x.size(); ++j) slopes[i] += 2.0 / (n * n) * density_slope(x[i] - x[j], width);
    for (Index j = 0; j < y.size(); ++j) slopes[i] -= 2.0 / (n * k) * density_slope(x[i] - y[j], width);
  }
  return slopes;
}

// The gradient with respect to single values, seen through a sample whose rows are unit vectors.
Vector value_gradient(const Divergence& divergence, const Vector& x, const Vector& y) {
  const Sample of_x(Matrix::Identity(x.size(), x.size())), of_y(y);
  Projection px(of_x, x, Vector::Ones(1)), py(of_y, Matrix::Ones(1, 1), Vector::Ones(1));
  divergence.evaluate(px, py, true);
  return px.d_directions();
}

TEST(Quadratic, EqualsTheDoubleSumForBandwidthsFromAHundredthToTenTimesTheSpread) {
  const Vector x = skewed_rows(120, 3, "x").col(0), y = skewed_rows(90, 3, "y").col(1).array() + 0.2;
  const double spread = std::sqrt((x.array() - x.mean()).square().mean());
  for (const double factor : {0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0}) {
    const double s = factor * spread, peak = normal_density(0.0, s);
    const std::string bandwidth = "bandwidth=" + std::to_string(s);
    const double typed = std::stod(std::to_string(s));
    const auto exact = divergences().make("quadratic:" + bandwidth);
    const auto paper = divergences().make("quadratic:estimator=paper," + bandwidth);
    EXPECT_NEAR(evaluate(*exact, x, y), exact_sum(x, y, typed, typed), 1e-10 * peak) << factor;
    EXPECT_NEAR(evaluate(*paper, x, y), paper_sum(x, y, typed, typed), 1e-10 * peak) << factor;
    const Vector slopes = exact_slopes(x, y, typed);
    const double entry = peak / (120.0 * typed);
    EXPECT_LT((value_gradient(*exact, x, y) - slopes).cwiseAbs().maxCoeff(), 1e-10 * entry) << factor;
  }
}

TEST(Quadratic, EqualsTheDoubleSumWithTheBandwidthsOfThePaper) {
  const Matrix x = skewed_rows(100, 4, "x"), y = skewed_rows(80, 3, "y");
  const auto median_distance = [](const Matrix& rows) {
    std::vector<double> distances;
    for (Index i = 0; i < rows.rows(); ++i)
      for (Index j = 0; j < i; ++j) distances.push_back((rows.row(i) - rows.row(j)).norm());
    std::sort(distances.begin(), distances.end());
    return distances[distances.size() / 2];
  };
  const double scale = 1.2, sx = median_distance(x), sy = scale * median_distance(y);
  const Sample of_x(x), of_y(y);
  const Vector u = Vector::Constant(4, 0.5), v = Vector::Constant(3, 0.6);
  Projection px(of_x, u, Vector::Ones(1)), py(of_y, v, Vector::Constant(1, scale));
  EXPECT_NEAR(divergences().make("quadratic:estimator=paper,bandwidth=paper")->evaluate(px, py, false),
              paper_sum(x * u, scale * y * v, sx, sy), 1e-12);
  EXPECT_NEAR(divergences().make("quadratic:bandwidth=paper")->evaluate(px, py, false),
              exact_sum(x * u, scale * y * v, sx, sy), 1e-12);
}

TEST(Quadratic, PaperEstimateIsTheExactIntegralAtANarrowerBandwidth) {
  const Vector x = skewed_rows(60, 3, "x").col(0), y = skewed_rows(50, 3, "y").col(1);
  EXPECT_NEAR(evaluate(*divergences().make("quadratic:estimator=paper,bandwidth=0.5"), x, y),
              evaluate(*divergences().make("quadratic:bandwidth=0.35355339059327379"), x, y), 1e-13);
}

TEST(Quadratic, ApproachesTheIntegralOfTwoNormalDensities) {
  Random random(4, "normals");
  const Vector x = random.normals(20000, 1), y = random.normals(20000, 1).array() + 1.0;
  // Two normals of variance 1 + s^2 each, means one apart: 2 (N(0; w) - N(1; w)), w^2 = 2 (1 + s^2).
  const double s = 0.3, width = std::sqrt(2.0 * (1.0 + s * s));
  EXPECT_NEAR(evaluate(*divergences().make("quadratic:bandwidth=0.3"), x, y),
              2.0 * (normal_density(0.0, width) - normal_density(1.0, width)), 0.005);
}

TEST(Mmd, EqualsTheDoubleSumOverItsKernels) {
  const Vector x = skewed_rows(60, 3, "x").col(0), y = skewed_rows(50, 3, "y").col(1);
  const auto kernel = [](double d) {
    double sum = 0.0;
    for (const double s : {0.2, 0.4, 0.8}) sum += std::exp(-0.5 * d * d / (s * s)) / 3.0;
    return sum;
  };
  EXPECT_NEAR(evaluate(*divergences().make("mmd:bandwidth=0.4"), x, y),
              mean_over_pairs(x, x, kernel) + mean_over_pairs(y, y, kernel) - 2.0 * mean_over_pairs(x, y, kernel),
              1e-11);
}

TEST(Quadratic, RefusesABandwidthThatWouldNeedMillionsOfFrequencies) {
  const Vector x = (Vector(3) << 0.0, 1e-9, 1e9).finished();
  EXPECT_THROW(evaluate(*divergences().make("quadratic:bandwidth=1e-9"), x, x), Error);
}

}  // namespace
