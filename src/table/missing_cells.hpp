#pragma once

#include <vector>

#include "cda/table.hpp"

namespace cda {

// Throws, with how many cells are missing in which columns. Looks at names and source of the table only.
[[noreturn]] void refuse_missing(const Table& table, const std::vector<Index>& missing);

}  // namespace cda
