// The columns of a CSV file while it is read: what each is for, and what was wrong in it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cda/extend/format.hpp"
#include "files/csv_scanner.hpp"
#include "files/number.hpp"

namespace cda {

enum class CellFault { none, text, too_large, infinite, too_long };
inline constexpr std::size_t longest_number = 4096;  // bytes of a field

// What some rows held in a column, apart from the numbers themselves.
struct CsvTally {
  Index numbers = 0;                  // cells that were numbers
  Index faults = 0;                   // cells that were neither numbers nor missing
  CellFault fault = CellFault::none;  // the first of them: what, where, and how it begins
  long line = 0;
  std::string cell;
  std::vector<std::string> texts;  // of a column that is read as text

  void add(CsvTally&& later);  // of the rows that come after
};

struct CsvColumn : CsvTally {
  std::string name;
  RawColumn::Use use = RawColumn::Use::values;
  Index target = -1;  // column of the matrix it goes to
};

// Everything a complaint needs to know about the file.
struct CsvSource {
  std::string file;  // as shown
  char delimiter;
  const ReadOptions& options;
};

// A row with another number of fields than the header. `first` and `last` are its own.
[[noreturn]] void refuse_ragged(long fields, const std::vector<CsvColumn>& header, const CsvField& first,
                                const CsvField& last, long line, bool first_row, const CsvSource& source);

// Drops the columns of text where that is allowed; otherwise throws if any cell was at fault. `first_is_unique`
// tells whether the cells of the first column could name the rows.
void settle_faults(std::vector<CsvColumn>& columns, const CsvSource& source, bool first_is_unique,
                   std::vector<std::string>& warnings);

// Without blanks around it.
std::string_view trimmed(std::string_view text);

}  // namespace cda
