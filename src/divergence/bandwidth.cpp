#include "divergence/bandwidth.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

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
  const std::vector<Index> chosen = sample.choose(summary_rows, 0);
  Matrix points(sample.dimension(), static_cast<Index>(chosen.size()));
  for (std::size_t i = 0; i < chosen.size(); ++i) points.col(static_cast<Index>(i)) = sample.rows().row(chosen[i]);
  return median_distance(points);
}

// Between the two nearest values, the same from either end.
double quantile(const Vector& sorted, double share) {
  const double position =
      std::clamp(share * static_cast<double>(sorted.size()) - 0.5, 0.0, static_cast<double>(sorted.size() - 1));
  const Index below = static_cast<Index>(std::floor(position)), above = static_cast<Index>(std::ceil(position));
  const double toward = position - static_cast<double>(below);
  return (1.0 - toward) * sorted[below] + toward * sorted[above];
}

// Both projections as one set of points in r dimensions, few enough to compare all with all. One dimension: quantiles
// of each side; more: chosen rows.
Matrix pooled_summary(const Projection& x, const Projection& y) {
  std::vector<Matrix> parts;
  for (const Projection* side : {&x, &y}) {
    const Index count = std::min(summary_rows, side->size());
    Matrix part(count, side->dimension());
    if (side->dimension() == 1) {
      Vector sorted = side->values().col(0);
      std::sort(sorted.data(), sorted.data() + sorted.size());
      for (Index i = 0; i < count; ++i)
        part(i, 0) = quantile(sorted, (static_cast<double>(i) + 0.5) / static_cast<double>(count));
    } else {
      const std::vector<Index> chosen = side->sample().choose(count, 0);
      for (Index i = 0; i < count; ++i) part.row(i) = side->values().row(chosen[static_cast<std::size_t>(i)]);
    }
    parts.push_back(std::move(part));
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
      throw Error(Fault::usage, "option.value",
                  fmt::format("bandwidth is {}, expected paper, median, silverman or a positive number", quoted(name)));
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
