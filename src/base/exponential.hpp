// exp of many numbers at once.
#pragma once

#include "cda/types.hpp"

namespace cda {

// values[i] = exp(values[i]) to within 1 unit in the last place, for values up to 0 (larger ones up to 700 work too);
// below -708 the result is exp(-708), which is zero for all purposes. Uses wider registers where the processor has
// them, with the same operations in the same order: the same bits everywhere.
void exp_in_place(double* values, Index count);

}  // namespace cda
