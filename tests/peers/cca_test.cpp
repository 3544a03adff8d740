#include "peers/cca.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "cda/error.hpp"
#include "cda/extend/random.hpp"
#include "cda/synthetic.hpp"
#include "peers/support.hpp"

namespace cda {
namespace {

struct Waves {
  Matrix x = Matrix(12, 3), y = Matrix(12, 2);
  Waves() {
    for (Index row = 0; row < 12; ++row) {
      const double i = static_cast<double>(row) + 1.0;
      for (Index j = 0; j < 3; ++j) x(row, j) = std::sin(i * static_cast<double>(j + 1)) + 0.1 * i;
      y.row(row) << std::cos(i) + 0.5 * std::sin(2.0 * i), std::cos(2.5 * i) + 0.5 * std::sin(2.0 * i);
    }
  }
};

// Figures by numpy: the singular values of Qx'Qy of numpy.linalg.qr, and with kappa those of eigh's inverse roots.
TEST(Cca, EqualsNumpyOnWaves) {
  const Waves waves;
  for (const double kappa : {0.0, 1e-12}) {
    const CanonicalPairs found = canonical_pairs(waves.x, waves.y, 2, kappa);
    EXPECT_NEAR(found.correlations[0], 0.595377567923592, 1e-10);  // kappa = 1e-12 changes what follows
    EXPECT_NEAR(found.correlations[1], 0.078659281594359, 1e-10);
    Matrix a(3, 2), b(2, 2);
    a << -0.029268834881679, 0.221002037031529, 1.295973536658822, 0.39054599993389, -0.457612725336817,
        1.153448129853425;
    b << 0.870510974262718, 0.989031439944684, 0.933700717211204, -0.968844764736065;
    EXPECT_LT((found.x - a).norm() + (found.y - b).norm(), 1e-9);
  }
  const CanonicalPairs regularised = canonical_pairs(waves.x, waves.y, 2, 0.1);
  EXPECT_NEAR(regularised.correlations[0], 0.542391111144641, 1e-13);
  EXPECT_NEAR(regularised.correlations[1], 0.071767597409891, 1e-13);
}

TEST(Cca, GivesValuesOfVarianceOneThatCorrelateOnlyWithinPairs) {
  Random random(3, "cca");
  const Matrix x = random.normals(200, 6) * random.normals(6, 6);
  const Matrix y = x * random.normals(6, 4) + random.normals(200, 4);
  for (const double kappa : {0.0, 1e-12}) {
    const CanonicalPairs found = canonical_pairs(x, y, 4, kappa);
    const Matrix xc = x.rowwise() - x.colwise().mean(), yc = y.rowwise() - y.colwise().mean();
    const Matrix u = xc * found.x, v = yc * found.y;
    const Matrix unit = Matrix::Identity(4, 4);
    // A relative 1e-12 of a variance, and the condition of the covariance times rounding.
    EXPECT_LT((u.transpose() * u / 200.0 - unit).norm(), 1e-8);
    EXPECT_LT((v.transpose() * v / 200.0 - unit).norm(), 1e-8);
    EXPECT_LT((u.transpose() * v / 200.0 - Matrix(found.correlations.asDiagonal())).norm(), 1e-8);
  }
}

TEST(Cca, FindsTheLinearRelations) {
  double total = 0.0;
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const SyntheticPair pair = synthesise({.kind = "linear", .shuffle = false, .seed = seed});
    const CanonicalPairs found = canonical_pairs(pair.x.values, pair.y.values, 4, 1e-8);
    total += 0.5 * (test::subspace_error(found.x, pair.truth.x_directions) +
                    test::subspace_error(found.y, pair.truth.y_directions));
  }
  EXPECT_LT(total / 5.0, 0.1);  // chance is about .7; what is left is the noise of 1000 rows
}

TEST(Cca, TakesColumnsThatDependOnEachOther) {
  Random random(4, "cca");
  Matrix x(300, 5);
  x.leftCols(3) = random.normals(300, 3);
  x.col(3) = x.col(0) + 2.0 * x.col(1);
  x.col(4).setConstant(7.0);
  const Matrix y = x.leftCols(2) + random.normals(300, 2);
  const CanonicalPairs whole = canonical_pairs(x.leftCols(3), y, 2, 1e-10);
  for (const double kappa : {0.0, 1e-10}) {
    const CanonicalPairs found = canonical_pairs(x, y, 5, kappa);
    ASSERT_EQ(found.pairs(), 2);
    EXPECT_EQ(found.x_rank, 3);
    EXPECT_TRUE(found.x.allFinite());
    EXPECT_LT((found.correlations - whole.correlations).norm(), 1e-8);  // of the order of kappa
  }
}

TEST(Cca, IsTheSameWhetherProductsOfColumnsOrOfRowsAreTaken) {
  Random random(5, "cca");
  const Matrix x = random.normals(20, 12), y = x.leftCols(3) + random.normals(20, 3);
  Matrix wide = Matrix::Zero(20, 40);  // more columns than rows: the axes come from the rows
  wide.leftCols(12) = x;
  const CanonicalPairs exact = canonical_pairs(x, y, 3, 1e-10), few = canonical_pairs(wide, y, 3, 1e-10);
  EXPECT_TRUE(few.x.bottomRows(28).isZero());
  EXPECT_LT((exact.correlations - few.correlations).norm(), 1e-7);
  EXPECT_LT((exact.x - few.x.topRows(12)).norm(), 1e-5 * exact.x.norm());
}

TEST(Cca, SaysThatCorrelationsAreOneByConstructionWhereRowsAreFew) {
  Random random(6, "cca");
  const Matrix x = random.normals(15, 20), y = random.normals(15, 4);
  const Executor executor(1);
  for (const char* name : {"cca", "cca:kappa=0"}) {
    const BaselineMaps maps = baselines().make(name)->fit(test::task_of(x, y, 3, executor));
    EXPECT_NEAR(maps.figures.minCoeff(), 1.0, 1e-6);
    ASSERT_EQ(maps.warnings.size(), 1U);
    EXPECT_NE(maps.warnings[0].find("4 canonical correlations are 1"), std::string::npos) << maps.warnings[0];
  }
  // A few more rows than columns: some of the correlations are one all the same.
  const Matrix x_few = random.normals(10, 6), y_few = random.normals(10, 5);
  const BaselineMaps maps = baselines().make("cca")->fit(test::task_of(x_few, y_few, 5, executor));
  EXPECT_NEAR(maps.figures[1], 1.0, 1e-6);
  EXPECT_LT(maps.figures[2], 0.999);
  EXPECT_NE(maps.warnings.at(0).find("2 canonical correlations are 1"), std::string::npos) << maps.warnings[0];
  const Matrix more = random.normals(100, 6), rows = random.normals(100, 5);
  EXPECT_TRUE(baselines().make("cca")->fit(test::task_of(more, rows, 5, executor)).warnings.empty());
}

TEST(Cca, RefusesRowsThatCannotBelongTogether) {
  const Matrix x = Random(7).normals(10, 2), y = Random(8).normals(9, 2);
  try {
    canonical_pairs(x, y, 1, 1e-8);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), Fault::input);
    EXPECT_EQ(error.code(), "data.unpaired");
  }
}

TEST(Cca, GivesTheSameBitsOnAnyNumberOfThreads) {
  Random random(9, "cca");
  const Matrix x = random.normals(20000, 5), y = x.leftCols(3) + random.normals(20000, 3);
  for (const char* name : {"cca", "cca:kappa=0"}) {
    const BaselineMaps one = baselines().make(name)->fit(test::task_of(x, y, 3, Executor(1)));
    for (const int threads : {2, 3}) {
      const Executor executor(threads);
      const BaselineMaps more = baselines().make(name)->fit(test::task_of(x, y, 3, executor));
      EXPECT_EQ(one.directions.x, more.directions.x);
      EXPECT_EQ(one.directions.y, more.directions.y);
      EXPECT_EQ(one.figures, more.figures);
    }
  }
}

}  // namespace
}  // namespace cda
