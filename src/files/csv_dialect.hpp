// How a CSV file is written: which character stands between its fields.
#pragma once

#include <string>
#include <string_view>

#include "cda/table.hpp"

namespace cda {

// The delimiter asked for, or the one found among comma, tab, semicolon and pipe.
char csv_delimiter(std::string_view text, const ReadOptions& options, const std::string& file);

// "a comma", "a tab", ...
std::string delimiter_name(char delimiter);

}  // namespace cda
