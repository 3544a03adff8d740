#include "cda/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "cda/error.hpp"
#include "cda/extend/catalogue.hpp"
#include "table/missing_cells.hpp"

namespace cda {
namespace {

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

Index missing_in(const Matrix& values, Index column) {
  Index count = 0;
  for (Index i = 0; i < values.rows(); ++i) count += std::isnan(values(i, column)) ? 1 : 0;
  return count;
}

void keep_rows(Table& table, const std::vector<Index>& rows) {
  const Matrix kept = table.values(rows, Eigen::all);
  table.values = kept;
  if (table.index.empty()) return;
  std::vector<std::string> index;
  for (const Index i : rows) index.push_back(std::move(table.index[at(i)]));
  table.index = std::move(index);
}

}  // namespace

void refuse_missing(const Table& table, const std::vector<Index>& missing) {
  constexpr Index shown = 10;
  std::vector<std::string> parts;
  Index columns = 0;
  for (Index j = 0; j < table.columns(); ++j)
    if (missing[at(j)] > 0 && ++columns <= shown)
      parts.push_back(fmt::format("{} in {}", missing[at(j)], in_quotes(table.names[at(j)])));
  std::string list = fmt::format("{}", fmt::join(parts, ", "));
  if (columns > shown) list += fmt::format(", and others in {} more columns", columns - shown);
  const Index cells = std::accumulate(missing.begin(), missing.end(), Index{0});
  throw Error(Fault::input, "table.missing",
              fmt::format("{} {} missing: {}", cells, cells == 1 ? "cell is" : "cells are", list),
              "--missing drop-rows", {.file = table.source});
}

Index Table::missing_cells() const {
  Index count = 0;
  for (Index j = 0; j < columns(); ++j) count += missing_in(values, j);
  return count;
}

void Table::select_columns(const std::vector<Index>& chosen) {
  std::vector<std::string> chosen_names;
  for (const Index j : chosen) {
    if (j < 0 || j >= columns())
      throw Error(Fault::usage, "table.column", fmt::format("there is no column {} among {}", j, columns()));
    chosen_names.push_back(names[at(j)]);
  }
  const Matrix kept = values(Eigen::all, chosen);
  values = kept;
  names = std::move(chosen_names);
  // How a column of text became numbers is of interest while one of those is there.
  const auto is_left = [this](const Encoding& encoding) {
    return std::any_of(encoding.categories.begin(), encoding.categories.end(), [&](const std::string& category) {
      return std::find(names.begin(), names.end(), encoding.column + "=" + category) != names.end();
    });
  };
  encodings.erase(std::remove_if(encodings.begin(), encodings.end(), std::not_fn(is_left)), encodings.end());
}

Table make_table(Matrix values, std::vector<std::string> names, const std::string& prefix) {
  if (names.empty())
    for (Index j = 1; j <= values.cols(); ++j) names.push_back(fmt::format("{}{}", prefix, j));
  if (static_cast<Index>(names.size()) != values.cols())
    throw Error(Fault::usage, "table.names",
                fmt::format("{} names were given for {} columns", names.size(), values.cols()));
  std::vector<std::string> sorted = names;
  std::sort(sorted.begin(), sorted.end());
  const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
  if (twice != sorted.end()) throw Error(Fault::usage, "table.names", "two columns are named " + in_quotes(*twice));
  if (values.array().isInf().any())
    throw Error(Fault::input, "table.infinite", "a table holds finite numbers and NaN for what is missing");
  Table table;
  table.names = std::move(names);
  table.values = std::move(values);
  return table;
}

Missing missing_policy(const std::string& name) {
  if (same_name(name, "refuse")) return Missing::refuse;
  if (same_name(name, "drop-rows")) return Missing::drop_rows;
  if (same_name(name, "drop-columns")) return Missing::drop_columns;
  if (same_name(name, "mean")) return Missing::mean;
  unknown_name("way to treat missing cells", name, {"refuse", "drop-rows", "drop-columns", "mean"});
}

Table without_missing(Table table, Missing policy, std::vector<std::string>* remarks) {
  const auto remark = [&](const std::string& text) {
    if (remarks) remarks->push_back(table.source.empty() ? text : table.source + ": " + text);
  };
  std::vector<Index> missing;
  for (Index j = 0; j < table.columns(); ++j) missing.push_back(missing_in(table.values, j));
  if (std::all_of(missing.begin(), missing.end(), [](Index count) { return count == 0; })) return table;

  switch (policy) {
    case Missing::refuse:
      refuse_missing(table, missing);
    case Missing::drop_rows: {
      const Index before = table.rows();
      std::vector<Index> whole;
      for (Index i = 0; i < before; ++i)
        if (!table.values.row(i).array().isNaN().any()) whole.push_back(i);
      if (whole.empty())
        throw Error(Fault::input, "table.missing", fmt::format("each of the {} rows has a missing cell", before),
                    "--missing drop-columns or --missing mean", {.file = table.source});
      keep_rows(table, whole);
      remark(fmt::format("left out {} of {} rows, which have missing cells", before - table.rows(), before));
      return table;
    }
    case Missing::drop_columns: {
      std::vector<Index> whole;
      std::vector<std::string> dropped;
      for (Index j = 0; j < table.columns(); ++j) {
        if (missing[at(j)] == 0) {
          whole.push_back(j);
        } else {
          dropped.push_back(fmt::format("left out column {}: {} of its {} cells are missing",
                                        in_quotes(table.names[at(j)]), missing[at(j)], table.rows()));
        }
      }
      if (whole.empty())
        throw Error(Fault::input, "table.missing",
                    fmt::format("each of the {} columns has a missing cell", table.columns()),
                    "--missing drop-rows or --missing mean", {.file = table.source});
      table.select_columns(whole);
      for (std::string& line : dropped) remark(std::move(line));
      return table;
    }
    case Missing::mean:
      for (Index j = 0; j < table.columns(); ++j) {
        if (missing[at(j)] == 0) continue;
        const Index present = table.rows() - missing[at(j)];
        if (present == 0)
          throw Error(Fault::input, "table.missing",
                      fmt::format("column {} has no value at all, hence no mean", in_quotes(table.names[at(j)])),
                      "--missing drop-columns or --exclude", {.file = table.source});
        // In increasing order, so that the order of rows does not matter, and divided before adding up: a column near
        // the largest double has a mean all the same.
        std::vector<double> values;
        for (const double value : table.values.col(j))
          if (!std::isnan(value)) values.push_back(value);
        std::sort(values.begin(), values.end());
        double mean = 0.0;
        for (const double value : values) mean += value / static_cast<double>(present);
        for (double& value : table.values.col(j))
          if (std::isnan(value)) value = mean;
        remark(fmt::format("filled {} missing cells of column {} with its mean", missing[at(j)],
                           in_quotes(table.names[at(j)])));
      }
      return table;
  }
  throw Error(Fault::internal, "table.policy", "an unknown way to treat missing cells");
}

}  // namespace cda
