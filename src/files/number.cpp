// std::from_chars does the conversion: correctly rounded, and deaf to the locale. Around it stands what it leaves open
// (libstdc++ 12): it refuses a leading plus, reads a prefix of `1e5x`, accepts `inf` and `nan(0x1)`, and answers
// result_out_of_range for 1e400 and 1e-400 alike without touching the value.
#include "files/number.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <string>
#include <system_error>

namespace cda {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return lower;
}

// inf, Infinity, 1.#INF (what some C libraries print), with or without a sign.
bool names_infinity(std::string_view text) {
  if (!text.empty() && (text.front() == '+' || text.front() == '-')) text.remove_prefix(1);
  const std::string lower = lower_case(text.substr(0, 16));
  return lower == "inf" || lower == "infinity" || lower.rfind("1.#inf", 0) == 0 || text == "\u221e";
}

// Of a well-formed number that a double cannot hold: is it too large, rather than too small? The place of the first
// digit that is not zero, plus the exponent, is positive for the one and negative for the other.
bool is_large(std::string_view text) {
  const std::size_t mark = text.find_first_of("eE");
  std::int64_t exponent = 0;
  if (mark != std::string_view::npos) {
    std::string_view digits = text.substr(mark + 1);
    const bool negative = !digits.empty() && digits.front() == '-';
    if (!digits.empty() && !is_digit(digits.front())) digits.remove_prefix(1);
    for (const char c : digits) exponent = std::min<std::int64_t>(exponent * 10 + (c - '0'), 1'000'000'000);
    if (negative) exponent = -exponent;
  }
  const std::string_view mantissa = text.substr(0, mark);
  const std::size_t point = std::min(mantissa.find('.'), mantissa.size());
  const std::size_t first = mantissa.find_first_of("123456789");
  if (first == std::string_view::npos) return false;
  return static_cast<std::int64_t>(point) - static_cast<std::int64_t>(first) + exponent > 0;
}

NumberKind parse_plain(std::string_view text, double& value) {
  std::string_view digits = text;
  if (!digits.empty() && digits.front() == '+') digits.remove_prefix(1);
  const bool signed_digits = digits.size() == text.size() && !digits.empty() && digits.front() == '-';
  const std::size_t first = signed_digits ? 1 : 0;
  // Keeps out inf, nan, a second sign and, with the check of the end below, everything that is no number.
  if (digits.size() <= first || !(is_digit(digits[first]) || digits[first] == '.'))
    return names_infinity(text) ? NumberKind::infinite : NumberKind::not_a_number;
  double parsed = 0.0;
  const auto [end, failure] = std::from_chars(digits.data(), digits.data() + digits.size(), parsed);
  if (failure == std::errc::invalid_argument || end != digits.data() + digits.size())
    return names_infinity(text) ? NumberKind::infinite : NumberKind::not_a_number;
  if (failure == std::errc::result_out_of_range) {
    if (is_large(digits.substr(first))) return NumberKind::too_large;
    parsed = signed_digits ? -0.0 : 0.0;
  }
  value = parsed;
  return NumberKind::number;
}

// Takes the separators out of 12,345,678.9 and refuses 1,23 and 1,2345: a group that is not three digits long is more
// likely a decimal comma than a number.
bool remove_thousands(std::string& text, char separator) {
  std::size_t begin = !text.empty() && (text[0] == '+' || text[0] == '-') ? 1 : 0;
  if (text.find(separator) == std::string::npos) return true;
  std::string plain = text.substr(0, begin);
  for (std::size_t group = 0;; ++group) {
    std::size_t end = begin;
    while (end < text.size() && is_digit(text[end])) ++end;
    const std::size_t length = end - begin;
    if (group == 0 ? length < 1 || length > 3 : length != 3) return false;
    if (group == 1 && plain[plain.find_first_not_of("+-")] == '0') return false;  // 0,525 has a decimal comma
    plain.append(text, begin, length);
    begin = end;
    if (begin == text.size() || text[begin] != separator) break;
    ++begin;
  }
  if (text.find(separator, begin) != std::string::npos) return false;
  text = plain + text.substr(begin);
  return true;
}

}  // namespace

NumberKind parse_number(std::string_view text, const NumberFormat& format, double& value) {
  if (format.decimal == '.' && format.thousands == 0) return parse_plain(text, value);
  std::string plain(text);
  if (format.thousands != 0 && !remove_thousands(plain, format.thousands)) return NumberKind::not_a_number;
  if (format.decimal != '.') {
    if (plain.find('.') != std::string::npos)
      return names_infinity(text) ? NumberKind::infinite : NumberKind::not_a_number;
    std::replace(plain.begin(), plain.end(), format.decimal, '.');
  }
  return parse_plain(plain, value);
}

}  // namespace cda
