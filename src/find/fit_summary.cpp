#include "cda/extend/fit_summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>

#include "base/rounded.hpp"
#include "base/sha256.hpp"
#include "base/shared_order.hpp"
#include "cda/error.hpp"
#include "cda/model.hpp"

namespace cda {
namespace {

Vector rounded_all(Vector values) {
  for (double& value : values) value = rounded(value);
  return values;
}

// One side's values of one pair: those that are here, increasing, and where all of them are.
struct Values {
  Vector increasing;
  const Executor& executor;

  Values(Vector values, const Executor& where) : increasing(std::move(values)), executor(where) {
    std::sort(increasing.begin(), increasing.end());
  }
};

double quantile(const Values& values, double level) {
  return quantiles_at(Vector::Constant(1, level), values.increasing, values.executor)[0];
}

Vector quantiles(const Values& values) {
  Vector levels(PairSummary::levels);
  for (Index i = 0; i < levels.size(); ++i) levels[i] = static_cast<double>(i) / static_cast<double>(levels.size() - 1);
  return quantiles_at(levels, values.increasing, values.executor);
}

struct BinnedRange {
  double low = 0.0, high = 0.0;

  double width() const { return high - low; }
  // The part of `parts` that a value falls into; -1 outside.
  Index part(double value, Index parts) const {
    const double share = (value - low) / width();
    if (!(share >= 0.0 && share <= 1.0)) return -1;
    return std::min(static_cast<Index>(share * static_cast<double>(parts)), parts - 1);
  }
};

// Where all but `left_out` of each side's values lie, and a margin.
BinnedRange common_range(const Values& x, const Values& y, double left_out, double margin) {
  BinnedRange range{std::min(quantile(x, left_out / 2.0), quantile(y, left_out / 2.0)),
                    std::max(quantile(x, 1.0 - left_out / 2.0), quantile(y, 1.0 - left_out / 2.0))};
  const double scale = std::max({std::abs(range.low), std::abs(range.high), std::numeric_limits<double>::min()});
  const double least = 1e-6 * scale;  // one value only
  const double extra = std::max(margin * range.width(), least);
  return {range.low - extra, range.high + extra};
}

// Half of Silverman's rule of thumb, which is made for bell curves and would round off what is of interest here; at
// least half a step of the grid: narrower would show the grid.
double bandwidth(const Values& values, double step) {
  const auto count = static_cast<double>(values.executor.total(values.increasing.size()));
  const double spread = (quantile(values, 0.75) - quantile(values, 0.25)) / 1.349;
  double sum = values.increasing.sum();
  values.executor.add_over_ranks(sum);
  double squares = (values.increasing.array() - sum / count).square().sum();
  values.executor.add_over_ranks(squares);
  const double deviation = std::sqrt(squares / count);
  const double narrow = spread > 0.0 ? std::min(spread, deviation) : deviation;
  return std::max(0.45 * narrow * std::pow(count, -0.2), 0.5 * step);
}

// A kernel estimate from counts in fine bins: O(n + bins * points).
Vector density(const Values& values, const BinnedRange& range) {
  constexpr Index bins = 1024;
  Vector counts = Vector::Zero(bins);
  for (const double value : values.increasing)
    if (const Index bin = range.part(value, bins); bin >= 0) counts[bin] += 1.0;
  values.executor.add_over_ranks(counts);
  const double step = range.width() / static_cast<double>(PairSummary::points - 1);
  const double width = bandwidth(values, step);
  const auto total = static_cast<double>(values.executor.total(values.increasing.size()));
  const double factor = 1.0 / (total * width * std::sqrt(2.0 * M_PI));
  Vector heights(PairSummary::points);
  for (Index i = 0; i < heights.size(); ++i) {
    const double at = range.low + static_cast<double>(i) * step;
    double sum = 0.0;
    for (Index b = 0; b < bins; ++b) {
      if (counts[b] == 0.0) continue;
      const double centre = range.low + (static_cast<double>(b) + 0.5) / static_cast<double>(bins) * range.width();
      const double off = (at - centre) / width;
      if (std::abs(off) < 8.0) sum += counts[b] * std::exp(-0.5 * off * off);
    }
    heights[i] = factor * sum;
  }
  return heights;
}

PairSummary summarise_pair(const Values& x, const Values& y) {
  PairSummary pair;
  const BinnedRange range = common_range(x, y, 0.005, 0.12);
  pair.grid = rounded_all(Vector::LinSpaced(PairSummary::points, range.low, range.high));
  pair.x_density = rounded_all(density(x, range));
  pair.y_density = rounded_all(density(y, range));
  pair.x_quantiles = rounded_all(quantiles(x));
  pair.y_quantiles = rounded_all(quantiles(y));
  return pair;
}

std::vector<JointBins::Count> counts(const Eigen::Ref<const Vector>& first, const Eigen::Ref<const Vector>& second,
                                     const BinnedRange& columns, const BinnedRange& rows, const Executor& executor) {
  std::array<std::uint64_t, JointBins::cells * JointBins::cells> all{};
  for (Index i = 0; i < first.size(); ++i) {
    const Index column = columns.part(first[i], JointBins::cells), row = rows.part(second[i], JointBins::cells);
    if (column >= 0 && row >= 0) ++all[static_cast<std::size_t>(JointBins::cells * row + column)];
  }
  if (const Communicator* ranks = executor.ranks()) ranks->sum(all.data(), static_cast<Index>(all.size()));
  std::vector<JointBins::Count> some;
  for (std::size_t cell = 0; cell < all.size(); ++cell)
    if (all[cell] > 0) some.push_back({static_cast<Index>(cell), static_cast<Index>(all[cell])});
  return some;
}

}  // namespace

TableOverview overview_of(const Table& table, const Executor& executor) {
  TableOverview side;
  side.name = table.source == "-" ? "standard input" : std::filesystem::path(table.source).filename().string();
  side.columns = summarise(table, executor);
  return side;
}

std::string sha256_of_files(const std::vector<std::string>& paths) {
  Sha256 sum;
  std::string buffer(1 << 18, '\0');
  for (const std::string& path : paths) {
    std::error_code failure;
    if (path == "-" || !std::filesystem::is_regular_file(path, failure)) return "";
    std::ifstream file(path, std::ios::binary);
    errno = 0;
    while (file) {
      file.read(buffer.data(), static_cast<std::streamsize>(buffer.size()));
      sum.add(std::string_view(buffer).substr(0, static_cast<std::size_t>(file.gcount())));
    }
    if (!file.eof())
      throw Error(Fault::io, "io.read",
                  fmt::format("cannot read {}: {}", in_quotes(path, 200), std::strerror(errno != 0 ? errno : EIO)));
  }
  return sum.digest();
}

FitSummary summarise_fit(const Model& model, const Table& x, const Table& y) {
  FitSummary summary = summarise_values(model.transform(Side::x, x.values), model.transform(Side::y, y.values));
  summary.x = overview_of(x);
  summary.y = overview_of(y);
  return summary;
}

FitSummary summarise_values(const Matrix& x_values, const Matrix& y_values, const Executor& executor) {
  FitSummary summary;
  std::vector<BinnedRange> ranges;  // of the first pairs, which are shown together
  const Index shown = std::min<Index>(3, x_values.cols());
  for (Index j = 0; j < x_values.cols(); ++j) {
    const Values x(x_values.col(j), executor), y(y_values.col(j), executor);
    summary.pairs.push_back(summarise_pair(x, y));
    if (j >= shown) continue;
    const BinnedRange exact = common_range(x, y, 0.01, 0.02);
    ranges.push_back({rounded(exact.low), rounded(exact.high)});
  }
  for (Index first = 0; first < shown; ++first)
    for (Index second = first + 1; second < shown; ++second) {
      const BinnedRange &columns = ranges[static_cast<std::size_t>(first)],
                        &rows = ranges[static_cast<std::size_t>(second)];
      summary.joint.push_back({{first + 1, second + 1},
                               {columns.low, columns.high},
                               {rows.low, rows.high},
                               counts(x_values.col(first), x_values.col(second), columns, rows, executor),
                               counts(y_values.col(first), y_values.col(second), columns, rows, executor)});
    }
  return summary;
}

}  // namespace cda
