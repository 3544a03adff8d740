#include "files/csv_header.hpp"

#include <fmt/format.h>

#include "cda/error.hpp"
#include "files/columns.hpp"
#include "files/csv_dialect.hpp"
#include "files/csv_rows.hpp"
#include "files/number.hpp"

namespace cda {
namespace {

// `a,b,` over `1,2,`: read as it stands, that is a third column without name and without values.
void refuse_trailing_delimiter(CsvScanner ahead, std::size_t columns, const CsvSource& source) {
  skip_between_rows(ahead, source.options.comment);
  if (ahead.done()) return;
  std::size_t fields = 0;
  CsvField field;
  do field = ahead.next(static_cast<long>(++fields));
  while (field.end == source.delimiter);
  if (fields == columns && field.text.empty() && !field.quoted)
    throw Error(Fault::input, "csv.trailing-delimiter",
                fmt::format("lines end with {}, which begins a further field", delimiter_name(source.delimiter)),
                "--ignore-trailing-delimiter", {.file = source.file, .line = field.line});
}

std::vector<CsvColumn> named_columns(const std::vector<CsvField>& header, const CsvSource& source,
                                     std::vector<std::string>& warnings) {
  std::vector<std::string> names = numbered_names(header.size());
  if (source.options.header) {
    const NumberFormat format{source.options.decimal, source.options.thousands};
    bool all_numbers = true;
    for (std::size_t j = 0; j < header.size(); ++j) {
      names[j] = header[j].quoted ? header[j].plain() : std::string(trimmed(header[j].text));
      double value = 0.0;
      all_numbers = all_numbers && parse_number(names[j], format, value) == NumberKind::number;
    }
    if (all_numbers)
      warnings.push_back(
          fmt::format("{}: the first line holds numbers only but was taken for the column names; "
                      "if it is data: --header no",
                      source.file));
    settle_names(names, source.options, {.file = source.file, .line = header.front().line}, warnings);
  }
  const std::vector<RawColumn::Use> uses = column_uses(names, source.options, source.file, warnings);
  std::vector<CsvColumn> columns(names.size());
  Index used = 0;
  for (std::size_t j = 0; j < names.size(); ++j) {
    columns[j].name = std::move(names[j]);
    columns[j].use = uses[j];
    if (uses[j] == RawColumn::Use::values) columns[j].target = used++;
  }
  return columns;
}

}  // namespace

void check_csv_options(const ReadOptions& options) {
  const auto refuse = [](const std::string& message) { throw Error(Fault::usage, "csv.options", message); };
  for (const char bad : {'"', '\n', '\r'})
    if (options.delimiter == bad || options.comment == bad) refuse("a quote or a line end cannot be a delimiter");
  if (options.decimal != '.' && options.decimal != ',') refuse("the decimal mark is a point or a comma");
  if (options.thousands == options.decimal) refuse("the decimal mark and the thousands separator must differ");
  if (options.delimiter != 0 && options.delimiter == options.decimal)
    refuse("the delimiter and the decimal mark must differ");
  if (options.thousands != 0 && std::string_view(" ,.'_").find(options.thousands) == std::string_view::npos)
    refuse("the thousands separator is one of , . ' _ or a space");
}

CsvHeader read_csv_header(std::string_view text, const CsvSource& source, std::vector<std::string>& warnings) {
  CsvScanner scanner(text, source.delimiter, source.file);
  skip_between_rows(scanner, source.options.comment);
  if (scanner.done()) throw Error(Fault::input, "csv.empty", "the file is empty", "", {.file = source.file});
  const CsvScanner begin = scanner;
  std::vector<CsvField> header;
  do header.push_back(scanner.next(static_cast<long>(header.size() + 1)));
  while (header.back().end == source.delimiter);
  const bool trailing = header.size() > 1 && header.back().text.empty() && !header.back().quoted;
  if (trailing && source.options.ignore_trailing_delimiter) header.pop_back();
  if (trailing && !source.options.ignore_trailing_delimiter) refuse_trailing_delimiter(scanner, header.size(), source);
  if (!source.options.header) scanner = begin;
  return {named_columns(header, source, warnings), scanner.rest(), scanner.line()};
}

}  // namespace cda
