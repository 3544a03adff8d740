// What to say when a file is not a table of numbers: where, what was found, and the one thing that most likely helps.
#include <fmt/format.h>

#include <algorithm>

#include "cda/error.hpp"
#include "cda/files.hpp"
#include "files/columns.hpp"
#include "files/csv_columns.hpp"
#include "files/csv_dialect.hpp"

namespace cda {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// A number all the same, in a notation that was not expected: what to do about it, or nothing.
std::string other_notation(const std::string& cell, const CsvSource& source) {
  if (cell.find("\u2212") != std::string::npos) return "the minus sign is U+2212; write an ordinary \"-\"";
  const auto reads = [&](char decimal, char thousands) {
    double value = 0.0;
    return parse_number(cell, {decimal, thousands}, value) == NumberKind::number;
  };
  if (source.options.decimal == ',') return reads(',', '.') ? "--thousands ." : "";
  if (source.delimiter != ',' && reads(',', 0)) return "--decimal ,";
  if (source.delimiter != ',' && reads(',', '.')) return "--decimal , --thousands .";
  return reads('.', ',') ? "--thousands ," : "";
}

// Several numbers with another delimiter between them: that, or nothing.
std::string other_delimiter(const std::string& cell, const CsvSource& source) {
  const std::size_t other = cell.find_first_of(",;\t| ");
  const bool numbers = cell.find_first_not_of("0123456789.,;\t| +-eE") == std::string::npos;
  if (!numbers || other == std::string::npos || cell[other] == source.delimiter || !is_digit(cell.front()) ||
      !is_digit(cell.back()))
    return "";
  return cell[other] == '\t' ? "\\t" : std::string(1, cell[other]);
}

// A cell as it is typed after --na.
std::string as_token(const std::string& cell) {
  const std::string safe = in_quotes(cell);
  if (safe == '"' + cell + '"' && cell.find_first_of("$`!") == std::string::npos) return safe;
  const std::string word = typed(cell);
  return word == cell || word.front() == '\'' ? word : "TOKEN";
}

// #N/A, #DIV/0!, #REF! and their kin.
bool error_of_a_spreadsheet(const std::string& cell) {
  return cell.size() > 2 && std::all_of(cell.begin() + 1, cell.end(), [](char c) {
           return (c >= 'A' && c <= 'Z') || std::string_view("/!?0").find(c) != std::string_view::npos;
         });
}

// `first`: the column is the first of its line.
std::string hint_for(const CsvColumn& column, bool first, const CsvSource& source) {
  const std::string& cell = column.cell;
  if (column.fault == CellFault::infinite) return "infinity is not a measurement: --na " + as_token(cell);
  if (column.fault != CellFault::text) return "";
  std::string hint = other_notation(cell, source);
  if (const std::string delimiter = other_delimiter(cell, source); hint.empty() && !delimiter.empty())
    hint = fmt::format("fields are split at {}; if that is wrong: --delimiter '{}', if it is right: --exclude {}",
                       delimiter_name(source.delimiter), delimiter, typed(column.name));
  // A model says which columns it takes and puts nothing in place of what is missing.
  if (hint.empty() && !source.options.known.empty()) return cell.size() <= 20 ? "--na " + as_token(cell) : "";
  if (hint.empty() && cell.front() == '#' && source.options.comment == 0 && first && !error_of_a_spreadsheet(cell))
    hint = "--comment '#', if such lines are comments";
  // 50%, 12:30 and the like are values, not gaps.
  if (hint.empty() && std::any_of(cell.begin(), cell.end(), is_digit))
    return fmt::format("write it as a plain number, or leave the column out: --exclude {}", typed(column.name));
  if (hint.empty() && cell.size() <= 20) hint = fmt::format("--na {} --missing drop-rows", as_token(cell));
  return hint;
}

std::string found_in(const CsvColumn& column) {
  switch (column.fault) {
    case CellFault::too_large:
      return fmt::format("{} in column {} is too large for a double", in_quotes(column.cell), in_quotes(column.name));
    case CellFault::too_long:
      return fmt::format("a field of column {} is longer than {} bytes: {}", in_quotes(column.name), longest_number,
                         in_quotes(column.cell));
    default:
      return fmt::format("expected a number in column {}, got {}", in_quotes(column.name), in_quotes(column.cell));
  }
}

[[noreturn]] void refuse_cell(const std::vector<CsvColumn>& columns, const CsvSource& source) {
  const CsvColumn* first = nullptr;
  Index faults = 0;
  for (const CsvColumn& column : columns) {
    faults += column.faults;
    if (column.faults > 0 && (!first || column.line < first->line)) first = &column;
  }
  std::string message = found_in(*first);
  if (faults > 1) message += fmt::format("; {} more {} cannot be read", faults - 1, faults == 2 ? "cell" : "cells");
  throw Error(Fault::input, first->fault == CellFault::text ? "csv.number" : "csv.number-range", message,
              hint_for(*first, first == columns.data(), source),
              {.file = source.file, .line = first->line, .column = first - columns.data() + 1});
}

}  // namespace

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

