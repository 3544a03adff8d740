// Tables whose rows are spread over ranks. Which rank has which rows when they arrive is chance: how files were read.
// For a fit, rows go to ranks by their keys, each rank taking an equal range of them, so that the ranks one after the
// other hold the rows in the order of their content, and equal rows are on one rank. Then what is chosen by content is
// chosen as in one process, and no rank has to ask another.
#pragma once

#include "cda/extend/executor.hpp"
#include "cda/fit.hpp"

namespace cda {

// Throws where what is asked for needs all rows in one place.
void check_for_ranks(const FitOptions& options);
// Throws where ranks have brought tables that differ in their columns.
void check_same_columns(const Table& table, const std::string& side, const Executor& executor);

// This rank's rows in the order of all, of those that every rank has brought. A row travels twice: to the rank that has
// its range of keys, where rows are put in order, and from there, if it is not there already, to where it is to be.
Table in_shared_order(const Table& table, const Executor& executor);

// All ranks' rows, on every rank. For short tables.
Table gathered(const Table& table, const Executor& executor);

}  // namespace cda
