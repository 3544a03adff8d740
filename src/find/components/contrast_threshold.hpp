// How much contrast chance alone produces: the 95 % quantile of the largest contrast that the search finds in a table
// of `rows` independent normal rows and `dimensions` columns. It depends on nothing else.
#pragma once

#include "cda/types.hpp"

namespace cda {

double contrast_threshold(Index rows, Index dimensions);

}  // namespace cda
