// Principal components of a table's rows as directions whose values have variance one, the widest first.
#pragma once

#include "cda/types.hpp"

namespace cda {

struct WhitenedComponents {
  Matrix directions;  // p x r, each with a positive third moment of its values
  Vector mean;        // p
  Vector shares;      // r, of the variance
};
// At most `count`; fewer where the rank is lower. O(n p^2 + p^3), or O(n^2 p) where rows are fewer than columns.
WhitenedComponents whitened_components(const Matrix& rows, Index count);

}  // namespace cda
