// The beginning of CSV text: which columns there are, and where the rows begin.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "files/csv_columns.hpp"

namespace cda {

struct CsvHeader {
  std::vector<CsvColumn> columns = {};
  std::string_view rows = {};  // the text below it
  long line = 1;               // the physical line that text begins on
};

// `text` is the beginning of a file at least, the header and the first row in full.
CsvHeader read_csv_header(std::string_view text, const CsvSource& source, std::vector<std::string>& warnings);

// Throws where options contradict each other.
void check_csv_options(const ReadOptions& options);

}  // namespace cda
