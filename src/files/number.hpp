// A number from text, the whole of it or not at all, in any locale.
//
// Most numbers of most files are short decimals, and for these number_at() is exact with one rounding: m digits without
// their point are a whole number of at most 2^53, the powers of ten up to 10^22 are doubles, and so is the rounded
// quotient or product of the two (Clinger 1990). It reads eight digits at a time and leaves everything else to
// fast_float or, where the text is no plain number, to the caller.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
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

// Where the plain number that stands at the beginning of a text ends; nullptr where there is none, or none that could
// be read without a closer look. Numbers are read as parse_number reads them, to the bit.
const char* number_at(const char* begin, const char* stop, char decimal, double& value);

// What follows are its parts, here so that they become one loop with the reader's.
namespace number_parts {

// As number_at, with a closer look at once; what is too large for a double is infinite.
const char* any_number_at(const char* begin, const char* stop, char decimal, double& value);

inline constexpr std::uint64_t every_byte = 0x0101010101010101;

// 10^0 to 10^8, for as many digits as a word holds.
inline constexpr std::uint64_t whole_powers[] = {1,       10,        100,        1'000,      10'000,
                                                 100'000, 1'000'000, 10'000'000, 100'000'000};

inline constexpr double exact_powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                          1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

// Eight digits as a number: neighbours are joined to pairs, pairs to fours, fours to eight. The first is the lowest
// byte.
inline std::uint64_t joined_digits(std::uint64_t digits) {
  digits &= 0x0f * every_byte;
  digits = (digits * 10 + (digits >> 8)) & 0x00ff00ff00ff00ff;
  digits = (digits * 100 + (digits >> 16)) & 0x0000ffff0000ffff;
  return (digits * 10'000 + (digits >> 32)) & 0xffffffff;
}

// Takes the digits that stand at `at` into `whole` (modulo 2^64) and returns where they end.
inline const char* take_digits(const char* at, const char* stop, std::uint64_t& whole) {
  if constexpr (std::endian::native == std::endian::little) {
    while (stop - at >= 8) {
      std::uint64_t word = 0;
      std::memcpy(&word, at, sizeof word);
      // A digit's upper half is 3, also after 6 is added. A carry can only come from an earlier byte that is no digit.
      const std::uint64_t upper = 0xf0 * every_byte, three = 0x30 * every_byte;
      const std::uint64_t others = ((word & upper) ^ three) | (((word + 0x06 * every_byte) & upper) ^ three);
      if (others == 0) {
        whole = whole * whole_powers[8] + joined_digits(word);
        at += 8;
        continue;
      }
      const int digits = std::countr_zero(others) / 8;
      if (digits > 0) whole = whole * whole_powers[digits] + joined_digits(word << (64 - 8 * digits));
      return at + digits;
    }
  }
  for (; at != stop && *at >= '0' && *at <= '9'; ++at) whole = whole * 10 + static_cast<std::uint64_t>(*at - '0');
  return at;
}

}  // namespace number_parts

inline const char* number_at(const char* begin, const char* stop, char decimal, double& value) {
  using namespace number_parts;
  constexpr std::uint64_t exact_below = std::uint64_t{1} << 53;
  constexpr long most_digits = 19, most_exponent = 22;  // of a whole number below 2^64; of an exact power of ten
  const char* at = begin;
  const bool negative = at != stop && *at == '-';
  if (negative || (at != stop && *at == '+')) ++at;
  std::uint64_t whole = 0;
  const char* first = at;
  at = take_digits(at, stop, whole);
  long digits = at - first, exponent = 0;
  if (at != stop && *at == decimal) {
    const char* after_point = ++at;
    at = take_digits(at, stop, whole);
    exponent = after_point - at;
    digits -= exponent;
  }
  if (digits == 0) return nullptr;
  if (at != stop && (*at == 'e' || *at == 'E')) {
    ++at;
    const bool smaller = at != stop && *at == '-';
    if (smaller || (at != stop && *at == '+')) ++at;
    std::uint64_t power = 0;
    const char* mark = at;
    at = take_digits(at, stop, power);
    if (at == mark || at - mark > 4) return nullptr;
    exponent += smaller ? -static_cast<long>(power) : static_cast<long>(power);
  }
  if (digits <= most_digits && whole <= exact_below && exponent <= most_exponent && exponent >= -most_exponent) {
    const auto exact = static_cast<double>(whole);
    const double size = exponent < 0 ? exact / exact_powers[-exponent] : exact * exact_powers[exponent];
    value = negative ? -size : size;
    return at;
  }
  const char* end = any_number_at(begin, at, decimal, value);
  return end == at && !std::isinf(value) ? at : nullptr;
}

}  // namespace cda
