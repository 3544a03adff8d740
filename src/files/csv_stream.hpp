// A CSV file, also a compressed one, in blocks of rows: memory does not grow with the file. As strict as reading it
// whole, and in the same words; what cannot be known before the end is told there.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "files/csv_rows.hpp"
#include "files/input_file.hpp"

namespace cda {

class CsvStream {
 public:
  static constexpr std::size_t usual_block = std::size_t{8} << 20;  // bytes of text

  // Reads the header and the first block. Columns that name rows are left out, text to be encoded is refused.
  CsvStream(InputFile& file, const ReadOptions& options, const CsvSharing& sharing,
            std::size_t block_bytes = usual_block);
  CsvStream(const CsvStream&) = delete;
  CsvStream& operator=(const CsvStream&) = delete;

  const std::vector<std::string>& names() const { return names_; }        // of the columns of numbers
  const std::vector<std::string>& warnings() const { return warnings_; }  // so far

  // The next rows (missing cells are NaN); false after the last. Cells at fault are told then, all of them at once,
  // so nothing may be concluded from rows before.
  bool next(Matrix& rows);

 private:
  std::size_t read_block();  // where its last whole row ends
  void read_rows(const CsvStretch& stretch);
  void leave_out_texts();
  void finish();
  void append(std::size_t bytes);
  [[noreturn]] void refuse_endless();

  InputFile& file_;
  const ReadOptions options_;
  CsvSharing sharing_;
  std::size_t block_bytes_;
  CsvSource source_;
  std::string text_;                     // what was read and is not yet rows
  std::size_t bytes_ = 0;                // read so far
  bool ended_ = false, marked_ = false;  // by a byte order mark
  std::vector<CsvColumn> columns_;
  std::vector<std::string> names_, warnings_;
  Matrix rows_;
  bool rows_ready_ = false, first_is_unique_ = false;
  long line_ = 1;
  Index count_ = 0, blank_ = 0;
};

// Where the last row of a text ends that begins with one: after a line end outside quotes; 0 where there is none. A CR
// at the very end may be half of a line end.
std::size_t last_row_end(std::string_view text, char comment);

}  // namespace cda
