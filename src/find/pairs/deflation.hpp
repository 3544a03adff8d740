// Room for the next direction: an orthonormal basis of what is orthogonal to those already found.
#pragma once

#include "cda/types.hpp"

namespace cda {

// p x (s - r): the part of a space (p x s, orthonormal) that is orthogonal to the p x r directions found in it so far.
Matrix complement(const Matrix& space, const Matrix& found);

}  // namespace cda
