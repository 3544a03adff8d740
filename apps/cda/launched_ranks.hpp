// What the command and the module that speaks MPI say to each other. MPI's own types differ between its
// implementations, so each has a module of its own (apps/mpi), and the command loads the one it was launched by.
#pragma once

#include <vector>

#include "cda/extend/communicator.hpp"

namespace cda::command {

class LaunchedRanks : public Communicator {
 public:
  // Says to all ranks with which exit code this one ends, and waits until all have said theirs; where this one has
  // failed, no longer than `patience` seconds, for the others may be waiting for it in the middle of something.
  static constexpr int unknown = -1;
  virtual std::vector<int> ends(int code, double patience) = 0;
  virtual void leave() = 0;          // once all have said so
  virtual void abort(int code) = 0;  // ends all ranks at once; does not return
};

// The one function of a module, and its name.
using JoinRanks = LaunchedRanks* (*)();
constexpr const char* join_ranks_name = "cda_join_ranks";

}  // namespace cda::command
