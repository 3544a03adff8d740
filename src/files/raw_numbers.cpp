#include "files/raw_numbers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

#include "cda/error.hpp"

namespace cda {
namespace {

struct Truth {
  char byte;
  explicit operator double() const { return byte != 0 ? 1.0 : 0.0; }
};

struct Half {
  std::uint16_t bits;
  explicit operator double() const {
    const int exponent = (bits >> 10) & 31;
    const double fraction = bits & 1023;
    const double sign = (bits & 0x8000) != 0 ? -1.0 : 1.0;
    if (exponent == 0) return sign * std::ldexp(fraction, -24);
    if (exponent < 31) return sign * std::ldexp(1024.0 + fraction, exponent - 25);
    return fraction == 0.0 ? sign * std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
  }
};

template <class Number>
void read_as(const char* from, bool big_endian, double* to, Index count, Index& rounded) {
  for (Index i = 0; i < count; ++i, from += sizeof(Number)) {
    const auto value = stored<Number>(from, big_endian);
    if constexpr (std::is_integral_v<Number>)
      to[i] = nearest_double(value, rounded);
    else
      to[i] = static_cast<double>(value);
  }
}

}  // namespace

void read_numbers(const char* from, const StoredType& type, double* to, Index count, Index& rounded) {
  const auto read = [&](auto number) { read_as<decltype(number)>(from, type.big_endian, to, count, rounded); };
  const std::size_t bytes = type.bytes;
  if (type.kind == 'b') return read(Truth{});
  if (type.kind == 'i')
    return bytes == 1   ? read(std::int8_t{})
           : bytes == 2 ? read(std::int16_t{})
           : bytes == 4 ? read(std::int32_t{})
                        : read(std::int64_t{});
  if (type.kind == 'u')
    return bytes == 1   ? read(std::uint8_t{})
           : bytes == 2 ? read(std::uint16_t{})
           : bytes == 4 ? read(std::uint32_t{})
                        : read(std::uint64_t{});
  return bytes == 2 ? read(Half{}) : bytes == 4 ? read(float{}) : read(double{});
}

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
