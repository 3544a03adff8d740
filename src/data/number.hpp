// A number from text, the whole of it or not at all, in any locale.
#pragma once

#include <string_view>

namespace cda {

struct NumberFormat {
  char decimal = '.';
  char thousands = 0;  // 0: none
};

enum class NumberKind { number, not_a_number, too_large, infinite };

// Accepts 1, -1, +1, .5, 5., 1E5, -0. What is too small for a double becomes 0 (of its sign); what is too large, the
// infinities, hexadecimal, 1_000 and 1d5 are refused. `value` is set only where the answer is `number`.
NumberKind parse_number(std::string_view text, const NumberFormat& format, double& value);

}  // namespace cda
