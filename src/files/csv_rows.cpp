// One pass over a stretch of text, and no field is copied: a number is read where it stands, together with the search
// for its end, and only what is no plain number goes through the scanner. Numbers are gathered for a few rows and then
// written column by column, since a cell of its own in every column of a large matrix costs more than the number.
//
// Threads: the text is cut at line ends outside quotes. Whether a place is inside quotes is the parity of the quotes
// before it, as long as the file is well-formed; so pieces up to the first fault are the right ones, and the piece with
// that fault finds it. Then the stretch is read once more from its beginning on one thread, to say what that says.
// Lines are counted first: they are the places of the pieces' rows in the matrix, and closed up where rows are fewer.
#include "files/csv_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <new>

#include "base/utf8.hpp"
#include "cda/error.hpp"
#include "files/columns.hpp"
#include "files/number.hpp"

namespace cda {
namespace {

constexpr double missing = std::numeric_limits<double>::quiet_NaN();

using Tile = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// The rows of one piece, on one thread.
class Rows {
 public:
  Rows(const CsvStretch& stretch, const CsvSource& source, const std::vector<CsvColumn>& columns,
       const Eigen::Ref<Matrix>& values)
      : tallies(columns.size()),
        source_(source),
        columns_(columns),
        scanner_(stretch.text, source.delimiter, source.file, stretch.line),
        stop_(stretch.text.data() + stretch.text.size()),
        values_(values),
        rows_before_(stretch.rows_before),
        blank_before_(stretch.blank_before) {
    constexpr Index tile_cells = 1 << 15, most_rows = 128, least_rows = 8;
    tile_.resize(std::clamp(tile_cells / std::max<Index>(1, values.cols()), least_rows, most_rows), values.cols());
  }

  void read() {
    const auto width = columns_.size();
    for (;;) {
      const Index blank = skip_between_rows(scanner_, source_.options.comment) + std::exchange(blank_before_, 0);
      if (scanner_.done()) {
        blank_after = blank;
        break;
      }
      if (width == 1)
        for (Index i = 0; i < blank; ++i) add_blank_row();
      const CsvScanner begin = scanner_;
      std::size_t fields = 0;
      char end = 0;
      do {
        if (fields == width) {
          end_ragged_row(begin);
          break;
        }
        end = store(fields++);
      } while (end == source_.delimiter);
      if (fields < width) refuse(begin);
      end_row();
    }
    write_tile();
  }

  Index rows = 0, blank_after = 0;
  std::vector<CsvTally> tallies;

 private:
  char store(std::size_t j) {
    const CsvColumn& column = columns_[j];
    if (column.use == RawColumn::Use::none) return scanner_.next(static_cast<long>(j + 1)).end;
    if (column.use != RawColumn::Use::values) return store_text(j);
    double& value = tile_(in_tile_, column.target);
    const char* begin = scanner_.rest().data();
    const char* end = number_at(begin, stop_, format_.decimal, value);
    if (end == nullptr || !scanner_.could_end(end) || !plain(begin, end)) return store_other(j, value);
    take_number(value, tallies[j]);
    return scanner_.take_until(end);
  }

  void take_number(double& value, CsvTally& tally) const {
    if (!missing_numbers_.empty() &&
        std::find(missing_numbers_.begin(), missing_numbers_.end(), value) != missing_numbers_.end())
      value = missing;
    else
      ++tally.numbers;
  }

  bool plain(const char* begin, const char* end) const {
    const auto length = static_cast<std::size_t>(end - begin);
    return length <= longest_number && (source_.options.missing_tokens.empty() || !named_missing({begin, length}));
  }

