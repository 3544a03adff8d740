#include "objective/deflation.hpp"

#include <Eigen/QR>

namespace cda {

Matrix complement(const Matrix& space, const Matrix& found) {
  if (found.cols() == 0) return space;
  const Matrix within = space.transpose() * found;  // s x r
  const Matrix full = within.householderQr().householderQ();
  return space * full.rightCols(space.cols() - found.cols());
}

}  // namespace cda
