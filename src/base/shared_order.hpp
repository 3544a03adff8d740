// The exact order of values that are spread over ranks, none of which holds them all. Each rank sorts its own. What
// stands at a place of the whole order is then found by narrowing it down: doubles have the order of their bits, read
// as whole numbers, so a few rounds of "how many of yours are not above this?" lead to the very value. Equal values
// stand in the order of ranks, then in the order they have there. What lies between places travels to one rank, and
// what is found there for every value travels back the same way.
#pragma once

#include <vector>

#include "cda/extend/communicator.hpp"
#include "cda/extend/executor.hpp"
#include "cda/types.hpp"

namespace cda {

// Values at places (0 = the lowest) of the order of all ranks' values. Every rank gives its own, increasing.
std::vector<double> values_at(const std::vector<Index>& places, const Vector& increasing, const Communicator& ranks);
std::vector<double> values_at_both(const std::vector<Index>& places, const Vector& x_increasing,
                                   const Vector& y_increasing, const Communicator& ranks);  // of two samples together

// Quantiles: shares of the way from the lowest to the highest place, between the two nearest values, as numpy does it.
// Every rank gives its own values, increasing; without ranks these are all.
Vector quantiles_at(const Vector& shares, const Vector& increasing, const Executor& executor);

// How the increasing values of each rank are dealt to ranks: which of its own go where, and which come from where.
class Deal {
 public:
  // Rank r gets what stands at places begin[r] ... end[r] - 1 of the whole; these may overlap. Several samples are
  // dealt in as many rounds as one.
  struct Places {
    const Vector& increasing;
    std::vector<Index> begin, end;
  };
  static std::vector<Deal> by_place(const std::vector<Places>& samples, const Communicator& ranks);
  static Deal in_equal_shares(const Vector& increasing, Index total, const Communicator& ranks);
  // Rank r gets all values from bounds[r - 1] (or the lowest) to below bounds[r] (or all that are left).
  static Deal by_value(const std::vector<double>& bounds, const Vector& increasing, const Communicator& ranks);

  Index first() const { return first_; }           // the place of the lowest value that comes here
  Vector dealt(const Vector& increasing) const;    // what comes here: by rank, each rank's increasing
  Vector returned(const Vector& for_dealt) const;  // back to where each came from, added up where it went to several

 private:
  Deal(Communicator::Parts to, Index own, Index first, const Communicator& ranks);
  const Communicator* ranks_;
  Communicator::Parts to_, from_;
  Index own_, first_;
};

// The places of n values in equal shares: begin of rank r, for r = 0 ... ranks.
std::vector<Index> equal_shares(Index n, int ranks);

}  // namespace cda
