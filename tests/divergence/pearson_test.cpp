#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "divergence/density_ratio.hpp"
#include "support/samples.hpp"

using namespace cda;
using cda::test::evaluate;
using cda::test::skewed_rows;

namespace {

const Executor& serial() {
  static const Executor executor(1);
  return executor;
}

// PE at a = 1/2 of N(0,1) against N(1,1), N(0,4) and N(2,1/4), by quadrature: .102027, .079991, .370771.
TEST(Pearson, ApproachesTheDivergenceOfNormals) {
  Random random(3, "normals");
  const Vector p = random.normals(3000, 1);
  const Vector shifted = random.normals(3000, 1).array() + 1.0, wide = 2.0 * random.normals(3000, 1),
               narrow = 0.5 * random.normals(3000, 1).array() + 2.0;
  const auto divergence = divergences().make("pearson");
  EXPECT_NEAR(evaluate(*divergence, p, shifted), 0.102027, 0.015);
  EXPECT_NEAR(evaluate(*divergence, p, wide), 0.079991, 0.015);
  EXPECT_NEAR(evaluate(*divergence, p, narrow), 0.370771, 0.03);
}

// N(0,1) against N(1,1) with n = 2000, sigma = 1, lambda = .01: J .1024 (sd .007), J2 .1004.
TEST(Pearson, ReproducesTheReferenceFiguresAtAFixedModel) {
  Random random(8, "reference");
  const Matrix p = random.normals(2000, 1), q = random.normals(2000, 1).array() + 1.0;
  const Samples of_p{&p, &serial(), 1.0}, of_q{&q, &serial(), 1.0};
  RatioModel model;
  model.sigma = 1.0;
  model.lambda = 0.01;
  model.constant_basis = false;
  for (Index i = 0; i < 200; ++i) model.centres.push_back(i);
  model.paper_estimate = true;
  EXPECT_NEAR(relative_pearson(of_p, of_q, model, nullptr, nullptr), 0.1024, 0.02);
  model.paper_estimate = false;
  EXPECT_NEAR(relative_pearson(of_p, of_q, model, nullptr, nullptr), 0.1004, 0.02);
}

// The formulas written out with full matrices.
TEST(Pearson, EqualsTheTextbookEstimator) {
  const Matrix p = skewed_rows(60, 2, "p"), q = skewed_rows(40, 2, "q");
  RatioModel model;
  model.sigma = 0.7;
  model.lambda = 0.05;
  model.constant_basis = false;
  model.paper_estimate = true;
  for (Index i = 0; i < 20; ++i) model.centres.push_back(3 * i);
  const auto basis = [&](const Matrix& z) {
    Matrix phi(z.rows(), 20);
    for (Index i = 0; i < z.rows(); ++i)
      for (Index c = 0; c < 20; ++c) phi(i, c) = std::exp(-(z.row(i) - p.row(3 * c)).squaredNorm() / (2.0 * 0.49));
    return phi;
  };
  const Matrix of_p = basis(p), of_q = basis(q);
  const Matrix h = of_p.transpose() * of_p / 120.0 + of_q.transpose() * of_q / 80.0 + 0.05 * Matrix::Identity(20, 20);
  const Vector theta = h.ldlt().solve(of_p.colwise().mean().transpose());
  const double expected =
      -(of_p * theta).squaredNorm() / 240.0 - (of_q * theta).squaredNorm() / 160.0 + (of_p * theta).mean() - 0.5;
  EXPECT_NEAR(relative_pearson({&p, &serial(), 1.0}, {&q, &serial(), 1.0}, model, nullptr, nullptr), expected, 1e-9);
}

TEST(Pearson, PolynomialsGiveWhatTheKernelMatrixGives) {
  const Matrix p = skewed_rows(400, 2, "p").col(0), q = skewed_rows(300, 2, "q").col(1);
  const Samples of_p{&p, &serial(), 1.0}, of_q{&q, &serial(), 1.0};
  for (const double sigma : {0.08, 0.2, 0.5, 2.0, 20.0})
    for (const bool paper : {false, true})
      for (const bool constant : {false, true}) {
        RatioModel model;
        model.sigma = sigma;
        model.lambda = 0.01;
        model.constant_basis = constant;
        model.paper_estimate = paper;
        for (Index i = 0; i < 150; ++i) model.centres.push_back(2 * i);
        RatioGradient plain, fast;
        const double expected = relative_pearson(of_p, of_q, model, nullptr, &plain, false);
        EXPECT_NEAR(relative_pearson(of_p, of_q, model, nullptr, &fast, true), expected, 1e-9);
        const double size = std::max(plain.p.cwiseAbs().maxCoeff(), 1e-3);
        EXPECT_LT((fast.p - plain.p).cwiseAbs().maxCoeff(), 1e-7 * size) << sigma;
        EXPECT_LT((fast.q - plain.q).cwiseAbs().maxCoeff(), 1e-7 * size) << sigma;
        EXPECT_NEAR(fast.sigma, plain.sigma, 1e-7 * std::max(1.0, std::abs(plain.sigma))) << sigma;
      }
}

// Both ways share the passes over the rows; the result is the sum of the two.
TEST(Pearson, BothWaysAreTheSumOfEachWay) {
  const Matrix p = skewed_rows(500, 2, "p").col(0), q = skewed_rows(400, 2, "q").col(1);
  const Samples of_p{&p, &serial(), 1.0}, of_q{&q, &serial(), 1.0};
  RatioModel forward, backward;
  forward.sigma = 0.4;
  backward.sigma = 0.7;
  for (Index i = 0; i < 120; ++i) {
    forward.centres.push_back(3 * i);
    backward.centres.push_back(2 * i);
  }
  for (const bool polynomials : {false, true}) {
    RatioGradient there, back, both;
    const double expected = relative_pearson(of_p, of_q, forward, nullptr, &there, polynomials) +
                            relative_pearson(of_q, of_p, backward, nullptr, &back, polynomials);
    EXPECT_NEAR(relative_pearson(of_p, of_q, forward, &backward, &both, polynomials), expected, 1e-12);
    EXPECT_LT((both.p - there.p - back.q).cwiseAbs().maxCoeff(), 1e-12);
    EXPECT_LT((both.q - there.q - back.p).cwiseAbs().maxCoeff(), 1e-12);
    EXPECT_NEAR(both.sigma, there.sigma, 1e-12);
    EXPECT_NEAR(both.backward_sigma, back.sigma, 1e-12);
  }
}

TEST(Pearson, IsNeverNegativeWithItsConstant) {
  Random random(6, "same");
  const auto divergence = divergences().make("pearson");
  for (int i = 0; i < 5; ++i) EXPECT_GE(evaluate(*divergence, random.normals(200, 1), random.normals(150, 1)), -1e-9);
}

TEST(Pearson, StaysBelowOneHalf) {
  Random random(6, "far");
  const Vector p = random.normals(300, 1), q = random.normals(300, 1).array() + 50.0;
  const double value = evaluate(*divergences().make("pearson"), p, q);
  EXPECT_GT(value, 0.4);
  EXPECT_LE(value, 0.5 + 1e-9);
}

TEST(Pearson, CrossValidationPrefersStrongRegularisationOnEqualDistributions) {
  Random random(7, "cv");
  const Matrix p = random.normals(400, 1), same = random.normals(400, 1), other = random.normals(400, 1).array() + 2.0;
  std::vector<Index> rows(400);
  for (Index i = 0; i < 400; ++i) rows[static_cast<std::size_t>(i)] = i;
  RatioModel model;
  model.sigma = 0.5;
  for (Index i = 0; i < 100; ++i) model.centres.push_back(i);
  const auto samples = [](const Matrix& values) { return Samples{&values, &serial(), 1.0}; };
  EXPECT_GT(cross_validated_lambda(samples(p), rows, samples(same), rows, model),
            cross_validated_lambda(samples(p), rows, samples(other), rows, model));
}

}  // namespace
