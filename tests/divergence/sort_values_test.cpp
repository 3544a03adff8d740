#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "cda/extend/random.hpp"
#include "divergence/observe.hpp"

namespace cda {
namespace {

// The same by comparing pairs.
Sorted compared(const Vector& values) {
  std::vector<std::pair<double, Index>> pairs;
  for (Index i = 0; i < values.size(); ++i) pairs.emplace_back(values[i], i);
  std::sort(pairs.begin(), pairs.end());
  Sorted sorted;
  sorted.values.values.resize(values.size());
  sorted.order.resize(values.size());
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    sorted.values.values[static_cast<Index>(i)] = pairs[i].first;
    sorted.order[static_cast<Index>(i)] = pairs[i].second;
  }
  return sorted;
}

void expect_sorted(const Vector& values, const char* what) {
  const Sorted expected = compared(values);
  for (const int threads : {1, 3}) {
    const Sorted found = sort_values(values, Executor(threads));
    EXPECT_TRUE(found.values.values == expected.values.values) << what << ", " << values.size();
    EXPECT_TRUE(found.order == expected.order) << what << ", " << values.size();
  }
}

TEST(SortValues, EqualsSortingByComparison) {
  Random random(1, "sort");
  for (const Index n : {0, 1, 2, 24, 25, 33, 100, 1000, 5000, 16384, 16385, 50000}) {
    const Vector normal = random.normals(n, 1);
    expect_sorted(normal, "normal");
    expect_sorted(normal.array().cube().exp().matrix(), "far outliers, most in one bucket");
    expect_sorted((normal * 4.0).array().round().matrix(), "ties in the order of their rows");
    expect_sorted((normal.array() + 1e9).matrix(), "large offset");
    expect_sorted((normal.array() * 1e-300).matrix(), "tiny");
    expect_sorted(Vector::Constant(n, 3.0), "constant");
  }
  for (const Index n : {1000, 40000}) {
    Vector wide = random.normals(n, 1) * 1e307;
    wide[0] = std::numeric_limits<double>::max();
    wide[1] = -wide[0];
    expect_sorted(wide, "a range beyond the largest number");
    Vector outlier = random.normals(n, 1);
    outlier[500] = 1e18;
    expect_sorted(outlier, "one outlier that puts all others in one bucket");
    expect_sorted(outlier.reverse(), "and the other way round");
    Vector nested(n);  // each dealing leaves all but one in one cell
    for (Index i = 0; i < n; ++i) nested[i] = std::exp2(static_cast<double>((i * 7919) % 600) - 300.0);
    expect_sorted(nested, "powers of two");
  }
}

TEST(SortValues, PutsWhatIsNotFiniteWhereItBelongs) {
  constexpr double endless = std::numeric_limits<double>::infinity();
  Random random(2, "sort");
  for (const Index n : {30, 30000}) {
    Vector values = random.normals(n, 1);
    values[3] = -endless;
    values[7] = endless;
    expect_sorted(values, "infinite");
    values[5] = std::numeric_limits<double>::quiet_NaN();
    values[n - 1] = values[5];
    const Sorted found = sort_values(values);
    EXPECT_TRUE(found.values.values.tail(2).array().isNaN().all());
    EXPECT_EQ(found.order[n - 2], 5);
    EXPECT_EQ(found.order[n - 1], n - 1);
    EXPECT_TRUE(std::is_sorted(found.values.values.begin(), found.values.values.end() - 2));
  }
}

}  // namespace
}  // namespace cda
