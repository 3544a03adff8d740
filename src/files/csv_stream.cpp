// Text is read in blocks and cut after its last whole row; the rest is the beginning of the next block. Everything else
// is what reading a whole file does (csv_header, csv_rows), block after block.
#include "files/csv_stream.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "cda/error.hpp"
#include "cda/extend/catalogue.hpp"
#include "files/csv_dialect.hpp"
#include "files/csv_header.hpp"
#include "files/csv_reader.hpp"
#include "files/text_file.hpp"

namespace cda {
namespace {

bool ends_line(char c) { return c == '\n' || c == '\r'; }

void select_columns(Matrix& rows, const std::vector<Index>& columns) { rows = Matrix(rows(Eigen::all, columns)); }

}  // namespace

std::size_t last_row_end(std::string_view text, char comment) {
  if (text.find('"') == std::string_view::npos) {
    std::size_t at = text.find_last_of("\r\n");
    if (at != std::string_view::npos && at + 1 == text.size() && text[at] == '\r')
      at = at == 0 ? std::string_view::npos : text.find_last_of("\r\n", at - 1);
    return at == std::string_view::npos ? 0 : at + 1;
  }
  std::size_t end = 0;
  bool inside = false, at_begin = true, skipping = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (at_begin) skipping = comment != 0 && text[i] == comment;
    at_begin = false;
    if (text[i] == '"' && !skipping) inside = !inside;
    if (inside || !ends_line(text[i])) continue;
    at_begin = true;
    const bool first_half = text[i] == '\r' && (i + 1 == text.size() || text[i + 1] == '\n');
    if (!first_half) end = i + 1;
  }
  return end;
}

CsvStream::CsvStream(InputFile& file, const ReadOptions& options, const CsvSharing& sharing, std::size_t block_bytes)
    : file_(file),
      options_(options),
      sharing_(sharing),
      block_bytes_(block_bytes),
      source_{file.shown(), options.delimiter, options_} {
  check_csv_options(options_);
  if (!options_.encode.empty())
    throw Error(Fault::usage, "stream.encode", "a table that is read in blocks cannot have text as numbers",
                "leave out --encode, or --stream", {.file = source_.file});
  refuse_other_content(file.head(), source_.file);
  decoded_text("", options_.encoding, source_.file);  // is it known?
  constexpr std::string_view mark = "\xef\xbb\xbf";
  marked_ = file.head().substr(0, mark.size()) == mark;
  if (marked_) {
    append(mark.size());
    text_.clear();
  }
  std::string_view whole;
  bool begun = false;
  while (!begun && !ended_) {  // blank lines and comments before the header may fill a block
    const std::size_t end = read_block();
    whole = std::string_view(text_).substr(0, end);
    CsvScanner scanner(whole, ',', source_.file);
    skip_between_rows(scanner, options_.comment);
    begun = !scanner.done();
  }
  source_.delimiter = csv_delimiter(whole, options_, source_.file);
  CsvHeader header = read_csv_header(whole, source_, warnings_);
  columns_ = std::move(header.columns);
  for (CsvColumn& column : columns_)
    if (column.use == RawColumn::Use::index) column.use = RawColumn::Use::none;
  const auto above = static_cast<std::size_t>(header.rows.data() - text_.data());
  line_ = header.line;
  read_rows({.text = header.rows, .line = line_});
  const CsvColumn& first = columns_.front();
  first_is_unique_ = first.faults > 0 && first.numbers == 0 && csv_first_column_is_unique(whole, source_);
  if (options_.only_numeric) leave_out_texts();
  for (const CsvColumn& column : columns_)
    if (column.target >= 0) names_.push_back(column.name);
  text_.erase(0, above + header.rows.size());
  rows_ready_ = true;
}

bool CsvStream::next(Matrix& rows) {
  while (!rows_ready_ && !(ended_ && text_.empty())) {
    const std::size_t end = read_block();
    const CsvStretch stretch{std::string_view(text_).substr(0, end), line_, count_, blank_};
    read_rows(stretch);
    text_.erase(0, end);
    rows_ready_ = rows_.rows() > 0;
  }
  if (!rows_ready_) {
    finish();
    return false;
  }
  rows_ready_ = false;
  rows = std::move(rows_);
  return true;
}

// At least one whole row, or the rest of the file.
std::size_t CsvStream::read_block() {
  for (;;) {
    append(block_bytes_);
    const std::size_t end = ended_ ? text_.size() : last_row_end(text_, options_.comment);
    if (ended_ || end > 0) return end;
    if (text_.size() > longest_line) refuse_endless();
  }
}

void CsvStream::append(std::size_t bytes) {
  const std::size_t have = text_.size();
  text_.resize(have + bytes);
  const std::size_t got = file_.read(text_.data() + have, bytes);
  text_.resize(have + got);
  ended_ = got < bytes;
  if (const std::size_t zero = text_.find('\0', have); zero != std::string::npos)
    throw Error(Fault::input, "text.nul",
                fmt::format("there is a NUL byte at byte {} of the file", bytes_ + zero - have + 1),
                "is this a text file, written to its end?",
                {.file = source_.file,
                 .line = line_ + lines_in(std::string_view(text_).substr(0, zero)) -
                         (zero > 0 && !ends_line(text_[zero - 1]) ? 1 : 0)});
  const bool latin1 = same_name(options_.encoding, "latin1") || same_name(options_.encoding, "iso-8859-1");
  bytes_ += got;
  if (latin1 && !marked_) text_.replace(have, got, from_latin1(text_.substr(have)));
}

void CsvStream::read_rows(const CsvStretch& stretch) {
  blank_ = read_csv_rows(stretch, source_, sharing_, columns_, rows_);
  line_ = stretch.line + lines_in(stretch.text);
  count_ += rows_.rows();
}

// Columns of text are known by the first block: they are left out. In a column that looked like numbers text is a
// fault.
void CsvStream::leave_out_texts() {
  settle_faults(columns_, source_, first_is_unique_, warnings_);
  std::vector<Index> kept;
  for (CsvColumn& column : columns_) {
    if (column.target < 0) continue;
    if (column.use == RawColumn::Use::values) kept.push_back(column.target);
    column.target = column.use == RawColumn::Use::values ? static_cast<Index>(kept.size()) - 1 : -1;
  }
  if (static_cast<Index>(kept.size()) < rows_.cols()) select_columns(rows_, kept);
}

void CsvStream::finish() {
  if (count_ == 0) throw Error(Fault::input, "table.no-rows", "there are no data rows", "", {.file = source_.file});
  ReadOptions strict = options_;
  strict.only_numeric = false;
  settle_faults(columns_, {source_.file, source_.delimiter, strict}, first_is_unique_, warnings_);
}

// One row is all there is in a text of many megabytes: a quote is open in it, or its line has no end.
void CsvStream::refuse_endless() {
  CsvScanner scanner(text_, source_.delimiter, source_.file, line_);
  if (text_.find_first_of("\r\n") + 1 < text_.size())
    for (long column = 1; !scanner.done(); ++column) scanner.next(column);  // throws where the quote stands
  throw Error(Fault::input, "text.line-too-long", fmt::format("a line is longer than {} MB", longest_line >> 20),
              "is this a table of numbers?", {.file = source_.file});
}

}  // namespace cda
