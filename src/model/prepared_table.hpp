// Both ends of a fit, which all methods share: tables on their way in, and what is said of the pairs that came out.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cda/model.hpp"
#include "cda/projection.hpp"

namespace cda {

// A table's rows in the order in which they are used, and the sample they become.
struct PreparedTable {
  Matrix rows;
  PreparedColumns columns;
  Sample sample;
};

// Throws where a table cannot be fitted to: its names, too few rows, missing cells. `side` is X or Y.
void check_table(const Table& table, const std::string& side);

// The order of rows by their content, so that the order they came in plays no part.
std::vector<Index> content_order(const Table& table);

// The sample of these rows of a table. Warnings say what is odd about it: few rows, repeated ones, dependent columns.
PreparedTable prepared(Matrix rows, PreparedColumns columns, const std::vector<std::string>& names,
                       const std::string& side, const Executor& executor, std::vector<std::string>& warnings);

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

TableSummary summary(const Table& table, const Sample& sample);

// How many pairs: those asked for, which must not exceed the smaller rank, or that rank, at most `usual`.
Index component_count(Index asked, const Sample& x, const Sample& y, Index usual = 10);

// Fills the pairs' loadings (correlation of every original column with the values of every pair; 0 for columns that do
// not vary), and the shapes of both sides.
void describe(const PreparedTable& x, const PreparedTable& y, Model& model);

void warn_of_largest_weights(Model& model);

}  // namespace cda
