// Both ends of a fit, which all methods share: tables on their way in, and what is said of the pairs that came out.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cda/extend/projection.hpp"
#include "cda/model.hpp"

namespace cda {

// What a table's rows become.
struct PreparedTable {
  PreparedColumns columns;
  Sample sample;
  Vector deviations;  // of the kept columns, brought to magnitude one but otherwise as they came
  Matrix rows = {};   // as they came, in the sample's order; empty where nobody will ask for them again
};

// Throws where a table cannot be fitted to: its names, too few rows, missing cells. `side` is X or Y.
void check_table(const Table& table, const std::string& side, const Executor& executor = Executor(1));

// The order of rows by their content, so that the order they came in plays no part, and their keys, one per row of the
// table or, taken in an order, in that order.
using RowKeys = std::vector<std::uint64_t>;
RowKeys content_keys(const Table& table, const Executor& executor);
RowKeys taken(const RowKeys& keys, const std::vector<Index>& order);
std::vector<Index> content_order(const Table& table, const Executor& executor);

// The sample of rows that were prepared. Warnings say what is odd about it: few rows, repeated ones, dependent columns.
PreparedTable prepared(PreparedColumns::WithRows fitted, RowKeys keys, const std::string& side,
                       const Executor& executor, std::vector<std::string>& warnings);

// Calls `work`; an error without a place gets the table's.
template <class Work>
auto about(const Table& table, const std::string& side, const Work& work) {
  try {
    return work();
  } catch (const Error& error) {
    if (!error.place().file.empty()) throw;
    throw Error(error.fault(), error.code(), side + ": " + error.message(), error.hint(), {table.source});
  }
}

TableSummary summary(const Table& table, const Sample& sample);  // of a table that may have been emptied

// How many pairs: those asked for, which must not exceed the smaller rank, or that rank, at most `usual`.
Index component_count(Index asked, const Sample& x, const Sample& y, Index usual = 10);

// Fills the pairs' loadings (correlation of every original column with the values of every pair; 0 for columns that do
// not vary), and the shapes of both sides. Where rows as they came are not at hand, by their moments.
void describe(const PreparedTable& x, const PreparedTable& y, Model& model);

void warn_of_largest_weights(Model& model);

}  // namespace cda
