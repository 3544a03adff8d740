// A Parquet file as columns, through DuckDB.
#pragma once

#include <string>

#include "cda/extend/format.hpp"

namespace cda {

inline constexpr const char* pandas_index = "__index_level_0__";  // what pandas calls row names without a name

// The file that is open as `descriptor`, called `file` in messages. Throws a DuckDbFailure where it is damaged.
RawTable read_parquet(int descriptor, const std::string& file, const ReadOptions& options);

}  // namespace cda
