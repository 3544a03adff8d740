// The CSV reader, three ways. Against a plain reader that splits text into fields as RFC 4180 has it, one character at
// a time: where ours reads a table, every cell is what that one found, and what is clearly a table is not refused.
// Written and read again, a table is the same. Whatever is refused is refused with a harmless message. In small blocks
// on two threads everything is the same.
#include "files/csv_reader.hpp"

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <set>

#include "base/utf8.hpp"
#include "cda/error.hpp"
#include "files/columns.hpp"
#include "fuzz/targets.hpp"

namespace cda::fuzz {
namespace {

using Row = std::vector<std::string>;

// Rows of fields, or nothing where quotes are wrong. Blank lines are rows without a field.
std::optional<std::vector<Row>> plain_rows(const std::string& text, char delimiter) {
  enum class State { begin, bare, quoted, closed } state = State::begin;
  std::vector<Row> rows;
  Row row;
  std::string field;
  bool line_begun = false;
  const auto end_field = [&] {
    row.push_back(field);
    field.clear();
    state = State::begin;
  };
  const auto end_line = [&] {
    if (line_begun) end_field();
    rows.push_back(row);
    row.clear();
    line_begun = false;
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (state == State::quoted) {
      if (c != '"')
        field += c;
      else if (i + 1 < text.size() && text[i + 1] == '"')
        field += text[++i];
      else
        state = State::closed;
      continue;
    }
    if (c == '\r' || c == '\n') {
      end_line();
      if (c == '\r' && i + 1 < text.size() && text[i + 1] == '\n') ++i;
      continue;
    }
    line_begun = true;
    if (c == delimiter) {
      end_field();
    } else if (c == '"' && state == State::begin) {
      state = State::quoted;
    } else if (c == '"' || state == State::closed) {
      return std::nullopt;
    } else {
      state = State::bare;
      field += c;
    }
  }
  if (state == State::quoted) return std::nullopt;
  if (line_begun) end_line();
  return rows;
}

std::string without_blanks(const std::string& text) {
  const std::size_t begin = text.find_first_not_of(" \t"), end = text.find_last_not_of(" \t");
  return begin == std::string::npos ? "" : text.substr(begin, end - begin + 1);
}

bool simple_number(const std::string& text) {
  if (text.empty() || text.size() > 15 || text.find_first_not_of("0123456789") != std::string::npos) return false;
  return true;
}

// Names that differ and need no care, and rows of plain whole numbers below them.
bool clearly_a_table(const std::vector<Row>& rows) {
  if (rows.size() < 2 || rows[0].empty()) return false;
  std::set<std::string> names;
  for (const std::string& name : rows[0]) {
    if (name.empty() || name.find_first_not_of("abcdefghijklmnopqrstuvwxyz") != std::string::npos) return false;
    if (!names.insert(name).second) return false;
  }
  for (std::size_t i = 1; i < rows.size(); ++i) {
    if (rows[i].size() != rows[0].size()) return false;
    for (const std::string& cell : rows[i])
      if (!simple_number(cell)) return false;
  }
  return true;
}

bool same_bits(double a, double b) { return (std::isnan(a) && std::isnan(b)) || std::memcmp(&a, &b, sizeof a) == 0; }

bool same_values(const Matrix& a, const Matrix& b) {
  if (a.rows() != b.rows() || a.cols() != b.cols()) return false;
  for (Index i = 0; i < a.size(); ++i)
    if (!same_bits(a.data()[i], b.data()[i])) return false;
  return true;
}

Table read(const std::string& text, const ReadOptions& options, const CsvSharing& sharing = {}) {
  RawTable raw = read_csv(text, "fuzz.csv", options, sharing);
  raw.file = "fuzz.csv";
  choose_columns(raw, options);
  std::vector<std::string> warnings;
  Table table = assembled_table(std::move(raw), options, warnings);
  for (const std::string& warning : warnings) require(harmless(warning), "a warning that is not harmless");
  return table;
}

void compare(const Table& table, std::vector<Row> rows, const ReadOptions& options) {
  const std::size_t columns = static_cast<std::size_t>(table.columns());
  // A blank line is nothing, but in a table of one column it is a missing value; before the header and after the last
  // row it is nothing in any table.
  while (!rows.empty() && rows.front().empty()) rows.erase(rows.begin());
  while (!rows.empty() && rows.back().empty()) rows.pop_back();
  std::vector<Row> kept;
  for (Row& row : rows)
    if (!row.empty())
      kept.push_back(std::move(row));
    else if (columns == 1 && !kept.empty())
      kept.push_back({""});
  if (options.header) kept.erase(kept.begin());
  require(static_cast<Index>(kept.size()) == table.rows(), "another number of rows");
  for (std::size_t i = 0; i < kept.size(); ++i) {
    require(kept[i].size() == columns, "another number of fields");
    for (std::size_t j = 0; j < columns; ++j) {
      const std::string cell = without_blanks(kept[i][j]);
      const double value = table.values(static_cast<Index>(i), static_cast<Index>(j));
      if (std::isnan(value)) {
        require(usual_missing_token(cell), "a cell that is there was called missing: " + cell);
        continue;
      }
      char* end = nullptr;
      const double expected = std::strtod(cell.c_str(), &end);
      require(*end == '\0' && same_bits(value, expected), "another number than strtod reads: " + cell);
    }
  }
}

// Error or table, in one block and in many.
void compare_in_blocks(const std::string& text, const ReadOptions& options, const std::optional<Table>& table,
                       const std::string& complaint) {
  try {
    const Table again = read(text, options, {.threads = 2, .least_bytes = 1});
    require(table && again.names == table->names && same_values(again.values, table->values),
            "another table in blocks");
  } catch (const Error& error) {
    require(!table && complaint == error.what(), std::string("another complaint in blocks: ") + error.what());
  }
}

}  // namespace

void csv_reader(std::string_view input) {
  Choices choices(input);
  ReadOptions options;
  options.delimiter = std::string(",;\t|").at(choices.next(4));
  options.header = choices.next(4) != 0;
  const std::string text(input);
  if (text.find('\0') != std::string::npos) return;  // refused before
  const auto rows = plain_rows(text, options.delimiter);
  std::optional<Table> table;
  try {
    table = read(text, options);
  } catch (const Error& error) {
    require(error.fault() != Fault::internal, std::string("an internal error: ") + error.what());
    require(harmless(error.what()), "a message that is not harmless: " + in_quotes(error.what(), 400));
    require(!(rows && options.header && clearly_a_table(*rows)), std::string("a table was refused: ") + error.what());
    compare_in_blocks(text, options, table, error.what());
    return;
  }
  compare_in_blocks(text, options, table, "");
  require(rows.has_value(), "read a table with wrong quotes");
  compare(*table, *rows, options);
  Table again;
  try {
    again = read(to_csv(*table), {});
  } catch (const Error& error) {
    require(false, std::string("what was written cannot be read: ") + error.what());
  }
  require(again.names == table->names, "other names when written and read again");
  require(same_values(again.values, table->values), "other values when written and read again");
}

}  // namespace cda::fuzz
