// The rows nearest to a point, by a tree of boxes: rows are halved along the widest side of their box until few are
// left. O(n log n) to build; a query looks into O(log n) boxes in few dimensions and into most of them in many.
//
// A row may have a price that is added to its squared distance; prices are <= 0 by use, but may be any number.
#pragma once

#include <vector>

#include "cda/types.hpp"

namespace cda {

class NearestRows {
 public:
  explicit NearestRows(const Matrix& rows);

  struct Found {
    double value;  // |point - row|^2 + price
    Index row;
    bool operator<(const Found& other) const { return value != other.value ? value < other.value : row < other.row; }
  };
  // The `count` rows (all if there are fewer) with the smallest values, best first; among equals the lowest number.
  std::vector<Found> query(const Vector& point, Index count) const;

  // From now on a row counts as this much farther off.
  void set_prices(const Vector& prices);

 private:
  struct Box {
    Vector low, high;
    Index begin, end;  // of order_
    Index left = -1;   // the other half follows it in boxes_[right]
    Index right = -1;
    double cheapest = 0.0;  // the lowest price inside
  };

  Index build(Index begin, Index end);
  double lowest(const Box& box, const Vector& point) const;  // no row inside has a smaller value
  void search(Index box, const Vector& point, std::size_t count, std::vector<Found>& heap) const;

  Matrix points_;  // d x n: one row after another
  std::vector<Index> order_;
  std::vector<Box> boxes_;
  Vector prices_;
};

}  // namespace cda
