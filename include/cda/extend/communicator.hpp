// Several processes that fit one model together. Rows are split over them; every rank runs the same program on its own
// rows, and whatever is said about all rows is made of the few operations below. They give the same bits on every rank,
// so that all decide alike, and they have to be called in the same order everywhere, by one thread at a time.
// The library knows this interface only: what carries it (MPI for the command, threads for tests) comes from outside.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "cda/types.hpp"

namespace cda {

class Communicator {
 public:
  virtual ~Communicator() = default;

  virtual int rank() const = 0;
  virtual int size() const = 0;

  // Entry by entry over all ranks, in place: their sum, or the largest.
  virtual void sum(double* numbers, Index count) const = 0;
  virtual void sum(std::uint64_t* numbers, Index count) const = 0;
  virtual void largest(double* numbers, Index count) const = 0;

  // Numbers that go from rank to rank: each calls `add`, which adds its own to what came from below; all get the end.
  // So they are added in the same order as in one place.
  virtual void in_turn(double* numbers, Index count, const std::function<void()>& add) const = 0;

  // Which part of an array goes to, or comes from, each rank.
  struct Parts {
    std::vector<Index> begin, count;
  };
  // Words of eight bytes to every rank and from every rank. Parts that are sent may overlap.
  virtual void exchange(const void* sent, const Parts& to, void* received, const Parts& from) const = 0;
};

}  // namespace cda
