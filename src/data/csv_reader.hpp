// CSV text as columns.
#pragma once

#include <string>
#include <string_view>

#include "cda/format.hpp"

namespace cda {

// `file` is for messages. Exact or refused: an Error names line and column.
RawTable read_csv(std::string_view text, const std::string& file, const ReadOptions& options);

}  // namespace cda
