// Rows spread over ranks are compared as if they were in one place.
#include <gtest/gtest.h>

#include "support/samples.hpp"
#include "support/thread_ranks.hpp"

using namespace cda;
using cda::test::on_ranks;
using cda::test::own_rows;
using cda::test::skewed_rows;
using cda::test::Spread;

namespace {

struct Seen {
  double value;
  Matrix d_x, d_y;
  Vector d_scales;
};

// The divergence with what the data decide decided where it is evaluated.
Seen compared(const std::string& name, const Sample& x, const Sample& y, Index pairs) {
  const auto divergence = divergences().make(name);
  Random random(5, "directions");
  const Matrix u = random.normals(x.dimension(), pairs), v = random.normals(y.dimension(), pairs);
  Projection px(x, u, Vector::Ones(pairs)), py(y, v, Vector::LinSpaced(pairs, 0.7, 1.3));
  const auto tuned = divergence->tuned(px, py, 1);
  const double value = (tuned != nullptr ? *tuned : *divergence).evaluate(px, py, true);
  return {value, px.d_directions(), py.d_directions(), py.d_scales()};
}

// Sums in another order differ by rounding.
void expect_same(const Seen& spread, const Seen& whole) {
  EXPECT_NEAR(spread.value, whole.value, 1e-11 * std::max(std::abs(whole.value), 1e-2));
  const auto near = [](const Matrix& a, const Matrix& b) {
    EXPECT_LT((a - b).cwiseAbs().maxCoeff(), 1e-10 * std::max(b.cwiseAbs().maxCoeff(), 1e-2));
  };
  near(spread.d_x, whole.d_x);
  near(spread.d_y, whole.d_y);
  near(spread.d_scales, whole.d_scales);
}

class OnRanks : public testing::TestWithParam<std::tuple<std::string, int>> {
 protected:
  void compare(const Matrix& x, const Matrix& y, Index pairs, Spread spread) const {
    const auto& [name, ranks] = GetParam();
    const Seen whole = compared(name, Sample(x), Sample(y), pairs);
    on_ranks(ranks, [&, name = name](const Communicator& talk) {
      const Executor executor(1, &talk);
      const Sample own_x(own_rows(x, talk, spread), executor), own_y(own_rows(y, talk, spread), executor);
      expect_same(compared(name, own_x, own_y, pairs), whole);
    });
  }
};

TEST_P(OnRanks, IsTheSameAsInOnePlace) {
  compare(skewed_rows(211, 4, "x"), skewed_rows(97, 3, "y"), 1, Spread::evenly);
}
TEST_P(OnRanks, IsTheSameWhereOneTableIsMuchLonger) {
  compare(skewed_rows(13, 4, "x"), skewed_rows(300, 3, "y"), 1, Spread::evenly);
}
TEST_P(OnRanks, IsTheSameWhereARankHasNoRows) {
  compare(skewed_rows(60, 4, "x"), skewed_rows(45, 3, "y"), 1, Spread::badly);
}
TEST_P(OnRanks, IsTheSameWithMoreRanksThanRows) {
  compare(skewed_rows(3, 2, "x"), skewed_rows(3, 2, "y"), 1, Spread::evenly);
}
TEST_P(OnRanks, IsTheSameInTwoDimensions) {
  compare(skewed_rows(80, 4, "x"), skewed_rows(66, 3, "y"), 2, Spread::evenly);
}
TEST_P(OnRanks, IsTheSameWhereRowsAreFewerThanColumns) {
  compare(skewed_rows(9, 12, "x"), skewed_rows(11, 14, "y"), 1, Spread::evenly);
}
TEST_P(OnRanks, IsTheSameForManyRows) {  // cells, polynomials, several chunks
  compare(skewed_rows(9001, 3, "x"), skewed_rows(8000, 2, "y"), 1, Spread::evenly);
}

// Whole blocks of rows, as a fit has them: then nothing is rounded in another way.
TEST_P(OnRanks, IsTheSameToTheBitWhereRanksHaveWholeBlocks) {
  const auto& [name, ranks] = GetParam();
  const Matrix x = skewed_rows(20001, 3, "x"), y = skewed_rows(9000, 3, "y");
  const Seen whole = compared(name, Sample(x), Sample(y), 1);
  on_ranks(ranks, [&, name = name](const Communicator& talk) {
    const Executor executor(1, &talk);
    const Sample own_x(own_rows(x, talk, Spread::in_blocks), executor),
        own_y(own_rows(y, talk, Spread::in_blocks), executor);
    const Seen spread = compared(name, own_x, own_y, 1);
    EXPECT_EQ(spread.value, whole.value);
    EXPECT_EQ(spread.d_x, whole.d_x);
    EXPECT_EQ(spread.d_y, whole.d_y);
  });
}

// Cells of few values: projections with very many ties. Which of equal rows is where plays no part.
TEST_P(OnRanks, IsTheSameWithManyTies) {
  const auto& [name, ranks] = GetParam();
  if (name.rfind("pearson", 0) == 0) GTEST_SKIP() << "its centres are rows: equal ones have to be on one rank";
  const Matrix x = skewed_rows(120, 1, "x").array().round(), y = skewed_rows(90, 1, "y").array().round();
  const auto value_of = [name = name](const Sample& a, const Sample& b) {
    Projection px(a, Matrix::Ones(1, 1), Vector::Ones(1)), py(b, Matrix::Ones(1, 1), Vector::Ones(1));
    const auto divergence = divergences().make(name);
    const double value = divergence->evaluate(px, py, true);
    return std::pair(value, px.d_directions()(0, 0));
  };
  const auto whole = value_of(Sample(x), Sample(y));
  on_ranks(ranks, [&](const Communicator& talk) {
    const Executor executor(1, &talk);
    const auto spread = value_of(Sample(own_rows(x, talk), executor), Sample(own_rows(y, talk), executor));
    EXPECT_NEAR(spread.first, whole.first, 1e-12 * std::max(1.0, whole.first));
    EXPECT_NEAR(spread.second, whole.second, 1e-11 * std::max(1.0, std::abs(whole.second)));
  });
}

INSTANTIATE_TEST_SUITE_P(
    Divergences, OnRanks,
    testing::Combine(testing::Values("extended_mallows", "wasserstein", "wasserstein:order=1", "energy", "quadratic",
                                     "quadratic:bandwidth=paper", "quadratic:bandwidth=silverman", "mmd", "pearson",
                                     "pearson:estimate=paper,constant=no,combine=sum,bandwidth=paper"),
                     testing::Values(1, 2, 3, 4)),
    [](const auto& tested) {
      std::string name = std::get<0>(tested.param) + "_" + std::to_string(std::get<1>(tested.param));
      for (char& letter : name)
        if (std::isalnum(static_cast<unsigned char>(letter)) == 0) letter = '_';
      return name;
    });

TEST(Ranks, ADivergenceThatNeedsAllValuesSaysSo) {
  const Matrix x = skewed_rows(30, 3, "x");
  try {
    on_ranks(2, [&](const Communicator& talk) {
      const Sample own(own_rows(x, talk), Executor(1, &talk));
      compared("extended_mallows:order=3", own, own, 1);
    });
    FAIL() << "it did not refuse";
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), Fault::usage);
    EXPECT_EQ(error.code(), "ranks.divergence");
  }
}

