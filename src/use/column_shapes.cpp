#include "use/column_shapes.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "divergence/quantiles.hpp"

namespace cda {
namespace {

constexpr Index half = quantile_blocks / 2;

// How many neighbours are drawn as one, `ends` values from the nearer end of n.
Index run_length(Index ends, Index n) { return std::max<Index>(1, std::min(ends / 64, n / 512)); }

// Runs grow from both ends towards the middle, the same from either.
void cut_into_runs(const Vector& increasing, Column& column) {
  const Index n = increasing.size();
  std::vector<Index> lengths;
  for (Index begin = 0; begin < n / 2; begin += lengths.back())
    lengths.push_back(std::min(run_length(begin, n), n / 2 - begin));
  const std::vector<Index> upper(lengths.rbegin(), lengths.rend());
  if (n % 2 == 1) lengths.push_back(1);
  lengths.insert(lengths.end(), upper.begin(), upper.end());

  column.run_means.resize(static_cast<Index>(lengths.size()));
  column.run_sizes.resize(column.run_means.size());
  Index begin = 0, run = 0;
  for (const Index length : lengths) {
    column.run_means[run] = increasing.segment(begin, length).mean();
    column.run_sizes[run++] = static_cast<double>(length);
    begin += length;
  }
}

// Block means of the step function with these increasing values, each as wide as its weight. O(values + blocks).
Vector weighted_quantiles(const Vector& increasing, const Vector& weights) {
  const double width = weights.sum() / static_cast<double>(quantile_blocks);
  Vector means = Vector::Zero(quantile_blocks);
  double room = width;
  Index block = 0;
  for (Index k = 0; k < increasing.size(); ++k) {
    double mass = weights[k];
    for (; mass > room && block + 1 < quantile_blocks; ++block) {
      means[block] += room * increasing[k];
      mass -= room;
      room = width;
    }
    means[block] += mass * increasing[k];
    room -= mass;
  }
  return means / width;
}

// The weight of a run of so many values: a gamma number, for more than one as the cube of a normal one, which is as
// good for noise and three times as fast (Wilson and Hilferty 1931).
double run_weight(double size, Random& draw) {
  if (size <= 1.0) return draw.exponential();
  const double root = 1.0 - 1.0 / (9.0 * size) + draw.normal() / (3.0 * std::sqrt(size));
  return root > 0.0 ? size * root * root * root : 0.0;
}

class ShapesBuilder {
 public:
  ShapesBuilder(Index columns, MatchUnits units) : units_(units) {
    shapes_.symmetric.resize(half, columns);
    shapes_.skewed.resize(half, columns);
    shapes_.means.resize(columns);
    shapes_.variances.resize(columns);
  }

  void set(Index at, Vector quantiles, double origin) {
    const double mean = quantiles.mean();
    quantiles.array() -= mean;
    const double variance = quantiles.squaredNorm() / static_cast<double>(quantile_blocks);
    double scale = std::sqrt(0.5 / static_cast<double>(quantile_blocks));
    if (units_ == MatchUnits::standardised) scale = variance > 0.0 ? scale / std::sqrt(variance) : 0.0;
    const auto head = quantiles.head(half);
    const auto tail = quantiles.tail(half).reverse();
    shapes_.symmetric.col(at) = scale * (head - tail);
    shapes_.skewed.col(at) = scale * (head + tail);
    shapes_.means[at] = origin + mean;
    shapes_.variances[at] = variance;
  }

  ColumnShapes take() { return std::move(shapes_); }

