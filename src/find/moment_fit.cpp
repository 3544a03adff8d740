#include "find/moment_fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "find/pairs/search.hpp"
#include "find/request.hpp"

namespace cda {
namespace {

constexpr Index most_columns = 4'000;  // a covariance has their square

// Squares and products of the columns that vary are ordinary numbers.
bool usable(const ColumnMoments& columns) {
  constexpr double smallest = 1e-280, largest = 1e280;
  if (!columns.covariance.allFinite() || !columns.mean.allFinite()) return false;
  for (Index j = 0; j < columns.mean.size(); ++j) {
    const double variance = columns.covariance(j, j);
    if (columns.highest[j] > columns.lowest[j] && !(variance > smallest && variance < largest)) return false;
  }
  return true;
}

}  // namespace

std::string why_not_moments(const FitOptions& options) {
  const MethodInfo& method = find_method(options.method);
  const auto needs = [](const std::string& what) { return fmt::format("{} needs the rows of both tables", what); };
  if (!method.baseline.empty()) return needs(method.name);
  const MethodParts parts = chosen_parts(options);
  if (parts.divergence.name != "extended_mallows") return needs("the divergence " + parts.divergence.name);
  if (parts.divergence.settings.number("order", 1.0, 20.0) != 2.0) return needs("an order other than 2");
  if (parts.formulation.name != "iterative" && parts.formulation.name != "reconstruction")
    return needs("the formulation " + parts.formulation.name);
  for (const PartSpec& step : parts.prepare)
    if (step.name != "minmax" && step.name != "standardise" && step.name != "centre")
      return needs("the preparation " + step.name);
  if (options.max_columns > 0) return needs("a limit on the columns of a pair");
  return {};
}

std::optional<BothMoments> moments_instead(const Table& x, const Table& y, const FitOptions& options,
                                           const FitObserver& observer) {
  const auto named = [](const Table& table) { return static_cast<Index>(table.names.size()) == table.columns(); };
  const bool fitting =
      named(x) && named(y) && std::min(x.rows(), y.rows()) > 1 && std::max(x.columns(), y.columns()) <= most_columns;
  if (!fitting || std::max(x.rows(), y.rows()) <= TableMoments::long_table || !why_not_moments(options).empty())
    return std::nullopt;
  const Executor executor(options.threads);
  ask(observer);
  BothMoments both{moments_of(x, executor), {}};
  ask(observer);
  both.y = moments_of(y, executor);
  if (!usable(both.x.columns) || !usable(both.y.columns)) return std::nullopt;
  return both;
}

PreparedTable prepare(const TableMoments& table, const std::string& side, const FitOptions& /*options*/,
                      const MethodParts& parts, const Executor& executor, const FitObserver& observer,
                      std::vector<std::string>& warnings) {
  return about(table.some_rows, side, [&] {
    ask(observer);
    if (table.rows < 2)
      throw Error(Fault::input, "data.rows", fmt::format("at least 2 rows are needed, found {}", table.rows));
    if (!usable(table.columns))
      throw Error(Fault::numerical, "data.range", "values are so large, or so small, that their squares are no numbers",
                  "give the columns other units");
    std::vector<std::string> remarks;
    PreparedColumns columns = PreparedColumns::fit(table, parts.prepare, &remarks);
    for (const std::string& remark : remarks) warnings.push_back(side + ": " + remark);
    if (table.rows < 5)
      warnings.push_back(fmt::format("{}: {} rows are too few to compare distributions", side, table.rows));
    ColumnMoments moments = columns.apply(table.columns);
    Sample sample(columns.apply(table.some_rows.values), std::move(moments.mean), std::move(moments.covariance),
                  executor);
    if (sample.space().cols() < sample.dimension())
      warnings.push_back(fmt::format("{}: columns depend on each other; {} of {} dimensions vary", side,
                                     sample.space().cols(), sample.dimension()));
    Vector deviations(static_cast<Index>(columns.kept().size()));
    for (std::size_t j = 0; j < columns.kept().size(); ++j) {
      const Index column = columns.kept()[j];
      deviations[static_cast<Index>(j)] =
          std::ldexp(std::sqrt(table.columns.covariance(column, column)), -columns.exponents()[j]);
    }
    return PreparedTable{std::move(columns), std::move(sample), std::move(deviations)};
  });
}

TableSummary summary(const TableMoments& table, const Sample& sample) {
  TableSummary summary{table.some_rows.names, table.some_rows.encodings, table.rows, sample.space().cols(), {}, {}};
  if (table.some_rows.rows() < table.rows) summary.described_rows = table.some_rows.rows();
  return summary;
}

}  // namespace cda
