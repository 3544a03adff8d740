#include "find/clouds/point_cloud.hpp"

#include <algorithm>
#include <cmath>

#include "base/linear_algebra.hpp"
#include "base/moments.hpp"
#include "cda/error.hpp"
#include "cda/extend/random.hpp"

namespace cda {
namespace {

// rows' * (rows * block) / n about the mean, chunk by chunk.
Matrix spread_of(const Matrix& rows, const Vector& mean, const Matrix& block, const Executor& executor) {
  const Matrix zero = Matrix::Zero(rows.cols(), block.cols());
  Matrix total = executor.sum_rows(rows.rows(), zero, [&](Index begin, Index end, Matrix& part) {
    const Matrix centred = rows.middleRows(begin, end - begin).rowwise() - mean.transpose();
    part.noalias() += centred.transpose() * (centred * block);
  });
  return total / static_cast<double>(rows.rows());
}

// The leading axes by subspace iteration from random directions. They do not depend on the seed of a fit: these are to
// be the leading axes, whatever is done with them.
Axes leading_axes(const Matrix& rows, const Vector& mean, Index most, const Executor& executor) {
  constexpr Index further = 10;
  constexpr int iterations = 6;
  const Index width = std::min(rows.cols(), most + further);
  Matrix block = Random(0, "leading axes").normals(rows.cols(), width);
  for (int i = 0; i < iterations; ++i) {
    const Factored factored = orthonormal_factor(spread_of(rows, mean, block, executor), width);
    block = factored.basis;
  }
  const Matrix inner = block.transpose() * spread_of(rows, mean, block, executor);
  Axes axes = principal_axes(0.5 * (inner + inner.transpose()));
  axes.vectors = block * axes.vectors;
  return axes;
}

}  // namespace

PointCloud point_cloud(const Matrix& given, const CloudOptions& options, const Executor& executor) {
  constexpr double rounding = 1e-12;
  // A table of extreme magnitude is brought to one as a whole, by a power of two: no square overflows or vanishes. Any
  // other is taken where it lies, for it may be large.
  constexpr int extreme = 300;
  int exponent = 0;
  std::frexp(given.cwiseAbs().maxCoeff(), &exponent);
  const bool ordinary = std::abs(exponent) < extreme;
  const double unit = ordinary ? 1.0 : std::ldexp(1.0, -std::clamp(exponent, -1020, 1020));
  Matrix scaled;
  if (!ordinary) scaled = given * unit;
  const Matrix& rows = ordinary ? given : scaled;
  PointCloud cloud;
  cloud.mean = column_means(rows, executor);
  Axes axes;
  if (rows.rows() < rows.cols() && rows.rows() <= options.exact_columns)
    axes = axes_of_few_rows(rows.rowwise() - cloud.mean.transpose());
  else if (rows.cols() <= options.exact_columns)
    axes = principal_axes(covariance_about(rows, cloud.mean, executor));
  else
    axes = leading_axes(rows, cloud.mean, options.most, executor);
  const Index all = axes.values.size();
  Index kept = 0;
  while (kept < std::min(options.most, all) && axes.values[all - 1 - kept] > rounding * axes.values[all - 1]) ++kept;
  if (kept == 0 || !(axes.values[all - 1] > 0.0))
    throw Error(Fault::numerical, "data.constant", "a table varies by no more than rounding as it is prepared",
                "--prepare standardise");
  cloud.variances = axes.values.tail(kept).reverse();
  cloud.axes =
      axes.vectors.rightCols(kept).rowwise().reverse() * cloud.variances.cwiseSqrt().cwiseInverse().asDiagonal();
  cloud.shares = (cloud.variances / cloud.variances[0]).array().pow(0.5 * options.emphasis).cast<float>();
  cloud.white.resize(rows.rows(), kept);
  executor.for_rows(rows.rows(), [&](Index begin, Index end) {
    const Matrix centred = rows.middleRows(begin, end - begin).rowwise() - cloud.mean.transpose();
    cloud.white.middleRows(begin, end - begin) = (centred * cloud.axes).cast<float>();
  });
  cloud.axes *= unit;
  cloud.mean /= unit;
  return cloud;
}

CloudPart part_of(const PointCloud& cloud, const std::vector<Index>& rows) {
  CloudPart part;
  part.white = cloud.white(rows, Eigen::all);
  part.scores = part.white * cloud.shares.asDiagonal();
  const auto count = static_cast<Index>(rows.size());
  part.mass = FloatVector::Constant(count, 1.0F / static_cast<float>(count));
  return part;
}

}  // namespace cda
