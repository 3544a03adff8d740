// NumPy arrays (.npy, versions 1 to 3) as columns, and a table as such an array.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "cda/extend/format.hpp"

namespace cda {

bool is_npy(std::string_view head);

// Where the bytes of an array come from. read() gives as many bytes as asked for, fewer only at the end.
struct NpySource {
  std::function<std::size_t(char* to, std::size_t count)> read;
  std::optional<std::uint64_t> size;  // of all there is, where that is known before
  std::uint64_t most_bytes = 0;       // that the table may take; 0: not limited
  std::string file;                   // for messages
};

// One array: two dimensions as rows and columns, one as a single column, records as named columns.
RawTable read_npy(const NpySource& source);

// The values in column-major order as float64; names and row names have no place in such a file.
std::string written_npy(const Table& table);

}  // namespace cda
