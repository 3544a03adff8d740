#include "divergence/bandwidth.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/over_ranks.hpp"
#include "base/shared_order.hpp"

namespace cda {
namespace {

constexpr Index summary_rows = 400;  // medians of distances are taken over so many rows or quantiles a side

// The median distance of points (columns). Ties can make it vanish: it is never taken below a thousandth of the points'
// spread, and where more than half of the distances are zero a tenth of the spread stands in for it.
double median_distance(const Matrix& points) {
  std::vector<double> distances;
  for (Index i = 0; i < points.cols(); ++i)
    for (Index j = 0; j < i; ++j) distances.push_back((points.col(i) - points.col(j)).norm());
  const double spread =
      points.cols() > 0 ? std::sqrt((points.colwise() - points.rowwise().mean()).colwise().squaredNorm().mean()) : 0.0;
  if (distances.empty() || !(spread > 0.0)) return 1.0;
  const auto middle = distances.begin() + static_cast<std::ptrdiff_t>(distances.size() / 2);
  std::nth_element(distances.begin(), middle, distances.end());
  return *middle > 0.0 ? std::max(*middle, 1e-3 * spread) : 0.1 * spread;
}

// Median distance of the rows in the full space, over a choice of rows that does not depend on their order.
double median_row_distance(const Sample& sample) {
  return median_distance(chosen_rows(sample.rows(), sample.choose(summary_rows, 0), sample.executor()).transpose());
}

// Where the quantile of a share lies: between the two nearest values, the same from either end.
struct QuantilePlace {
  QuantilePlace(double share, Index size)
      : position(std::clamp(share * static_cast<double>(size) - 0.5, 0.0, static_cast<double>(size - 1))) {}
  Index below() const { return static_cast<Index>(std::floor(position)); }
  Index above() const { return static_cast<Index>(std::ceil(position)); }
  double between(double lower, double upper) const {
    const double toward = position - std::floor(position);
    return (1.0 - toward) * lower + toward * upper;
  }
  double position;
};

double quantile(const Vector& sorted, double share) {
  const QuantilePlace place(share, sorted.size());
  return place.between(sorted[place.below()], sorted[place.above()]);
}

// The quantiles in the middle of `count` equal shares.
Vector even_quantiles(Vector values, Index count, Index total, const Executor& executor) {
  std::sort(values.begin(), values.end());
  const auto share = [&](Index i) { return (static_cast<double>(i) + 0.5) / static_cast<double>(count); };
  Vector quantiles(count);
  if (executor.ranks() == nullptr) {
    for (Index i = 0; i < count; ++i) quantiles[i] = quantile(values, share(i));
    return quantiles;
  }
  std::vector<Index> places;
  for (Index i = 0; i < count; ++i) {
    places.push_back(QuantilePlace(share(i), total).below());
    places.push_back(QuantilePlace(share(i), total).above());
  }
  const std::vector<double> found = values_at(places, values, *executor.ranks());
  for (Index i = 0; i < count; ++i)
    quantiles[i] = QuantilePlace(share(i), total)
                       .between(found[static_cast<std::size_t>(2 * i)], found[static_cast<std::size_t>(2 * i + 1)]);
  return quantiles;
}

// Both projections as one set of points in r dimensions, few enough to compare all with all. One dimension: quantiles
// of each side; more: chosen rows.
Matrix pooled_summary(const Projection& x, const Projection& y) {
  std::vector<Matrix> parts;
  for (const Projection* side : {&x, &y}) {
    const Index count = std::min(summary_rows, side->size());
    const Executor& executor = side->sample().executor();
    parts.push_back(side->dimension() == 1
                        ? Matrix(even_quantiles(side->values().col(0), count, side->size(), executor))
                        : chosen_rows(side->values(), side->sample().choose(count, 0), executor));
  }
  Matrix pooled(parts[0].rows() + parts[1].rows(), parts[0].cols());
  pooled << parts[0], parts[1];
  return pooled;
}

double silverman(const Projection& x, const Projection& y) {
  const Matrix points = pooled_summary(x, y);
  const double rows = static_cast<double>(x.size() + y.size());
  double spread = 0.0;  // the mean over coordinates
  for (Index j = 0; j < points.cols(); ++j) {
    Vector sorted = points.col(j);
    std::sort(sorted.data(), sorted.data() + sorted.size());
    const double sd = std::sqrt((sorted.array() - sorted.mean()).square().mean());
    const double quartiles = (quantile(sorted, 0.75) - quantile(sorted, 0.25)) / 1.34;
    spread += (quartiles > 0.0 ? std::min(sd, quartiles) : sd) / static_cast<double>(points.cols());
  }
  const double width = 0.9 * spread * std::pow(rows, -0.2);
  return width > 0.0 ? width : 1.0;
}

}  // namespace

BandwidthRule::BandwidthRule(const std::string& name) : kind_(Kind::value) {
  if (same_name(name, "paper")) {
    kind_ = Kind::paper;
  } else if (same_name(name, "median")) {
    kind_ = Kind::median;
  } else if (same_name(name, "silverman")) {
    kind_ = Kind::silverman;
  } else {
    const auto [end, failure] = std::from_chars(name.data(), name.data() + name.size(), value_);
    const bool whole = failure == std::errc() && end == name.data() + name.size();
    if (!whole || !std::isfinite(value_) || value_ <= 0.0)
      throw Error(
          Fault::usage, "option.value",
          fmt::format("bandwidth is {}, expected paper, median, silverman or a positive number", in_quotes(name)));
  }
}

Bandwidths BandwidthRule::choose(const Projection& x, const Projection& y) const {
  switch (kind_) {
    case Kind::paper:
      return {median_row_distance(x.sample()), median_row_distance(y.sample()), true};
    case Kind::median: {
      const double width = median_distance(pooled_summary(x, y).transpose());
      return {width, width, false};
    }
    case Kind::silverman: {
      const double width = silverman(x, y);
      return {width, width, false};
    }
    case Kind::value:
      break;
  }
  return {value_, value_, false};
}

OptionInfo bandwidth_option(const std::string& rule) {
  return {"bandwidth", rule, "kernel width: paper, median, silverman or a value"};
}

}  // namespace cda
