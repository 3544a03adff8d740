// Pairs of rows that are near each other in some columns.
//
// In one column they are found by sorting: all rows within the radius of a row follow it in the order of their values.
// A further column can only move rows apart, so the pairs of a subspace are among those of any part of it:
//
//   d_{S + j}(a, b)^2 = d_S(a, b)^2 + (a_j - b_j)^2,
//
// and a walk that adds one column after another never compares all rows again. Lists shrink fast on the way down.
// Pairs of one column, of which there are many, are never kept.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "cda/types.hpp"

namespace cda {

struct NearPair {
  std::uint32_t first, second;
  double squared;  // distance
};

class NearPairs {
 public:
  std::size_t size() const { return pairs_.size(); }
  void add(std::uint32_t a, std::uint32_t b, double squared) { pairs_.push_back({a, b, squared}); }
  template <class Visit>
  void each(const Visit& visit) const {
    for (const NearPair& pair : pairs_) visit(pair.first, pair.second, pair.squared);
  }

  // This becomes those of the other's pairs that are within the limit with a further column, and of which one row at
  // least is marked. Most of the time of a search is spent here: no branches, every pair is written and then kept or
  // not.
  void narrow(const NearPairs& other, const double* column, double limit, const std::vector<char>& marked) {
    pairs_.resize(other.size());
    std::size_t kept = 0;
    for (const NearPair& pair : other.pairs_) {
      const double gap = column[pair.first] - column[pair.second], squared = pair.squared + gap * gap;
      pairs_[kept] = {pair.first, pair.second, squared};
      kept += static_cast<std::size_t>(static_cast<int>(squared <= limit) & (marked[pair.first] | marked[pair.second]));
    }
    pairs_.resize(kept);
  }

 private:
  std::vector<NearPair> pairs_;
};

// The largest number whose square root is at most the radius: squared distances are compared with it, and ties at the
// radius fall as if distances were.
double squared_limit(double radius);

// The values of one column, sorted.
class SortedColumn {
 public:
  SortedColumn(const double* values, Index rows);

  Index near_count(double limit) const;  // pairs with a squared difference within the limit

  // visit(a, b, squared difference) for each such pair; `going_on` is asked now and then.
  template <class Visit, class GoingOn>
  void each(double limit, const Visit& visit, const GoingOn& going_on) const {
    const std::size_t rows = order_.size();
    for (std::size_t i = 0; i < rows; ++i) {
      if (i % 256 == 0) going_on();
      for (std::size_t j = i + 1; j < rows; ++j) {
        const double gap = sorted_[j] - sorted_[i], squared = gap * gap;
        if (squared > limit) break;
        visit(order_[i], order_[j], squared);
      }
    }
  }

 private:
  std::vector<std::uint32_t> order_;
  std::vector<double> sorted_;
};

}  // namespace cda