 private:
  MatchUnits units_;
  ColumnShapes shapes_;
};

// 2 covariance / (variances + squared distance of the means); nothing in common where neither varies.
double concordance(double covariance, double variances, double distance) {
  const double whole = variances + distance * distance;
  return whole > 0.0 ? std::clamp(2.0 * covariance / whole, 0.0, 1.0) : 0.0;
}

bool looks_like(const Column& column, const Vector& reference) {  // the reference is centred
  if (column.few_valued()) return false;
  const Vector centred = column.quantiles.array() - column.quantiles.mean();
  const double similarity = centred.dot(reference) / (centred.norm() * reference.norm());
  return 1.0 - similarity <= 2.0 / static_cast<double>(column.rows) + 0.001;
}

}  // namespace

std::optional<int> largest_exponent(const Eigen::Ref<const Vector>& values) {
  std::optional<int> largest;
  for (const double value : values) {
    if (std::isnan(value) || value == 0.0) continue;
    int exponent = 0;
    std::frexp(value, &exponent);
    largest = std::max(largest, std::optional(exponent));
  }
  return largest;
}

Column describe_column(const Table& table, Index number, int scale_exponent) {
  Column column;
  column.number = number;
  column.name = table.names[static_cast<std::size_t>(number)];
  Vector values(table.rows());
  for (const double value : table.values.col(number))
    if (!std::isnan(value)) values[column.rows++] = std::ldexp(value, -scale_exponent);
  values.conservativeResize(column.rows);
  std::sort(values.begin(), values.end());
  column.distinct = column.rows > 0 ? 1 : 0;
  for (Index i = 1; i < column.rows; ++i) column.distinct += values[i] > values[i - 1] ? 1 : 0;
  if (!column.varies()) return column;

  // From the middle value, so that a narrow column far from zero keeps its digits.
  column.origin = values[column.rows / 2];
  values.array() -= column.origin;
  column.quantiles = quantile_function(values);
  cut_into_runs(values, column);
  column.run_quantiles = weighted_quantiles(column.run_means, column.run_sizes);
  return column;
}

ColumnShapes shapes_of(const std::vector<Column>& columns, MatchUnits units) {
  ShapesBuilder builder(static_cast<Index>(columns.size()), units);
  for (std::size_t i = 0; i < columns.size(); ++i)
    builder.set(static_cast<Index>(i), columns[i].quantiles, columns[i].origin);
  return builder.take();
}

ColumnShapes resampled(const std::vector<Column>& columns, MatchUnits units, const Random& random) {
  ShapesBuilder builder(static_cast<Index>(columns.size()), units);
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const Column& column = columns[i];
    Random draw = random.stream(column.name);
    Vector weights(column.run_sizes.size());
    for (Index k = 0; k < weights.size(); ++k) weights[k] = run_weight(column.run_sizes[k], draw);
    // What the draw changes is added to the quantiles of all values: runs take part in the noise only.
    builder.set(static_cast<Index>(i),
                column.quantiles + weighted_quantiles(column.run_means, weights) - column.run_quantiles, column.origin);
  }
  return builder.take();
}

Similarities similarities(const ColumnShapes& x, const ColumnShapes& y, MatchUnits units) {
  Similarities result;
  result.skewed.noalias() = x.skewed.transpose() * y.skewed;
  result.values.noalias() = x.symmetric.transpose() * y.symmetric;
  if (units == MatchUnits::standardised) {
    result.values = (result.values + result.skewed.cwiseAbs()).cwiseMax(0.0).cwiseMin(1.0);
    return result;
  }
  for (Index j = 0; j < result.values.cols(); ++j)
    for (Index i = 0; i < result.values.rows(); ++i)
      result.values(i, j) = concordance(result.values(i, j) + result.skewed(i, j), x.variances[i] + y.variances[j],
                                        x.means[i] - y.means[j]);
  return result;
}

Vector own_similarities(const ColumnShapes& a, const ColumnShapes& b, MatchUnits units) {
  Vector products = (a.symmetric.array() * b.symmetric.array() + a.skewed.array() * b.skewed.array()).colwise().sum();
  if (units == MatchUnits::standardised) return products.cwiseMin(1.0);
  for (Index i = 0; i < products.size(); ++i)
    products[i] = concordance(products[i], a.variances[i] + b.variances[i], a.means[i] - b.means[i]);
  return products;
}

bool bell_shaped(const Column& column) { return looks_like(column, normal_quantiles()); }

bool flat(const Column& column) { return looks_like(column, Vector::LinSpaced(quantile_blocks, -1.0, 1.0)); }

}  // namespace cda
