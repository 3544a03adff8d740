#include "cda/extend/random.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <set>

#include "cda/cda.hpp"
#include "cda/extend/executor.hpp"

using namespace cda;

namespace {

TEST(Random, StreamsDependOnSeedAndNameOnly) {
  EXPECT_EQ(Random(1, "a").bits(), Random(1, "a").bits());
  EXPECT_NE(Random(1, "a").bits(), Random(2, "a").bits());
  EXPECT_NE(Random(1, "a").bits(), Random(1, "b").bits());
  Random used(1, "a");
  used.bits();
  EXPECT_EQ(used.stream("child").bits(), Random(1, "a").stream("child").bits());
}

TEST(Random, HasTheMomentsOfItsDistributions) {
  Random random(5, "moments");
  const int n = 200000;
  double normal = 0, normal2 = 0, normal4 = 0, gamma = 0, gamma2 = 0, exponential = 0, uniform = 0;
  for (int i = 0; i < n; ++i) {
    const double z = random.normal(), g = random.gamma(3.0);
    normal += z / n;
    normal2 += z * z / n;
    normal4 += z * z * z * z / n;
    gamma += g / n;
    gamma2 += g * g / n;
    exponential += random.exponential() / n;
    uniform += random.uniform() / n;
  }
  // Five standard errors each.
  EXPECT_NEAR(normal, 0.0, 0.012);
  EXPECT_NEAR(normal2, 1.0, 0.016);
  EXPECT_NEAR(normal4, 3.0, 0.11);
  EXPECT_NEAR(gamma, 3.0, 0.02);
  EXPECT_NEAR(gamma2 - gamma * gamma, 3.0, 0.1);
  EXPECT_NEAR(exponential, 1.0, 0.012);
  EXPECT_NEAR(uniform, 0.5, 0.0033);
}

TEST(Random, PermutationHoldsEveryIndexOnce) {
  auto order = Random(3, "order").permutation(1000);
  EXPECT_FALSE(std::is_sorted(order.begin(), order.end()));
  std::sort(order.begin(), order.end());
  for (std::size_t i = 0; i < order.size(); ++i) EXPECT_EQ(order[i], static_cast<Index>(i));
}

TEST(Executor, RunsEveryTaskOnceOnAnyNumberOfThreads) {
  for (const int threads : {1, 2, 5}) {
    std::vector<std::atomic<int>> runs(100);
    Executor(threads).for_each(100, [&](Index i) { ++runs[static_cast<std::size_t>(i)]; });
    for (const auto& count : runs) EXPECT_EQ(count, 1);
  }
}

TEST(Executor, SumsToTheSameBitsOnAnyNumberOfThreads) {
  const Vector values = Random(1, "sum").normals(100000, 1);
  const auto sum = [&](int threads) {
    return Executor(threads).sum_rows(values.size(), 0.0, [&](Index begin, Index end, double& part) {
      for (Index i = begin; i < end; ++i) part += values[i];
    });
  };
  EXPECT_EQ(sum(1), sum(2));
  EXPECT_EQ(sum(1), sum(7));
  EXPECT_NEAR(sum(1), values.sum(), 1e-9);
}

TEST(Executor, AddsLargePartsToTheSameBitsOnAnyNumberOfThreads) {
  const Vector values = Random(2, "executor").normals(100000, 1);
  const auto sums = [&](int threads) {
    const Vector zero = Vector::Zero(50000);  // larger than what is added in one piece
    return Vector(Executor(threads).sum_blocks(values.size(), zero, [&](Index begin, Index end, Vector& part) {
      for (Index i = begin; i < end; ++i) part[i % part.size()] += values[i];
    }));
  };
  const Vector alone = sums(1);
  EXPECT_NEAR(alone[7], values[7] + values[50007], 1e-15);
  EXPECT_NEAR(alone.sum(), values.sum(), 1e-10);
  for (const int threads : {2, 3, 7}) EXPECT_TRUE(sums(threads) == alone) << threads;
}

TEST(Executor, RethrowsTheFailureOfTheFirstTask) {
  const auto run = [] {
    Executor(3).for_each(50, [](Index i) {
      if (i == 7 || i == 30) throw Error(Fault::internal, "task", std::to_string(i));
    });
  };
  try {
    run();
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.message(), "7");
  }
}

TEST(Executor, RunsNestedCallsInline) {
  std::atomic<int> total{0};
  Executor(2).for_each(4, [&](Index) { Executor(2).for_each(5, [&](Index) { ++total; }); });
  EXPECT_EQ(total, 20);
}

}  // namespace
