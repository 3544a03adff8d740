// The rows of CSV text as a matrix, on several threads.
#pragma once

#include <string_view>
#include <vector>

#include "cda/extend/executor.hpp"
#include "files/csv_columns.hpp"

namespace cda {

// How the work is shared out, which changes no result: on so many threads (0: as many as this process may use), to each
// no fewer bytes at a time than are worth a thread.
struct CsvSharing {
  int threads = 0;
  std::size_t least_bytes = std::size_t{1} << 20;
};

// Whole lines out of a file, below its header.
struct CsvStretch {
  std::string_view text = {};
  long line = 1;          // the physical line it begins on
  Index rows_before = 0;  // of the file
  Index blank_before =
      0;  // blank lines right before it: missing values if another row follows, in a file of one column
};

// Where the text can be cut into about so many pieces: after line ends outside quotes. A text at fault is cut rightly
// up to its first fault.
std::vector<std::string_view> cut_at_line_ends(std::string_view text, std::size_t pieces, char comment);

// Physical lines; what follows the last line end is one too.
Index lines_in(std::string_view text);

// Comments go; blank lines go with them, except after the header of a file of one column, where each stands for a
// missing value. Returns how many blank lines there were.
Index skip_between_rows(CsvScanner& scanner, char comment);

// Reads all rows into `values`, which becomes rows x columns of numbers, and adds what was found to the columns.
// Returns the blank lines at the end. Faults of form throw; which one, and what is said of it, depends neither on
// threads nor on the size of blocks.
Index read_csv_rows(const CsvStretch& stretch, const CsvSource& source, const CsvSharing& sharing,
                    std::vector<CsvColumn>& columns, Matrix& values);

}  // namespace cda