TEST(Ranks, ASampleSaysTheSameOfItsRows) {
  for (const auto& [rows, columns] : {std::pair{101, 4}, {7, 12}}) {
    const Matrix all = skewed_rows(rows, columns, "sample");
    const Sample whole(all);
    for (const int ranks : {2, 3, 4, 9}) {
      on_ranks(ranks, [&](const Communicator& talk) {
        const Sample own(own_rows(all, talk), Executor(2, &talk));
        EXPECT_EQ(own.size(), whole.size());
        EXPECT_EQ(own.fingerprint(), whole.fingerprint());
        EXPECT_LT((own.mean() - whole.mean()).norm(), 1e-13);
        EXPECT_LT((own.covariance() - whole.covariance()).norm(), 1e-12);
        EXPECT_NEAR(own.total_variance(), whole.total_variance(), 1e-12);
        ASSERT_EQ(own.space().cols(), whole.space().cols());
        EXPECT_LT((own.space() * own.space().transpose() - whole.space() * whole.space().transpose()).norm(), 1e-9);
        const Sample chosen = own.subset(own.choose(20, 3)), expected = whole.subset(whole.choose(20, 3));
        EXPECT_EQ(chosen.rows(), expected.rows());
        EXPECT_EQ(chosen.fingerprint(), expected.fingerprint());
        EXPECT_EQ(chosen.executor().ranks(), nullptr);
      });
    }
  }
}

}  // namespace
