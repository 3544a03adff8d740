// A table seen once, from its first row to its last, and not kept: the moments of its columns, and some of its rows to
// show what it is like. Memory does not grow with the rows, so tables may be larger than it.
//
// Sums are taken about the means of the first rows, in chunks of fixed size added in their order: right far from zero,
// and the same bits on any number of threads, in memory or from a file. The rows that are kept are those whose content
// has the smallest hashes, each as often as its share: the same ones in whatever order rows come.
#pragma once

#include "cda/extend/executor.hpp"
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

}  // namespace cda
