#include "evidence/rows.hpp"

#include <algorithm>

#include "find/prepared_table.hpp"

namespace cda {

Table rows_of(const Table& table, const std::vector<Index>& rows) {
  Table chosen;
  chosen.names = table.names;
  chosen.source = table.source;
  chosen.values = table.values(rows, Eigen::all);
  return chosen;
}

std::vector<Index> resampled_rows(Index count, Index block, Random& random) {
  std::vector<Index> rows;
  rows.reserve(static_cast<std::size_t>(count));
  while (static_cast<Index>(rows.size()) < count) {
    const Index first = random.below(count);
    const Index length = std::min(block, count - static_cast<Index>(rows.size()));
    for (Index i = 0; i < length; ++i) rows.push_back((first + i) % count);
  }
  return rows;
}

std::vector<Index> shuffled_rows(Index count, Index block, Random& random) {
  std::vector<Index> rows;
  rows.reserve(static_cast<std::size_t>(count));
  for (const Index b : random.permutation((count + block - 1) / block))
    for (Index i = b * block; i < std::min(count, (b + 1) * block); ++i) rows.push_back(i);
  return rows;
}

Table in_canonical_order(const Table& table) { return rows_of(table, content_order(table, Executor(1))); }

}  // namespace cda
