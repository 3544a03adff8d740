// A CSV file as a table of numbers: its header, its rows (csv_rows, where the work is), and what is to be said of cells
// that were no numbers. Faults of form (a row too short, an open quote) end the reading where they stand. Cost:
// O(bytes) time, the file and the matrix in memory.
#include "files/csv_reader.hpp"

#include <string_view>
#include <unordered_set>

#include "cda/error.hpp"
#include "files/csv_dialect.hpp"
#include "files/csv_header.hpp"
#include "files/csv_rows.hpp"

namespace cda {

bool csv_first_column_is_unique(std::string_view text, const CsvSource& source) {
  CsvScanner scanner(text, source.delimiter, source.file);
  std::unordered_set<std::string_view> seen;
  for (;;) {
    skip_between_rows(scanner, source.options.comment);
    if (scanner.done()) return true;
    CsvField field = scanner.next(1);
    if (!seen.insert(field.text).second) return false;
    while (field.end == source.delimiter) field = scanner.next(1);
  }
}

RawTable read_csv(std::string_view text, const std::string& file, const ReadOptions& options,
                  const CsvSharing& sharing) {
  check_csv_options(options);
  const CsvSource source{file, csv_delimiter(text, options, file), options};
  RawTable raw;
  raw.file = file;
  raw.chosen = true;
  CsvHeader header = read_csv_header(text, source, raw.warnings);
  while (!header.rows.empty() && (header.rows.back() == '\n' || header.rows.back() == '\r'))
    header.rows.remove_suffix(1);  // blank lines at the end, for which no room is needed
  read_csv_rows({.text = header.rows, .line = header.line}, source, sharing, header.columns, raw.numbers);
  raw.rows = raw.numbers.rows();
  if (raw.rows == 0) throw Error(Fault::input, "table.no-rows", "there are no data rows", "", {.file = file});
  // Only asked for when something is wrong with that column, hence a second pass.
  const CsvColumn& first = header.columns.front();
  const bool unique = first.faults > 0 && first.numbers == 0 && csv_first_column_is_unique(text, source);
  settle_faults(header.columns, source, unique, raw.warnings);
  for (CsvColumn& column : header.columns)
    raw.columns.push_back({.name = std::move(column.name),
                           .use = column.use,
                           .numbers = column.target,
                           .texts = std::move(column.texts)});
  return raw;
}

}  // namespace cda
