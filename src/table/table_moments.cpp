#include "cda/extend/table_moments.hpp"

#include "table/moment_sums.hpp"

namespace cda {

TableMoments moments_of(const Table& table, const Executor& executor) {
  MomentSums sums(table.names, executor);
  sums.add(table.values);
  TableMoments found{table.rows(), sums.finished(), {}};
  found.some_rows.names = table.names;
  found.some_rows.source = table.source;
  found.some_rows.encodings = table.encodings;
  found.some_rows.values = sums.some_rows();
  return found;
}

}  // namespace cda
