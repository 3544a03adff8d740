#include "files/sparse_matrix.hpp"

#include <fmt/format.h>

#include "cda/error.hpp"

namespace cda {

Matrix dense_matrix(const SparseMatrix& sparse, const std::string& name, const std::string& file,
                    std::uint64_t most_bytes) {
  const auto refuse = [&](const std::string& message) {
    throw Error(Fault::input, "sparse.damaged", fmt::format("the sparse matrix {} {}", in_quotes(name, 200), message),
                "the file is damaged, or was written by a program that was interrupted", {.file = file});
  };
  if (sparse.rows < 0 || sparse.columns < 0) refuse("has a negative size");
  const std::int64_t lines = sparse.by_row ? sparse.rows : sparse.columns;
  const std::int64_t length = sparse.by_row ? sparse.columns : sparse.rows;
  const std::string line = sparse.by_row ? "row" : "column", other = sparse.by_row ? "column" : "row";
  const auto stored = static_cast<std::int64_t>(sparse.indices.size());
  if (sparse.starts.empty() || static_cast<std::int64_t>(sparse.starts.size() - 1) != lines)
    refuse(fmt::format("has {} {}s, but begins and ends of {}", lines, line,
                       sparse.starts.empty() ? 0 : sparse.starts.size() - 1));
  if (sparse.values.size() != stored) refuse(fmt::format("has {} values at {} places", sparse.values.size(), stored));
  if (sparse.starts.front() != 0 || sparse.starts.back() != stored)
    refuse(fmt::format("has {} values, but its {}s begin at {} and end at {}", stored, line, sparse.starts.front(),
                       sparse.starts.back()));
  for (std::int64_t i = 0; i < lines; ++i)
    if (sparse.starts[static_cast<std::size_t>(i)] > sparse.starts[static_cast<std::size_t>(i) + 1])
      refuse(fmt::format("has a {} {} that ends before it begins", line, i + 1));
  for (const std::int64_t index : sparse.indices)
    if (index < 0 || index >= length) refuse(fmt::format("has a value in {} {} of {}", other, index + 1, length));

  const double bytes = static_cast<double>(sparse.rows) * static_cast<double>(sparse.columns) * sizeof(double);
  if (bytes > static_cast<double>(most_bytes))
    throw Error(Fault::resource, "sparse.memory",
                fmt::format("the sparse matrix {}, {} x {}, takes {:.0f} bytes with its zeros, more than the {} that "
                            "are allowed",
                            in_quotes(name, 200), sparse.rows, sparse.columns, bytes, most_bytes),
                "keep fewer columns, or --max-bytes, if the machine has the memory", {.file = file});
  Matrix dense = Matrix::Zero(sparse.rows, sparse.columns);
  for (std::int64_t i = 0; i < lines; ++i)
    for (auto k = static_cast<std::size_t>(sparse.starts[static_cast<std::size_t>(i)]);
         k < static_cast<std::size_t>(sparse.starts[static_cast<std::size_t>(i) + 1]); ++k) {
      const std::int64_t j = sparse.indices[k];
      (sparse.by_row ? dense(i, j) : dense(j, i)) += sparse.values[static_cast<Index>(k)];
    }
  return dense;
}

}  // namespace cda