void refuse_ragged(long fields, const std::vector<CsvColumn>& header, const CsvField& first, const CsvField& last,
                   long line, bool first_row, const CsvSource& source) {
  const auto columns = static_cast<long>(header.size());
  const auto begins_comment = [](std::string_view text) { return !text.empty() && text.front() == '#'; };
  double value = 0.0;
  const bool begins_with_text = parse_number(trimmed(first.text), {}, value) != NumberKind::number;
  std::string hint;
  if (source.options.comment == 0 && (begins_comment(first.text) || begins_comment(header.front().name)))
    hint = "--comment '#', if such lines are comments";
  else if (fields == columns + 1 && last.text.empty() && !last.quoted)
    hint = "--ignore-trailing-delimiter";
  else if (fields == columns + 1 && first_row && begins_with_text && source.options.header)
    hint = "if the first column holds row names, give it a name in the header";
  else if (fields == 2 && columns == 1 && source.delimiter == ',' && first_row)
    hint = "if these are decimal commas: --decimal ,";
  throw Error(Fault::input, "csv.ragged",
              fmt::format("row has {} {}, {} has {}", fields, fields == 1 ? "field" : "fields",
                          source.options.header ? "header" : "the first row", columns),
              hint, {.file = source.file, .line = line});
}

void settle_faults(std::vector<CsvColumn>& columns, const CsvSource& source, bool first_is_unique,
                   std::vector<std::string>& warnings) {
  std::vector<TextColumn> texts;
  bool first_is_text = false;
  for (std::size_t j = 0; j < columns.size(); ++j) {
    CsvColumn& column = columns[j];
    if (column.faults == 0 || column.fault != CellFault::text) continue;
    const std::string notation = other_notation(column.cell, source);
    const bool perhaps_numbers = !notation.empty() || !other_delimiter(column.cell, source).empty();
    if (perhaps_numbers && (column.numbers > 0 || !source.options.only_numeric)) continue;
    if (source.options.only_numeric) {
      warnings.push_back(fmt::format("{}: left out column {}: {} of its cells are not numbers (line {}: {}{}{})",
                                     source.file, in_quotes(column.name), column.faults, column.line,
                                     in_quotes(column.cell), notation.empty() ? "" : "; if they are: ", notation));
      column.use = RawColumn::Use::none;
      column.faults = 0;
    } else if (column.numbers == 0) {
      texts.push_back(
          {column.name, column.cell, {.file = source.file, .line = column.line, .column = static_cast<long>(j + 1)}});
      first_is_text = first_is_text || j == 0;
    }
  }
  // A column without a single number is a column of text; anything less is a cell at fault.
  if (!texts.empty()) refuse_text_columns(texts, first_is_text && first_is_unique, source.options);
  if (std::any_of(columns.begin(), columns.end(), [](const CsvColumn& c) { return c.faults > 0; }))
    refuse_cell(columns, source);
  if (source.options.numbers_needed && source.options.known.empty() &&
      std::none_of(columns.begin(), columns.end(), [](const CsvColumn& c) {
        return c.use == RawColumn::Use::values || c.use == RawColumn::Use::encode;
      }))
    throw Error(Fault::input, "columns.none-left", "no column holds numbers", "", {.file = source.file});
}

}  // namespace cda
