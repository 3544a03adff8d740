#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "cda/random.hpp"
#include "projection/observe.hpp"

namespace cda {
namespace {

// The same by comparing pairs.
Sorted compared(const Vector& values) {
  std::vector<std::pair<double, Index>> pairs;
  for (Index i = 0; i < values.size(); ++i) pairs.emplace_back(values[i], i);
  std::sort(pairs.begin(), pairs.end());
  Sorted sorted;
  sorted.values.values.resize(values.size());
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    sorted.values.values[static_cast<Index>(i)] = pairs[i].first;
    sorted.order.push_back(pairs[i].second);
  }
  return sorted;
}

void expect_sorted(const Vector& values, const char* what) {
  const Sorted expected = compared(values), found = sort_values(values);
  EXPECT_EQ(found.values.values, expected.values.values) << what;
  EXPECT_EQ(found.order, expected.order) << what;
}

TEST(SortValues, EqualsSortingByComparison) {
  Random random(1, "sort");
  for (const Index n : {0, 1, 2, 31, 32, 33, 100, 1000, 5000}) {
    const Vector normal = random.normals(n, 1);
    expect_sorted(normal, "normal");
    expect_sorted(normal.array().cube().exp().matrix(), "far outliers, most in one bucket");
    expect_sorted((normal * 4.0).array().round().matrix(), "ties in the order of their rows");
    expect_sorted((normal.array() + 1e9).matrix(), "large offset");
    expect_sorted((normal.array() * 1e-300).matrix(), "tiny");
    expect_sorted(Vector::Constant(n, 3.0), "constant");
  }
  Vector wide = random.normals(1000, 1) * 1e307;
  wide[0] = std::numeric_limits<double>::max();
  wide[1] = -wide[0];
  expect_sorted(wide, "a range beyond the largest number");
  Vector outlier = random.normals(1000, 1);
  outlier[500] = 1e18;
  expect_sorted(outlier, "one outlier that puts all others in one bucket");
  expect_sorted(outlier.reverse(), "and the other way round");
}

}  // namespace
}  // namespace cda
