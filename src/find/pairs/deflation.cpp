#include "find/pairs/deflation.hpp"

#include "base/linear_algebra.hpp"

namespace cda {

Matrix complement(const Matrix& space, const Matrix& found) {
  if (found.cols() == 0) return space;
  const Matrix within = space.transpose() * found;  // s x r
  return space * orthonormal_frame(within).rightCols(space.cols() - found.cols());
}

}  // namespace cda
