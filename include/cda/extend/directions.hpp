#pragma once

#include "cda/types.hpp"

namespace cda {

// r pairs of directions, and the scale of each: values are rows_x * x and rows_y * y * diag(scales).
struct Directions {
  Matrix x;       // p x r (U)
  Matrix y;       // q x r (V)
  Vector scales;  // r (beta)

  Index pairs() const { return x.cols(); }
};

}  // namespace cda
