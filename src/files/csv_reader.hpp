// CSV text as columns.
#pragma once

#include <string>
#include <string_view>

#include "cda/extend/format.hpp"
#include "files/csv_columns.hpp"
#include "files/csv_rows.hpp"

namespace cda {

// `file` is for messages. Exact or refused: an Error names line and column.
RawTable read_csv(std::string_view text, const std::string& file, const ReadOptions& options,
                  const CsvSharing& sharing = {});

// Do the first fields of all lines differ, so that they could name the rows?
bool csv_first_column_is_unique(std::string_view text, const CsvSource& source);

}  // namespace cda
