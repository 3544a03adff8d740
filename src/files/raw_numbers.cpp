#include "files/raw_numbers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "cda/error.hpp"

namespace cda {

void RawTableBuilder::check_rows(const std::string& name, Index rows) {
  if (!rows_known_) table_.rows = rows;
  rows_known_ = true;
  if (rows != table_.rows)
    throw Error(Fault::input, "table.rows",
                fmt::format("column {} has {} rows, those before it have {}", in_quotes(name), rows, table_.rows), "",
                {.file = table_.file});
}

void RawTableBuilder::add_numbers(const std::vector<std::string>& names, Matrix&& values) {
  check_rows(names.empty() ? "" : names.front(), values.rows());
  if (static_cast<Index>(names.size()) != values.cols())
    throw Error(Fault::input, "table.names",
                fmt::format("there are {} names for {} columns", names.size(), values.cols()), "",
                {.file = table_.file});
  for (const std::string& name : names) table_.columns.push_back({.name = name, .numbers = width_++});
  pieces_.push_back(std::move(values));
}

void RawTableBuilder::add_texts(const std::string& name, std::vector<std::string> texts) {
  check_rows(name, static_cast<Index>(texts.size()));
  table_.columns.push_back({.name = name, .texts = std::move(texts)});
}

void RawTableBuilder::add_unreadable(const std::string& name, Error fault) {
  table_.columns.push_back({.name = name, .fault = std::move(fault)});
}

void RawTableBuilder::add_row_names(std::string name, std::vector<std::string> texts) {
  const auto taken = [&] {
    return std::any_of(table_.columns.begin(), table_.columns.end(),
                       [&](const RawColumn& column) { return column.name == name; });
  };
  while (taken()) name += "_";
  add_texts(name, std::move(texts));
  table_.columns.back().names_rows = true;
}

void RawTableBuilder::add_rounded(const std::string& what, Index count) {
  if (count == 0) return;
  table_.warnings.push_back(fmt::format("{}: {}: {} whole number{} beyond 2^53 and rounded", table_.file, what, count,
                                        count == 1 ? " is" : "s are"));
}

RawTable RawTableBuilder::table() {
  if (!rows_known_ && !table_.columns.empty()) throw *table_.columns.front().fault;
  if (pieces_.size() == 1) {
    table_.numbers = std::move(pieces_.front());
  } else {
    table_.numbers.resize(table_.rows, width_);
    Index begin = 0;
    for (Matrix& piece : pieces_) {
      table_.numbers.middleCols(begin, piece.cols()) = piece;
      begin += piece.cols();
      piece.resize(0, 0);
    }
  }
  return std::move(table_);
}

}  // namespace cda
