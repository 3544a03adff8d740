// Numbers are integers, floats, decimals and booleans; dates, times and the like are text; a null or NaN is missing.
// Names and types are looked at first, and only columns that are used are read, a few thousand rows at a time, straight
// into their places. DuckDB takes columns that differ in capital letters for one, so they are addressed by position.
#include "files/parquet_reader.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <limits>

#include "files/columns.hpp"
#include "files/duckdb.hpp"

namespace cda {
namespace {

using Use = RawColumn::Use;

constexpr double missing = std::numeric_limits<double>::quiet_NaN();

// How the values of a column come out of DuckDB: as doubles without loss, as 64-bit integers, as the digits of a
// decimal that may have more of them than a double, as text, or not at all.
enum class Kind { real, whole, natural, digits, text, other };

struct FileColumn {
  std::string name, type;
  Kind kind = Kind::other;
  int scale = 0;  // digits after the point, where kind is digits
};

bool begins(const std::string& text, const char* with) { return text.rfind(with, 0) == 0; }

void set_kind(FileColumn& column) {
  const std::string& type = column.type;
  const auto among = [&](std::initializer_list<const char*> types) {
    return std::any_of(types.begin(), types.end(), [&](const char* known) { return type == known; });
  };
  if (type.ends_with(']')) return;  // lists of whatever it is
  int width = 0;
  if (std::sscanf(type.c_str(), "DECIMAL(%d,%d)", &width, &column.scale) == 2)
    column.kind = width <= std::numeric_limits<double>::digits10 ? Kind::real : Kind::digits;
  else if (among({"BOOLEAN", "TINYINT", "SMALLINT", "INTEGER", "UTINYINT", "USMALLINT", "UINTEGER", "FLOAT", "DOUBLE",
                  "\"NULL\""}))
    column.kind = Kind::real;
  else if (type == "BIGINT")
    column.kind = Kind::whole;
  else if (type == "UBIGINT")
    column.kind = Kind::natural;
  else if (among({"VARCHAR", "JSON", "UUID", "DATE", "INTERVAL"}) || begins(type, "TIME"))
    column.kind = Kind::text;
}

std::vector<FileColumn> columns_of(DuckDb& database) {
  std::vector<FileColumn> columns;
  database.each("SELECT column_type FROM (DESCRIBE SELECT * FROM read_parquet(" + database.file() +
                    ", hive_partitioning = false))",
                [&](const DuckDbRows& rows) {
                  for (Index i = 0; i < rows.count(); ++i) {
                    columns.push_back({.name = {}, .type = std::string(rows.text(i, 0))});
                    set_kind(columns.back());
                  }
                });
  // The schema as the file has it: a tree, each node before its children. The root's children are the columns.
  std::size_t column = 0;
  std::int64_t inside = -1;  // nodes still to come below the present column; before the root: -1
  database.each("SELECT name, coalesce(num_children, 0)::BIGINT FROM parquet_schema(" + database.file() + ")",
                [&](const DuckDbRows& rows) {
                  for (Index i = 0; i < rows.count(); ++i) {
                    const std::int64_t children = rows.values<std::int64_t>(1)[i];
                    if (inside == 0) {
                      if (column < columns.size()) columns[column].name = std::string(rows.text(i, 0));
                      ++column;
                      inside = children;
                    } else {
                      inside = inside < 0 ? 0 : inside - 1 + children;
                    }
                  }
                });
  if (column != columns.size() || inside != 0) throw DuckDbFailure("its schema is not whole");
  return columns;
}

[[noreturn]] void refuse_infinity(const std::string& file, const std::string& column, Index row) {
  throw Error(Fault::input, "parquet.infinite",
              fmt::format("row {} of column {} is infinite, which is not a measurement", row + 1, in_quotes(column)),
              "make it null where the file is written, or --exclude the column", {.file = file});
}

// Memory that a table may take.
double byte_limit(const ReadOptions& options) {
  if (options.max_bytes > 0) return static_cast<double>(options.max_bytes);
  constexpr double largest = 64.0 * (1 << 30);
  const long pages = ::sysconf(_SC_PHYS_PAGES), page = ::sysconf(_SC_PAGESIZE);
  return pages > 0 && page > 0 ? std::min(largest, static_cast<double>(pages) * static_cast<double>(page)) : largest;
}

class Reader {
 public:
  Reader(int descriptor, std::string file, const ReadOptions& options)
      : database_(descriptor), options_(options), columns_(columns_of(database_)), limit_(byte_limit(options)) {
    raw_.file = std::move(file);
    source_ = fmt::format("read_parquet({}, hive_partitioning = false) AS file(", database_.file());
    for (std::size_t j = 0; j < columns_.size(); ++j) source_ += fmt::format("{}c{}", j == 0 ? "" : ", ", j);
    source_ += ')';
  }

