// Weka's attribute-relation files as columns.
#pragma once

#include <string>
#include <string_view>

#include "cda/extend/format.hpp"

namespace cda {

// `file` is for messages. Numbers for numeric attributes, text for nominal ones, strings and dates. Exact or refused:
// an Error names line and column.
RawTable read_arff(std::string_view text, const std::string& file, const ReadOptions& options);

}  // namespace cda
