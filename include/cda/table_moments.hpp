// A table seen once, from its first row to its last, and not kept: the moments of its columns, and some of its rows to
// show what it is like. Memory does not grow with the rows, so tables may be larger than it.
//
// Sums are taken about the means of the first rows, in chunks of fixed size added in their order: right far from zero,
// and the same bits on any number of threads, in memory or from a file. The rows that are kept are those whose content
// has the smallest hashes, each as often as its share: the same ones in whatever order rows come.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cda/executor.hpp"
#include "cda/table.hpp"

namespace cda {

// What a table's columns are like, without its rows: all that some preparations look at, and some divergences.
struct ColumnMoments {
  Vector lowest, highest, mean;  // m
  Matrix covariance;             // m x m, divided by the number of rows
};

struct TableMoments {
  static constexpr Index kept_rows = 20'000;
  static constexpr Index long_table = 65'536;  // rows beyond which a fit in memory uses moments, where they are enough

  Index rows = 0;
  ColumnMoments columns;
  Table some_rows;  // names and source of the table, and at most kept_rows of its rows, in an order of their own
};

// Of a complete table in memory.
TableMoments moments_of(const Table& table, const Executor& executor = Executor(1));

// Of files that are parts of one table, read in blocks where the format allows it (CSV, also compressed). Rows with
// missing cells are refused or dropped, which is then remarked; the other policies, and text as numbers, need the table
// whole: an Error. `observer` is asked after each block, with the rows so far; false stops.
TableMoments read_moments(const std::vector<std::string>& paths, const ReadOptions& options = {},
                          Missing missing = Missing::refuse, std::vector<std::string>* warnings = nullptr,
                          std::vector<std::string>* remarks = nullptr,
                          const std::function<bool(Index rows)>& observer = {});

// How large a table in plain CSV files will be, judged by their beginnings; nothing where that cannot be told: other
// formats, compressed files, pipes, and files at fault.
struct TableSize {
  Index rows = 0, columns = 0;
  std::uint64_t text_bytes = 0;  // of the largest file
};
std::optional<TableSize> likely_size(const std::vector<std::string>& paths, const ReadOptions& options = {});

}  // namespace cda
