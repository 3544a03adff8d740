#include "find/spread_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "base/over_ranks.hpp"
#include "cda/extend/random.hpp"
#include "find/prepared_table.hpp"

namespace cda {
namespace {

// Keys are spread evenly over all numbers of 64 bits: the upper half decides.
std::size_t rank_of(std::uint64_t key, int ranks) {
  return static_cast<std::size_t>(((key >> 32) * static_cast<std::uint64_t>(ranks)) >> 32);
}

Table with_rows(const Table& table, Matrix rows) {
  Table other;
  other.names = table.names;
  other.values = std::move(rows);
  other.source = table.source;
  other.encodings = table.encodings;
  return other;
}

// Each row to its rank; what arrives is in the order of ranks, and of each rank's rows.
Matrix sent(const Matrix& rows, const std::vector<std::size_t>& owners, const Communicator& ranks) {
  std::vector<std::vector<Index>> rows_for(static_cast<std::size_t>(ranks.size()));
  for (std::size_t i = 0; i < owners.size(); ++i) rows_for[owners[i]].push_back(static_cast<Index>(i));
  std::vector<Index> order, counts;
  for (const std::vector<Index>& some : rows_for) {
    order.insert(order.end(), some.begin(), some.end());
    counts.push_back(static_cast<Index>(some.size()));
  }
  const Communicator::Parts to = in_a_row(counts), from = arriving(counts, ranks);
  Matrix own(std::accumulate(from.count.begin(), from.count.end(), Index{0}), rows.cols());
  for (Index j = 0; j < rows.cols(); ++j) {  // one column of copies at a time
    const Vector column = rows.col(j)(order);
    ranks.exchange(column.data(), to, own.col(j).data(), from);
  }
  return own;
}

}  // namespace

void check_for_ranks(const FitOptions& options) {
  const auto refuse = [](const std::string& what) {
    throw Error(Fault::usage, "ranks.option", what + " needs all rows in one place, but several processes share them",
                "run it in one process");
  };
  if (!find_method(options.method).baseline.empty()) refuse("the method " + options.method);
  if (options.max_columns > 0) refuse("--max-columns");
}

void check_same_columns(const Table& table, const std::string& side, const Executor& executor) {
  std::string joined;
  for (const std::string& name : table.names) joined += in_quotes(name, name.size() + 2) + ",";
  const auto told = told_by_each(static_cast<Index>(stable_hash(joined) >> 1), *executor.ranks());
  if (std::any_of(told.begin(), told.end(), [&](Index other) { return other != told.front(); }))
    throw Error(Fault::input, "ranks.columns",
                fmt::format("{} has other columns on some processes than on others", side),
                "start all of them with the same files and options", {table.source});
}

Table in_shared_order(const Table& table, const Executor& executor) {
  const Communicator* ranks = executor.ranks();
  if (ranks == nullptr) return table;
  const std::vector<std::uint64_t> keys = content_keys(table, executor);
  std::vector<std::size_t> owners;
  for (const std::uint64_t key : keys) owners.push_back(rank_of(key, ranks->size()));
  const Table by_key = with_rows(table, sent(table.values, owners, *ranks));

  const Matrix rows = by_key.values(content_order(by_key, executor), Eigen::all);
  const std::vector<Index> begins = Executor::rank_begins(executor.total(rows.rows()), ranks->size());
  const Index first = told_by_lower_ranks(rows.rows(), *ranks);
  owners.clear();
  std::size_t owner = 0;
  for (Index i = 0; i < rows.rows(); ++i) {
    while (begins[owner + 1] <= first + i) ++owner;
    owners.push_back(owner);
  }
  return with_rows(table, sent(rows, owners, *ranks));
}

Table gathered(const Table& table, const Executor& executor) {
  return with_rows(table, gathered(table.values, executor));
}

}  // namespace cda
