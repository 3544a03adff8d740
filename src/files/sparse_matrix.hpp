// Matrices that are kept without their zeros, as files have them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cda/types.hpp"

namespace cda {

struct SparseMatrix {
  std::int64_t rows = 0, columns = 0;
  bool by_row = false;                     // CSR; else CSC
  std::vector<std::int64_t> starts = {};   // of each row (column) in the two below, and the end
  std::vector<std::int64_t> indices = {};  // the column (row) of each value
  Vector values = {};
};

// With its zeros. Values at one place add up. Throws an Error where the parts do not fit together, or where it would
// take more than `most_bytes`; `name` and `file` are for messages.
Matrix dense_matrix(const SparseMatrix& sparse, const std::string& name, const std::string& file,
                    std::uint64_t most_bytes);

}  // namespace cda
