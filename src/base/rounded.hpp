// A number with six significant digits, which is what can be seen. Finite whatever is given: 0 for what is no number,
// the largest number for what is beyond it.
#pragma once

namespace cda {

double rounded(double value);

}  // namespace cda
