// A CSV file as a table of numbers. One pass over one buffer: fields are views, numbers go straight into the matrix,
// and a cell at fault is remembered, not thrown, so that all columns of text can be named at once. Faults of form (a
// row too short, an open quote) end the reading where they stand. Cost: O(bytes) time, the file and the matrix in
// memory.
#include "data/csv_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <new>
#include <string_view>
#include <unordered_set>

#include "cda/error.hpp"
#include "data/columns.hpp"
#include "data/csv_columns.hpp"
#include "data/csv_dialect.hpp"
#include "data/csv_scanner.hpp"
#include "data/number.hpp"
#include "foundation/utf8.hpp"

namespace cda {
namespace {

constexpr double missing = std::numeric_limits<double>::quiet_NaN();

void check_options(const ReadOptions& options) {
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

// Comments go; blank lines go with them, except after the header of a file of one column, where each stands for a
// missing value. Returns how many blank lines there were.
Index skip_between_rows(CsvScanner& scanner, char comment) {
  Index blank = 0;
  while (!scanner.done()) {
    if (scanner.blank_line())
      ++blank;
    else if (comment == 0 || scanner.peek() != comment)
      break;
    scanner.skip_line();
  }
  return blank;
}

Index lines_in(std::string_view text) {
  Index lines = text.empty() || text.back() == '\n' || text.back() == '\r' ? 0 : 1;
  for (std::size_t i = 0; i < text.size(); ++i)
    lines += text[i] == '\n' || (text[i] == '\r' && (i + 1 == text.size() || text[i + 1] != '\n')) ? 1 : 0;
  return lines;
}

class Reader {
 public:
  Reader(std::string_view text, const CsvSource& source) : text_(text), source_(source) {}

  RawTable read() {
    CsvScanner scanner(text_, source_.delimiter, source_.file);
    read_header(scanner);
    allocate(scanner.rest());
    read_rows(scanner);
    if (rows_ == 0) throw Error(Fault::input, "table.no-rows", "there are no data rows", "", {.file = source_.file});
    settle_faults(columns_, source_, first_column_is_unique(), warnings_);
    return table();
  }

 private:
  void read_header(CsvScanner& scanner) {
    skip_between_rows(scanner, source_.options.comment);
    if (scanner.done()) throw Error(Fault::input, "csv.empty", "the file is empty", "", {.file = source_.file});
    CsvScanner at_begin = scanner;
    std::vector<CsvField> header;
    do header.push_back(scanner.next(static_cast<long>(header.size() + 1)));
    while (header.back().end == source_.delimiter);
    const bool trailing = header.size() > 1 && header.back().text.empty() && !header.back().quoted;
    if (trailing && source_.options.ignore_trailing_delimiter) header.pop_back();
    if (trailing && !source_.options.ignore_trailing_delimiter) refuse_trailing_delimiter(scanner, header.size());
    name_columns(header);
    if (!source_.options.header) scanner = at_begin;
  }

  void name_columns(const std::vector<CsvField>& header) {
    std::vector<std::string> names = numbered_names(header.size());
    if (source_.options.header) {
      bool all_numbers = true;
      for (std::size_t j = 0; j < header.size(); ++j) {
        names[j] = header[j].quoted ? header[j].plain() : std::string(trimmed(header[j].text));
        double value = 0.0;
        all_numbers = all_numbers && parse_number(names[j], format_, value) == NumberKind::number;
      }
      if (all_numbers)
        warnings_.push_back(
            fmt::format("{}: the first line holds numbers only but was taken for the column names; "
                        "if it is data: --header no",
                        source_.file));
      settle_names(names, source_.options, {.file = source_.file, .line = header.front().line}, warnings_);
    }
    const std::vector<RawColumn::Use> uses = column_uses(names, source_.options, source_.file, warnings_);
    columns_.resize(names.size());
    for (std::size_t j = 0; j < names.size(); ++j) {
      columns_[j].name = std::move(names[j]);
      columns_[j].use = uses[j];
    }
  }

  // `a,b,` over `1,2,`: read as it stands, that is a third column without name and without values.
  void refuse_trailing_delimiter(CsvScanner ahead, std::size_t columns) const {
    skip_between_rows(ahead, source_.options.comment);
    if (ahead.done()) return;
    std::size_t fields = 0;
    CsvField field;
    do field = ahead.next(static_cast<long>(++fields));
    while (field.end == source_.delimiter);
    if (fields == columns && field.text.empty() && !field.quoted)
      throw Error(Fault::input, "csv.trailing-delimiter",
                  fmt::format("lines end with {}, which begins a further field", delimiter_name(source_.delimiter)),
                  "--ignore-trailing-delimiter", {.file = source_.file, .line = field.line});
  }

  // Room for every row there can be: no more than lines, and a row of c fields takes at least c bytes, but for one
  // that is too short and about to be refused. Without blank lines the first bound is exact and nothing is copied.
  void allocate(std::string_view rest) {
    const auto fields = static_cast<Index>(columns_.size());
    const Index most = std::min(lines_in(rest), (static_cast<Index>(rest.size()) + 1) / fields + 1);
    Index used = 0;
    for (CsvColumn& column : columns_)
      if (column.use == RawColumn::Use::values) column.target = used++;
    try {
      values_.resize(most, used);
    } catch (const std::bad_alloc&) {
      const double gigabytes = static_cast<double>(most) * static_cast<double>(used) * 8e-9;
      throw Error(Fault::resource, "csv.memory", fmt::format("not enough memory for a table of {:.1f} GB", gigabytes),
                  "", {.file = source_.file});
    }
  }

  void read_rows(CsvScanner& scanner) {
    const auto width = static_cast<long>(columns_.size());
    for (;;) {
      const Index blank = skip_between_rows(scanner, source_.options.comment);
      if (scanner.done()) return;
      if (width == 1)
        for (Index i = 0; i < blank; ++i) add_blank_row();
      const long line = scanner.line();
      long fields = 0;
      CsvField first, field;
      do {
        field = scanner.next(++fields);
        if (fields == 1) first = field;
        if (fields <= width) store(static_cast<std::size_t>(fields - 1), field);
      } while (field.end == source_.delimiter);
      const bool trailing = fields == width + 1 && field.text.empty() && !field.quoted;
      if (fields != width && !(trailing && source_.options.ignore_trailing_delimiter))
        refuse_ragged(fields, columns_, first, field, line, rows_ == 0, source_);
      ++rows_;
    }
  }

  void add_blank_row() {
    CsvColumn& column = columns_[0];
    if (column.target >= 0)
      values_(rows_, column.target) = missing;
    else
      column.texts.emplace_back();
    ++rows_;
  }

  void store(std::size_t j, const CsvField& field) {
    CsvColumn& column = columns_[j];
    if (column.use == RawColumn::Use::none) return;
    if (column.use != RawColumn::Use::values) return store_text(column, static_cast<long>(j + 1), field);
    double& value = values_(rows_, column.target);
    const std::string_view text = trimmed(field.text);
    value = missing;
    if (text.empty() || named_missing(text)) return;
    CellFault fault = CellFault::too_long;
    if (text.size() <= longest_number) {
      switch (parse_number(text, format_, value)) {
        case NumberKind::number:
          ++column.numbers;
          return;
        case NumberKind::too_large:
          fault = CellFault::too_large;
          break;
        case NumberKind::infinite:
          fault = CellFault::infinite;
          break;
        case NumberKind::not_a_number:
          fault = CellFault::text;
          break;
      }
    }
    if (fault == CellFault::text && usual_missing_token(text)) return;
    if (++column.faults > 1) return;
    column.fault = fault;
    column.line = field.line;
    column.cell = text.substr(0, 200);
  }

  void store_text(CsvColumn& column, long number, const CsvField& field) {
    std::string text = field.plain();
    if (column.use == RawColumn::Use::encode) {
      const std::string bare(field.quoted ? std::string_view(text) : trimmed(text));
      text = usual_missing_token(bare) || named_missing(bare) ? "" : bare;
    }
    if (!valid_utf8(text))
      throw Error(Fault::input, "text.encoding", "the text " + quoted(text) + " is not UTF-8",
                  "--encoding latin1, if the file was written on an older system",
                  {.file = source_.file, .line = field.line, .column = number});
    column.texts.push_back(std::move(text));
  }

  // Asked before the number is read: -999 may stand for a missing value.
  bool named_missing(std::string_view text) const {
    const auto& tokens = source_.options.missing_tokens;
    return !tokens.empty() && std::find(tokens.begin(), tokens.end(), text) != tokens.end();
  }

  // Only asked for when something is wrong with that column, hence a second pass.
  bool first_column_is_unique() const {
    if (columns_[0].faults == 0 || columns_[0].numbers > 0) return false;
    CsvScanner scanner(text_, source_.delimiter, source_.file);
    std::unordered_set<std::string_view> seen;
    for (;;) {
      skip_between_rows(scanner, source_.options.comment);
      if (scanner.done()) return true;
      CsvField field = scanner.next(1);
      if (!seen.insert(field.text).second) return false;
      while (field.end == source_.delimiter) field = scanner.next(1);
    }
  }

  RawTable table() {
    RawTable raw;
    raw.file = source_.file;
    raw.rows = rows_;
    raw.chosen = true;
    raw.warnings = std::move(warnings_);
    for (CsvColumn& column : columns_)
      raw.columns.push_back({.name = std::move(column.name),
                             .use = column.use,
                             .numbers = column.target,
                             .texts = std::move(column.texts)});
    raw.numbers = rows_ == values_.rows() ? std::move(values_) : Matrix(values_.topRows(rows_));
    return raw;
  }

  std::string_view text_;
  const CsvSource& source_;
  NumberFormat format_{source_.options.decimal, source_.options.thousands};
  std::vector<CsvColumn> columns_;
  Matrix values_;
  std::vector<std::string> warnings_;
  Index rows_ = 0;
};

}  // namespace

RawTable read_csv(std::string_view text, const std::string& file, const ReadOptions& options) {
  check_options(options);
  const CsvSource source{file, csv_delimiter(text, options, file), options};
  return Reader(text, source).read();
}

}  // namespace cda
