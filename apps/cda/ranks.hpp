// Several processes of this command, started together by mpirun. Each reads the tables and keeps its share of the rows;
// rank 0 alone prints and writes. However one of them ends, all end: with one message and the exit code of the lowest
// rank that failed.
#pragma once

#include <exception>
#include <functional>
#include <optional>
#include <string>

#include "cda/cda.hpp"
#include "cda/extend/communicator.hpp"

namespace cda::command {

// Joins the others where a launcher has started this process, and does nothing where none has. Ranks other than 0 say
// nothing from now on. Throws where this command does not speak the launcher's MPI.
void join_ranks();

// The others, or nullptr where this process is alone.
const Communicator* ranks();
bool first_rank();  // the one that prints and writes, which alone is rank 0

// What a rank ends with that has nothing to say: another one says it.
struct AnotherRankFailed {
  static constexpr int exit_code = 254;
};

// Work that may fail on one rank and not on another: all of them get through, or none does.
void agree(const std::exception_ptr& failure);
template <class Work>
auto together(const Work& work) {
  if (ranks() == nullptr) return work();
  std::optional<decltype(work())> done;
  std::exception_ptr failure;
  try {
    done.emplace(work());
  } catch (...) {
    failure = std::current_exception();
  }
  agree(failure);
  return std::move(*done);
}

// Waits until all have come this far. A rank that failed on the way does not, and ends them all: nothing is written
// then.
void all_done();

// This rank's rows of a table that all ranks have read.
void keep_own_rows(Table& table);

// How a run ends: its exit code, and what is to be said where it failed.
struct Ending {
  int code = 0;
  std::string message = {};
};
// Says it, once for all ranks, and returns the exit code of all.
int concluded(const Ending& ending);

}  // namespace cda::command
