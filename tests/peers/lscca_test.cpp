#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "cda/error.hpp"
#include "cda/extend/random.hpp"
#include "cda/synthetic.hpp"
#include "peers/cca.hpp"
#include "peers/squared_loss_information.hpp"
#include "peers/support.hpp"

namespace cda {
namespace {

// By numpy, with H as the plain sum over all pairs of rows.
TEST(SquaredLossInformation, EqualsThePlainSumOverAllPairsOfRows) {
  Matrix x(9, 2), y(9, 1);
  for (Index row = 0; row < 9; ++row) {
    const double i = static_cast<double>(row) + 1.0;
    x.row(row) << std::sin(i), std::sin(2.0 * i);
    y(row, 0) = std::cos(1.3 * i) + std::sin(i);
  }
  InformationModel model{{0, 3, 4, 7}, 0.8, 0.05, true};
  EXPECT_NEAR(squared_loss_information(x, y, model), 0.03503507830470709, 1e-10);  // the jitter on the diagonal
  model.constant_basis = false;
  EXPECT_NEAR(squared_loss_information(x, y, model), 0.05565920924634582, 1e-10);
}

TEST(SquaredLossInformation, HasTheGradientOfItsValueWithCentresThatMove) {
  Random random(1, "gradient");
  // More rows than one block holds, and one chunk of rows does.
  for (const Index n : {40, 300, 4200})
    for (const bool constant : {true, false}) {
      Matrix x = random.normals(n, 2), y = random.normals(n, 3);
      y.col(0) += x.col(0).array().square().matrix();
      InformationModel model{{}, 1.2, 0.03, constant};
      for (Index c = 0; c < 15; ++c) model.centres.push_back(2 * c);
      InformationGradient gradient;
      const double value = squared_loss_information(x, y, model, &gradient);
      EXPECT_EQ(value, squared_loss_information(x, y, model));
      const double largest = std::max(gradient.x.cwiseAbs().maxCoeff(), gradient.y.cwiseAbs().maxCoeff());
      const double step = 1e-5;
      const auto slope = [&](double& entry) {
        const double middle = entry;
        entry = middle + step;
        const double above = squared_loss_information(x, y, model);
        entry = middle - step;
        const double below = squared_loss_information(x, y, model);
        entry = middle;
        return (above - below) / (2.0 * step);
      };
      for (const Index row : {Index{0}, Index{1}, Index{28}, n - 1}) {  // centres and others
        // The step squared, and rounding of the value over the step, relative to entries of the size 1 / n.
        const double tolerance = 1e-6 * largest + 1e-15 / step;
        EXPECT_NEAR(slope(x(row, 1)), gradient.x(row, 1), tolerance) << n << ' ' << row;
        EXPECT_NEAR(slope(y(row, 0)), gradient.y(row, 0), tolerance) << n << ' ' << row;
      }
    }
}

struct Estimate {
  double value, held_out;
};

Estimate estimated(const Matrix& x, const Matrix& y) {
  InformationModel model;
  for (Index i = 0; i < std::min<Index>(200, x.rows()); ++i) model.centres.push_back(i);
  std::vector<Index> order(static_cast<std::size_t>(x.rows()));
  std::iota(order.begin(), order.end(), Index{0});
  const double median = median_joint_distance(x, y, model.centres);
  const InformationGrid grid{{0.3 * median, 0.5 * median, median}, {1e-4, 1e-3, 1e-2, 0.1}};
  const InformationChoice choice = cross_validated(x, y, model, grid, order);
  model.sigma = grid.sigmas[choice.sigma];
  model.lambda = grid.lambdas[choice.lambda];
  return {squared_loss_information(x, y, model), choice.held_out};
}

// For a normal pair with correlation r it is r^2 / (2 (1 - r^2)): 1/2 (int p^2 / (p_x p_y) - 1), checked by quadrature.
TEST(SquaredLossInformation, ComesCloseToTheClosedFormOfANormalPair) {
  for (const double r : {0.0, 0.5, 0.7}) {
    double mean = 0.0, held_out = 0.0;
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
      Random random(seed, "normal pair");
      const Matrix x = random.normals(1000, 1), noise = random.normals(1000, 1);
      const Estimate estimate = estimated(x, r * x + std::sqrt(1.0 - r * r) * noise);
      mean += estimate.value / 4.0;
      held_out += estimate.held_out / 4.0;
    }
    const double truth = r * r / (2.0 * (1.0 - r * r));
    // Low rather than high: most of it lies far out, where the ratio is large and rows are few.
    EXPECT_NEAR(mean, truth, 0.01 + 0.3 * truth) << r;
    EXPECT_NEAR(held_out, truth, 0.01 + 0.35 * truth) << r;
  }
}

TEST(SquaredLossInformation, SeesRelationsWithoutCorrelation) {
  Random random(3, "circle");
  const Matrix x = random.normals(500, 1);
  const Matrix y = x.array().square() + 0.3 * random.normals(500, 1).array();
  EXPECT_GT(estimated(x, y).held_out, 0.3);
  EXPECT_LT(estimated(x, random.normals(500, 1)).held_out, 0.02);
}

TEST(SquaredLossInformation, IsTheSameOnAnyNumberOfThreads) {
  const Matrix x = Random(4).normals(9000, 2), y = Random(5).normals(9000, 2);
  InformationModel model{{1, 5, 9, 4000, 8999}, 1.0, 0.1, true};
  InformationGradient one, more;
  const double value = squared_loss_information(x, y, model, &one);
  EXPECT_EQ(value, squared_loss_information(x, y, model, &more, Executor(3)));
  EXPECT_EQ(one.x, more.x);
  EXPECT_EQ(one.y, more.y);
}

TEST(SquaredLossInformation, TakesRowsThatAreAllEqual) {
  const Matrix x = Matrix::Ones(20, 2), y = Matrix::Constant(20, 1, 3.0);
  EXPECT_EQ(median_joint_distance(x, y, {0, 1, 2, 3}), 1.0);
  EXPECT_NEAR(squared_loss_information(x, y, {{0, 1, 2}, 1.0, 0.1, true}), 0.0, 1e-9);
}

TEST(Lscca, FindsARelationThatCcaCannotSee) {
  Random random(6, "square");
  const Matrix x = random.normals(400, 4);
  Matrix y = random.normals(400, 3);
  y.col(1) = (x.col(2) + x.col(3)).array().square() / 2.0 + 0.3 * y.col(1).array();
  const Matrix prepared = test::standardised(y), rows = test::standardised(x);
  const Executor executor(1);
  const BaselineMaps maps =
      baselines().make("lscca:starts=6,centres=80")->fit(test::task_of(rows, prepared, 1, executor));
  Matrix truth_x(4, 1), truth_y(3, 1);
  truth_x << 0, 0, 1, 1;
  truth_y << 0, 1, 0;
  EXPECT_LT(test::subspace_error(maps.directions.x, truth_x), 0.15);
  EXPECT_LT(test::subspace_error(maps.directions.y, truth_y), 0.15);
  EXPECT_TRUE(maps.converged) << maps.stopped;
  EXPECT_GT(maps.figures[0], 0.2);
  EXPECT_GT(test::subspace_error(canonical_pairs(rows, prepared, 1, 1e-8).x, truth_x), 0.3);
}

TEST(Lscca, ComesCloserToTheNonlinearRelationsThanCca) {
  const SyntheticPair pair = synthesise({.kind = "nonlinear", .n = 500, .k = 500, .shuffle = false, .seed = 1});
  const Matrix x = test::standardised(pair.x.values), y = test::standardised(pair.y.values);
  const Executor executor(2);
  const BaselineMaps maps =
      baselines().make("lscca:starts=3,centres=100,refined=1")->fit(test::task_of(x, y, 4, executor));
  const CanonicalPairs linear = canonical_pairs(x, y, 4, 1e-8);
  EXPECT_LT(test::subspace_error(maps.directions.x, pair.truth.x_directions),
            0.6 * test::subspace_error(linear.x, pair.truth.x_directions));
  EXPECT_LT(test::subspace_error(maps.directions.y, pair.truth.y_directions),
            0.6 * test::subspace_error(linear.y, pair.truth.y_directions));
  const Matrix unit = Matrix::Identity(4, 4);
  EXPECT_LT((maps.directions.x.transpose() * maps.directions.x - unit).norm(), 1e-10);
  EXPECT_LT((maps.directions.y.transpose() * maps.directions.y - unit).norm(), 1e-10);
}

TEST(Lscca, GivesTheSameBitsOnAnyNumberOfThreads) {
  Random random(7, "threads");
  const Matrix x = random.normals(150, 3), y = x.leftCols(2).array().square() + random.normals(150, 2).array();
  const char* spec = "lscca:starts=3,centres=40";
  const BaselineMaps one = baselines().make(spec)->fit(test::task_of(x, y, 2, Executor(1)));
  for (const int threads : {2, 3}) {
    const BaselineMaps more = baselines().make(spec)->fit(test::task_of(x, y, 2, Executor(threads)));
    EXPECT_EQ(one.directions.x, more.directions.x);
    EXPECT_EQ(one.directions.y, more.directions.y);
    EXPECT_EQ(one.figures, more.figures);
    EXPECT_EQ(one.stopped, more.stopped);
  }
}

TEST(Lscca, TakesSmallAndWideTables) {
  const Executor executor(1);
  for (const auto& [n, p, q] : {std::array<Index, 3>{6, 3, 2}, {12, 30, 20}, {3, 2, 2}}) {
    const Matrix x = Random(8).normals(n, p), y = Random(9).normals(n, q);
    const BaselineMaps maps = baselines().make("lscca:starts=2")->fit(test::task_of(x, y, 2, executor));
    EXPECT_TRUE(maps.directions.x.allFinite() && maps.directions.y.allFinite()) << n;
    EXPECT_TRUE(maps.figures.allFinite());
  }
}

TEST(Lscca, FinishesWithWhatItHasWhereItIsEnough) {
  const Matrix x = Random(10).normals(100, 3), y = Random(11).normals(100, 3);
  const Executor executor(1);
  BaselineTask task = test::task_of(x, y, 2, executor);
  int asked = 0;
  task.enough = [&] { return std::string(++asked > 5 ? "time limit" : ""); };
  const BaselineMaps maps = baselines().make("lscca")->fit(task);
  EXPECT_FALSE(maps.converged);
  EXPECT_NE(maps.stopped.find("time limit"), std::string::npos);
  EXPECT_TRUE(maps.directions.x.allFinite());
}

TEST(Lscca, RefusesRowsThatCannotBelongTogether) {
  const Matrix x = Random(12).normals(20, 2), y = Random(13).normals(19, 2);
  const Executor executor(1);
  EXPECT_THROW(baselines().make("lscca")->fit(test::task_of(x, y, 1, executor)), Error);
}

}  // namespace
}  // namespace cda
