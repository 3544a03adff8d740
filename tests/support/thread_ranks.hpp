// Ranks as threads of one process: what runs under MPI, in a unit test. Each rank runs the same function; the sums are
// added in the order of ranks.
#pragma once

#include <functional>

#include "cda/extend/communicator.hpp"

namespace cda::test {

// Calls work(communicator) on `ranks` threads at once. Where one of them throws, the others end in their next
// operation, and the exception is rethrown: that of the lowest rank that failed by itself.
void on_ranks(int ranks, const std::function<void(const Communicator&)>& work);

// How rows are spread in a test: in parts as equal as they can be; all but a few on the last rank and none on the
// first; or in whole blocks, as in a fit.
enum class Spread { evenly, badly, in_blocks };
Matrix own_rows(const Matrix& rows, const Communicator& ranks, Spread spread = Spread::evenly);

}  // namespace cda::test