  RawTable table() {
    database_.each("SELECT count(*) FROM " + source_,
                   [&](const DuckDbRows& rows) { raw_.rows = rows.values<std::int64_t>(0)[0]; });
    plan();
    read_examples();
    read_rows();
    for (const Reading& reading : readings_)
      if (reading.inexact > 0)
        raw_.warnings.push_back(
            fmt::format("{}: column {}: {} of {} numbers have more digits than are kept (about 16) and are rounded",
                        raw_.file, in_quotes(raw_.columns[reading.column].name), reading.inexact, raw_.rows));
    return std::move(raw_);
  }

 private:
  struct Reading {
    std::size_t source;  // among the columns of the file
    std::size_t column;  // among those of the table
    Kind kind;
    int scale;
    Index inexact = 0;
  };

  // What becomes of each column, before any row is read.
  void plan() {
    std::vector<std::string> names;
    for (const FileColumn& column : columns_) names.push_back(column.name);
    settle_names(names, options_, {.file = raw_.file}, raw_.warnings);
    std::vector<std::string> said_later;  // by choose_columns(), which goes the same way
    std::vector<Use> uses = column_uses(names, options_, raw_.file, said_later);
    std::vector<bool> names_rows(names.size());
    for (std::size_t j = 0; j < names.size(); ++j) {
      names_rows[j] = columns_[j].name == pandas_index;
      if (names_rows[j] && uses[j] == Use::values && options_.only.empty())
        uses[j] = options_.index_column.empty() ? Use::index : Use::none;
    }
    const auto unwanted_text = [&](std::size_t j) { return columns_[j].kind == Kind::text && uses[j] == Use::values; };
    bool refused = false;  // as text: then nothing but what the message says has to be read
    for (std::size_t j = 0; j < names.size(); ++j) refused = refused || (unwanted_text(j) && !options_.only_numeric);
    refused = refused && raw_.rows > 0;

    Index numbers = 0, texts = 0;
    for (std::size_t j = 0; j < names.size(); ++j) {
      const Kind kind = columns_[j].kind;
      if (kind == Kind::other && uses[j] != Use::none && !left_out(names[j], columns_[j].type, uses[j]))
        throw Error(Fault::input, "parquet.type",
                    fmt::format("column {} is of the type {}, which is neither a number nor text", in_quotes(names[j]),
                                in_quotes(columns_[j].type)),
                    "--exclude it", {.file = raw_.file, .column = static_cast<long>(j + 1)});
      if (kind == Kind::other && uses[j] != Use::none) continue;
      raw_.columns.push_back({.name = names[j], .names_rows = names_rows[j]});
      const std::size_t here = raw_.columns.size() - 1;
      if (uses[j] == Use::none) continue;
      // Without rows there is no text either: what is said then is that there are no rows.
      if (kind != Kind::text || raw_.rows == 0)
        raw_.columns[here].numbers = numbers++;
      else if (unwanted_text(j))
        examples_.push_back({j, here, kind, 0});
      else
        ++texts;
      if (refused ? j == 0 && unwanted_text(j) : !unwanted_text(j))
        readings_.push_back({j, here, kind, columns_[j].scale});
    }
    if (refused) numbers = 0;
    check_size(numbers, texts);
    raw_.numbers.resize(raw_.rows, numbers);
  }

  bool left_out(const std::string& name, const std::string& type, Use use) {
    if (!options_.only_numeric || !options_.only.empty() || use != Use::values) return false;
    raw_.warnings.push_back(
        fmt::format("{}: left out column {}: it is of the type {}", raw_.file, in_quotes(name), in_quotes(type)));
    return true;
  }

  void check_size(Index numbers, Index texts) {
    bytes_ = static_cast<double>(raw_.rows) *
             (static_cast<double>(numbers) * sizeof(double) + static_cast<double>(texts) * sizeof(std::string));
    if (bytes_ > limit_) refuse_size();
  }

  [[noreturn]] void refuse_size() const {
    throw Error(Fault::resource, "input.too-large",
                fmt::format("{} rows need more than the {:.0f} bytes that are allowed", raw_.rows, limit_),
                "--only reads fewer columns; --max-bytes allows more, if the machine has the memory",
                {.file = raw_.file});
  }

