#include "cda/extend/summary.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace cda {
namespace {

void summarise_numbers(const Eigen::Ref<const Vector>& column, ColumnSummary& summary) {
  std::vector<double> values;
  values.reserve(static_cast<std::size_t>(column.size()));
  for (const double value : column)
    if (!std::isnan(value)) values.push_back(value);
  summary.missing = column.size() - static_cast<Index>(values.size());
  if (values.empty()) return;
  std::sort(values.begin(), values.end());
  const auto count = static_cast<double>(values.size());
  summary.distinct = 1;
  for (std::size_t i = 1; i < values.size(); ++i) summary.distinct += values[i] != values[i - 1] ? 1 : 0;
  summary.lowest = values.front();
  summary.highest = values.back();
  const std::size_t middle = values.size() / 2;
  // Halves before adding, as values may be near the largest double; the same for sums below.
  summary.median = values.size() % 2 == 1 ? values[middle] : 0.5 * values[middle - 1] + 0.5 * values[middle];
  for (const double value : values) summary.mean += value / count;
  const double unit = std::max(std::abs(summary.lowest), std::abs(summary.highest));
  double squares = 0.0;
  for (const double value : values) {
    const double off = unit > 0.0 ? value / unit - summary.mean / unit : 0.0;
    squares += off * off;
  }
  const double relative = values.size() > 1 ? std::sqrt(squares / (count - 1.0)) : 0.0;
  summary.deviation = std::min(unit * relative, std::numeric_limits<double>::max());
  const double range = summary.highest / 2.0 - summary.lowest / 2.0;
  for (const double value : values) {
    const double share = range > 0.0 ? (value / 2.0 - summary.lowest / 2.0) / range : 0.0;
    const auto bin = static_cast<std::size_t>(share * static_cast<double>(ColumnSummary::bins));
    ++summary.histogram[std::min(bin, ColumnSummary::bins - 1)];
  }
}

void summarise_texts(const std::vector<std::string>& texts, ColumnSummary& summary) {
  summary.text = true;
  std::map<std::string, Index> counts;
  for (const std::string& text : texts) {
    if (text.empty())
      ++summary.missing;
    else
      ++counts[text];
  }
  summary.distinct = static_cast<Index>(counts.size());
  constexpr std::size_t most = 5;
  std::vector<std::pair<std::string, Index>> frequent(counts.begin(), counts.end());
  std::stable_sort(frequent.begin(), frequent.end(), [](auto& a, auto& b) { return a.second > b.second; });
  frequent.resize(std::min(most, frequent.size()));
  summary.categories = std::move(frequent);
}

}  // namespace

std::vector<ColumnSummary> summarise(const RawTable& table) {
  std::vector<ColumnSummary> summaries;
  for (const RawColumn& column : table.columns) {
    if (column.use == RawColumn::Use::none) continue;
    ColumnSummary summary{.name = column.name};
    if (column.numbers >= 0)
      summarise_numbers(table.numbers.col(column.numbers), summary);
    else
      summarise_texts(column.texts, summary);
    summaries.push_back(std::move(summary));
  }
  return summaries;
}

std::vector<ColumnSummary> summarise(const Table& table, const Executor& executor) {
  std::vector<ColumnSummary> summaries(static_cast<std::size_t>(table.columns()));
  executor.for_each(table.columns(), [&](Index j) {
    ColumnSummary& summary = summaries[static_cast<std::size_t>(j)];
    summary.name = table.names[static_cast<std::size_t>(j)];
    summarise_numbers(table.values.col(j), summary);
  });
  return summaries;
}

}  // namespace cda
