// What is said about the rows of all ranks, beyond sums: ranges, and the few rows that everybody has to see. Where
// there are no ranks it is said about the rows that are here.
#pragma once

#include <string>
#include <vector>

#include "cda/extend/executor.hpp"
#include "cda/types.hpp"

namespace cda {

struct Range {
  double lowest, highest;  // infinite, the wrong way round, where there is nothing
};
Range range_of(const Eigen::Ref<const Matrix>& values, const Executor& executor);

// 2 x columns: lowest, highest.
Matrix column_ranges(const Matrix& rows, const Executor& executor);

// Rows that were chosen: their numbers here, or `elsewhere` for rows that another rank has.
constexpr Index elsewhere = -1;
Matrix chosen_rows(const Matrix& rows, const std::vector<Index>& chosen, const Executor& executor);

// All ranks' rows below each other. For few.
Matrix gathered(const Matrix& rows, const Executor& executor);

// A number for each rank, known to all.
std::vector<Index> told_by_each(Index number, const Communicator& ranks);
Index told_by_lower_ranks(Index number, const Communicator& ranks);  // the sum of theirs

// A text of rank 0.
std::string told_by_first(const std::string& text, const Communicator& ranks);

// Parts of these lengths one after the other; and, where every rank sends such parts, what arrives here.
Communicator::Parts in_a_row(std::vector<Index> counts);
Communicator::Parts arriving(const std::vector<Index>& sent, const Communicator& ranks);

}  // namespace cda