  // One text of each column that should have been numbers, for the message.
  void read_examples() {
    if (examples_.empty()) return;
    std::string outer, inner;
    for (const Reading& example : examples_) {
      const char* const comma = outer.empty() ? "" : ", ";
      outer += fmt::format("{}any_value(c{})", comma, example.source);
      inner += fmt::format("{}nullif(c{}::VARCHAR, '') AS c{}", comma, example.source, example.source);
    }
    database_.each(fmt::format("SELECT {} FROM (SELECT {} FROM {} LIMIT 2048)", outer, inner, source_),
                   [&](const DuckDbRows& rows) {
                     for (std::size_t j = 0; j < examples_.size(); ++j)
                       if (const auto column = static_cast<Index>(j); !rows.missing(0, column))
                         raw_.columns[examples_[j].column].texts = {std::string(rows.text(0, column))};
                   });
  }

  void read_rows() {
    if (readings_.empty() || raw_.rows == 0) return;
    std::string list;
    for (const Reading& reading : readings_) {
      const char* const type = reading.kind == Kind::real      ? "DOUBLE"
                               : reading.kind == Kind::whole   ? "BIGINT"
                               : reading.kind == Kind::natural ? "UBIGINT"
                                                               : "VARCHAR";
      list += fmt::format("{}c{}::{}", list.empty() ? "" : ", ", reading.source, type);
      if (reading.kind != Kind::text) continue;
      raw_.columns[reading.column].texts.clear();
      raw_.columns[reading.column].texts.reserve(static_cast<std::size_t>(raw_.rows));
    }
    Index begin = 0;
    database_.each("SELECT " + list + " FROM " + source_, [&](const DuckDbRows& rows) {
      if (rows.count() > raw_.rows - begin) throw DuckDbFailure("it holds more rows than it says");
      for (std::size_t j = 0; j < readings_.size(); ++j) take(readings_[j], rows, static_cast<Index>(j), begin);
      begin += rows.count();
    });
    if (begin != raw_.rows) throw DuckDbFailure(fmt::format("it ends after {} of {} rows", begin, raw_.rows));
  }

  void take(Reading& reading, const DuckDbRows& rows, Index j, Index begin) {
    RawColumn& column = raw_.columns[reading.column];
    if (reading.kind == Kind::text) {
      for (Index i = 0; i < rows.count(); ++i) {
        column.texts.emplace_back(rows.missing(i, j) ? std::string_view() : rows.text(i, j));
        bytes_ += static_cast<double>(column.texts.back().size());
      }
      if (bytes_ > limit_) refuse_size();
      return;
    }
    double* const to = raw_.numbers.col(column.numbers).data() + begin;
    for (Index i = 0; i < rows.count(); ++i) {
      to[i] = rows.missing(i, j) ? missing : number(reading, rows, i, j);
      if (std::isinf(to[i])) refuse_infinity(raw_.file, column.name, begin + i);
    }
  }

  static double number(Reading& reading, const DuckDbRows& rows, Index i, Index j) {
    constexpr double two_to_63 = 9223372036854775808.0;
    double value = missing;
    bool exact = true;
    if (reading.kind == Kind::real) {
      value = rows.values<double>(j)[i];
    } else if (reading.kind == Kind::whole) {
      const std::int64_t whole = rows.values<std::int64_t>(j)[i];
      value = static_cast<double>(whole);
      exact = value < two_to_63 && static_cast<std::int64_t>(value) == whole;
    } else if (reading.kind == Kind::natural) {
      const std::uint64_t natural = rows.values<std::uint64_t>(j)[i];
      value = static_cast<double>(natural);
      exact = value < 2.0 * two_to_63 && static_cast<std::uint64_t>(value) == natural;
    } else {
      const std::string_view digits = rows.text(i, j);
      const auto end = digits.data() + digits.size();
      if (const auto [stop, error] = std::from_chars(digits.data(), end, value); error != std::errc() || stop != end)
        throw DuckDbFailure("a decimal number is not one");
      // Kept where the same decimal comes back.
      exact = digits.size() <= std::numeric_limits<double>::digits10 ||
              fmt::format("{:.{}f}", value, reading.scale) == digits;
    }
    if (!exact) ++reading.inexact;
    return value;
  }

  DuckDb database_;
  const ReadOptions& options_;
  std::vector<FileColumn> columns_;
  std::string source_;  // the file in a FROM clause, its columns called c0, c1, ...
  std::vector<Reading> readings_, examples_;
  double limit_, bytes_ = 0.0;
  RawTable raw_;
};

}  // namespace

RawTable read_parquet(int descriptor, const std::string& file, const ReadOptions& options) {
  return Reader(descriptor, file, options).table();
}

}  // namespace cda