  // What did not look like a number at once: missing, in quotes, in another notation, or at fault. The latter is
  // remembered, not thrown, so that all columns of text can be named at once.
  char store_other(std::size_t j, double& value) {
    CsvTally& tally = tallies[j];
    const CsvField field = scanner_.next(static_cast<long>(j + 1));
    const std::string_view text = trimmed(field.text);
    value = missing;
    if (text.empty() || named_missing(text)) return field.end;
    CellFault fault = CellFault::too_long;
    if (text.size() <= longest_number) {
      switch (parse_number(text, format_, value)) {
        case NumberKind::number:
          take_number(value, tally);
          return field.end;
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
    if (fault == CellFault::text && usual_missing_token(text)) return field.end;
    if (++tally.faults > 1) return field.end;
    tally.fault = fault;
    tally.line = field.line;
    tally.cell = text.substr(0, 200);
    return field.end;
  }

  char store_text(std::size_t j) {
    const CsvField field = scanner_.next(static_cast<long>(j + 1));
    std::string text = field.plain();
    if (columns_[j].use == RawColumn::Use::encode) {
      const std::string bare(field.quoted ? std::string_view(text) : trimmed(text));
      text = usual_missing_token(bare) || named_missing(bare) ? "" : bare;
    }
    if (!valid_utf8(text))
      throw Error(Fault::input, "text.encoding", "the text " + in_quotes(text) + " is not UTF-8",
                  "--encoding latin1, if the file was written on an older system",
                  {.file = source_.file, .line = field.line, .column = static_cast<long>(j + 1)});
    tallies[j].texts.push_back(std::move(text));
    return field.end;
  }

  // Asked before the number is taken: -999 may stand for a missing value.
  bool named_missing(std::string_view text) const {
    const auto& tokens = source_.options.missing_tokens;
    return !tokens.empty() && std::find(tokens.begin(), tokens.end(), text) != tokens.end();
  }

  // A further field: one that is empty and the last of its row may be allowed.
  void end_ragged_row(const CsvScanner& begin) {
    const CsvField field = scanner_.next(static_cast<long>(columns_.size() + 1));
    const bool trailing = field.end != source_.delimiter && field.text.empty() && !field.quoted;
    if (!trailing || !source_.options.ignore_trailing_delimiter) refuse(begin);
  }

  [[noreturn]] void refuse(CsvScanner row) const {
    const long line = row.line();
    long fields = 0;
    CsvField first, field;
    do {
      field = row.next(++fields);
      if (fields == 1) first = field;
    } while (field.end == source_.delimiter);
    refuse_ragged(fields, columns_, first, field, line, rows_before_ + rows == 0, source_);
  }

  void add_blank_row() {
    if (columns_[0].target >= 0)
      tile_(in_tile_, columns_[0].target) = missing;
    else
      tallies[0].texts.emplace_back();
    end_row();
  }

  void end_row() {
    ++rows;
    if (++in_tile_ == tile_.rows()) write_tile();
  }

  void write_tile() {
    values_.middleRows(rows - in_tile_, in_tile_) = tile_.topRows(in_tile_);
    in_tile_ = 0;
  }

  const CsvSource& source_;
  const std::vector<CsvColumn>& columns_;
  NumberFormat format_{source_.options.decimal, source_.options.thousands};
  std::vector<double> missing_numbers_ = missing_numbers(source_.options);
  CsvScanner scanner_;
  const char* stop_;
  Eigen::Ref<Matrix> values_;
  Index rows_before_, blank_before_;
  Tile tile_;  // rows that are not yet in the matrix
  Index in_tile_ = 0;
};

// Room for every row there can be: no more than lines, and a row of c fields takes at least c bytes, but for one that
// is too short and about to be refused.
Index most_rows(std::string_view text, Index lines, std::size_t fields) {
  return std::min(lines, (static_cast<Index>(text.size()) + 1) / static_cast<Index>(fields) + 1);
}

void allocate(Index rows, Index columns, const CsvSource& source, Matrix& values) {
  try {
    values.resize(rows, columns);
  } catch (const std::bad_alloc&) {
    const double gigabytes = static_cast<double>(rows) * static_cast<double>(columns) * 8e-9;
    throw Error(Fault::resource, "csv.memory", fmt::format("not enough memory for a table of {:.1f} GB", gigabytes), "",
                {.file = source.file});
  }
}

struct Piece {
  CsvStretch stretch;
  Index lines = 0, begin = 0, most = 0;  // its rows in the matrix, as far as lines tell
  Index rows = 0;
  std::vector<CsvTally> tallies = {};
  Index blank_after = 0;
};

// Rows of all pieces next to each other, without what was kept free between them.
void close_up(const std::vector<Piece>& pieces, Matrix& values) {
  Index rows = 0;
  for (const Piece& piece : pieces) {
    if (piece.begin != rows)
      for (Index j = 0; j < values.cols(); ++j) {
        double* column = values.data() + j * values.rows();
        std::copy(column + piece.begin, column + piece.begin + piece.rows, column + rows);  // forward: to lower places
      }
    rows += piece.rows;
  }
  if (rows < values.rows()) values = Matrix(values.topRows(rows));
}

Index read_pieces(std::vector<Piece>& pieces, const CsvSource& source, const Executor& executor,
                  std::vector<CsvColumn>& columns, Matrix& values) {
  const auto count = static_cast<Index>(pieces.size());
  const auto piece = [&](Index i) -> Piece& { return pieces[static_cast<std::size_t>(i)]; };
  executor.for_each(count, [&](Index i) { piece(i).lines = lines_in(piece(i).stretch.text); });
  Index rows = 0;
  for (Index i = 0; i < count; ++i) {
    Piece& each = piece(i);
    if (i > 0) each.stretch.line = piece(i - 1).stretch.line + piece(i - 1).lines;
    each.begin = rows;
    each.most = most_rows(each.stretch.text, each.lines, columns.size()) + each.stretch.blank_before;
    rows += each.most;
  }
  Index used = 0;
  for (const CsvColumn& column : columns) used += column.target >= 0 ? 1 : 0;
  allocate(rows, used, source, values);
  executor.for_each(count, [&](Index i) {
    Piece& each = piece(i);
    Rows read(each.stretch, source, columns, values.middleRows(each.begin, each.most));
    read.read();
    each.rows = read.rows;
    each.blank_after = read.blank_after;
    each.tallies = std::move(read.tallies);
  });
  for (Piece& each : pieces)
    for (std::size_t j = 0; j < columns.size(); ++j) columns[j].add(std::move(each.tallies[j]));
  close_up(pieces, values);
  return pieces.back().blank_after;
}

}  // namespace

void CsvTally::add(CsvTally&& later) {
  if (faults == 0 && later.faults > 0) {
    fault = later.fault;
    line = later.line;
    cell = std::move(later.cell);
  }
  numbers += later.numbers;
  faults += later.faults;
  if (texts.empty())
    texts = std::move(later.texts);
  else
    std::move(later.texts.begin(), later.texts.end(), std::back_inserter(texts));
}

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
  for (std::size_t at = text.find('\n'); at != std::string_view::npos; at = text.find('\n', at + 1)) ++lines;
  for (std::size_t at = text.find('\r'); at != std::string_view::npos; at = text.find('\r', at + 1))
    lines += at + 1 == text.size() || text[at + 1] != '\n' ? 1 : 0;
  return lines;
}

std::vector<std::string_view> cut_at_line_ends(std::string_view text, std::size_t pieces, char comment) {
  const bool quotes = text.find('"') != std::string_view::npos;
  if (quotes && comment != 0) return {text};  // a quote in a comment does not count
  std::vector<std::string_view> cut;
  std::size_t begin = 0, counted = 0;  // quotes before `counted` are in `inside`
  bool inside = false;
  for (std::size_t i = 1; i < pieces; ++i) {
    std::size_t at = std::max(begin, text.size() / pieces * i);
    if (quotes) {
      for (counted = text.find('"', counted); counted < at; counted = text.find('"', counted + 1)) inside = !inside;
      for (; at < text.size() && (inside || (text[at] != '\n' && text[at] != '\r')); ++at) inside ^= text[at] == '"';
      counted = at;
    } else {
      at = std::min(text.find_first_of("\r\n", at), text.size());
    }
    if (at == text.size()) break;
    at += text[at] == '\r' && at + 1 < text.size() && text[at + 1] == '\n' ? 2 : 1;
    cut.push_back(text.substr(begin, at - begin));
    begin = at;
  }
  if (begin < text.size() || cut.empty()) cut.push_back(text.substr(begin));
  return cut;
}

Index read_csv_rows(const CsvStretch& stretch, const CsvSource& source, const CsvSharing& sharing,
                    std::vector<CsvColumn>& columns, Matrix& values) {
  const Executor executor(sharing.threads);
  const std::size_t most = stretch.text.size() / sharing.least_bytes + 1,
                    wanted = 8 * static_cast<std::size_t>(executor.threads());
  std::vector<std::string_view> cut{stretch.text};
  // In a file of one column what a blank line is depends on what follows it.
  if (executor.threads() > 1 && columns.size() > 1)
    cut = cut_at_line_ends(stretch.text, std::min(most, wanted), source.options.comment);
  std::vector<Piece> pieces;
  for (const std::string_view text : cut) {
    pieces.push_back({.stretch = stretch});
    pieces.back().stretch.text = text;
  }
  try {
    return read_pieces(pieces, source, executor, columns, values);
  } catch (const Error& error) {
    if (pieces.size() == 1 || error.fault() == Fault::resource) throw;
  }
  pieces = {{.stretch = stretch}};
  return read_pieces(pieces, source, executor, columns, values);
}

}  // namespace cda
