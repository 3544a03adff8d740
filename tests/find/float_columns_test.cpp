// Each loop against the plain one, at lengths that are no multiples of the lanes.
#include "find/clouds/float_columns.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "cda/extend/random.hpp"

using namespace cda;

namespace {

constexpr Index lengths[] = {1, 7, 8, 9, 16, 31, 32, 33, 77, 300};

FloatVector normals(Index count, const char* name) { return Random(7, name).normals(count, 1).cast<float>(); }

TEST(FloatColumns, AddUpAsPlainLoopsDo) {
  for (const Index count : lengths) {
    const FloatVector a = normals(count, "a"), b = normals(count, "b"), mass = normals(count, "mass").cwiseAbs();
    const double tolerance = 1e-6 * static_cast<double>(count);
    EXPECT_NEAR(dot(a.data(), b.data(), count), a.cast<double>().dot(b.cast<double>()), tolerance) << count;
    const WeightedMoments moments = weighted_moments(a.data(), mass.data(), count);
    EXPECT_NEAR(moments.sum, a.cast<double>().dot(mass.cast<double>()), tolerance) << count;
    EXPECT_NEAR(moments.square, a.cast<double>().cwiseAbs2().dot(mass.cast<double>()), 3.0 * tolerance) << count;
    FloatVector to = b;
    add_scaled(0.7F, a.data(), to.data(), count);
    EXPECT_LT((to - (b + 0.7F * a)).cwiseAbs().maxCoeff(), 1e-6F) << count;
  }
}

TEST(FloatColumns, AddUpFewColumnsAtATime) {
  for (const Index count : lengths) {
    const FloatMatrix columns = Random(7, "columns").normals(count, 7).cast<float>();
    const FloatVector with = normals(count, "with"), factors = normals(7, "factors");
    for (const Index few : {1, 2, 3, 4}) {
      float dots[together];
      column_dots(columns, 2, few, with, dots);
      FloatVector to = with;
      add_columns(columns, 2, few, factors.data(), to);
      for (Index c = 0; c < few; ++c)
        EXPECT_NEAR(dots[c], columns.col(2 + c).dot(with), 1e-6 * static_cast<double>(count) + 1e-6) << count;
      EXPECT_LT((to - with - columns.middleCols(2, few) * factors.head(few)).cwiseAbs().maxCoeff(), 3e-6F) << count;
    }
  }
}

TEST(FloatColumns, FindWhatIsLargest) {
  for (const Index count : lengths) {
    const FloatVector a = normals(count, "a"), b = normals(count, "b");
    EXPECT_EQ(largest_difference(0.5F, a.data(), b.data(), count), (0.5F * a - b).maxCoeff()) << count;
    FloatVector most = b;
    raise_to(a.data(), most.data(), count);
    EXPECT_EQ(most, a.cwiseMax(b)) << count;
  }
}

TEST(FloatColumns, TakeExponentialsAsTheStandardLibraryDoes) {
  for (const Index count : lengths) {
    const FloatVector column = -20.0F * normals(count, "column").cwiseAbs(), shift = normals(count, "shift");
    FloatVector out(count);
    exponentials(0.5F, column.data(), shift.data(), 0.25F, out.data(), count);
    for (Index i = 0; i < count; ++i)
      EXPECT_NEAR(out[i] / std::exp(static_cast<double>(0.5F * column[i] - shift[i] - 0.25F)), 1.0, 2.5e-7)
          << column[i];
  }
}

TEST(FloatColumns, KeepExponentialsOrdinaryNumbers) {
  const FloatVector column = FloatVector::LinSpaced(19, -1e6F, 0.0F), shift = FloatVector::Zero(19);
  FloatVector out(19);
  exponentials(1.0F, column.data(), shift.data(), 0.0F, out.data(), 19);
  EXPECT_EQ(out[18], 1.0F);
  for (Index i = 0; i < 18; ++i) EXPECT_NEAR(out[i] / std::exp(-80.0), 1.0, 1e-6) << i;
}

TEST(FloatColumns, MultiplyMatricesOfAnyShape) {
  for (const Index n : lengths)
    for (const Index d : {1, 5, 20})
      for (const Index m : {1, 3, 4, 9, 40}) {
        const Matrix a = Random(1, "a").normals(n, d), b = Random(1, "b").normals(d, m);
        const FloatMatrix found = product(a.cast<float>(), b.cast<float>());
        ASSERT_EQ(found.rows(), n);
        ASSERT_EQ(found.cols(), m);
        EXPECT_LT((found.cast<double>() - a * b).cwiseAbs().maxCoeff(), 2e-5) << n << ' ' << d << ' ' << m;
      }
}

}  // namespace
