// fast_float does the conversion: correctly rounded, and deaf to the locale. Around it stands what it leaves open: it
// refuses a leading plus, accepts `inf` and `nan(0x1)`, and reads a prefix of `1e5x`.
#include "files/number.hpp"

#include <fast_float/fast_float.h>

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
  return lower == "inf" || lower == "infinity" || lower.rfind("1.#inf", 0) == 0 || lower.rfind("1,#inf", 0) == 0 ||
         text == "\u221e";
}

NumberKind parse_plain(std::string_view text, char decimal, double& value) {
  double parsed = 0.0;
  const char* const stop = text.data() + text.size();
  if (number_parts::any_number_at(text.data(), stop, decimal, parsed) != stop || text.empty())
    return names_infinity(text) ? NumberKind::infinite : NumberKind::not_a_number;
  if (std::isinf(parsed)) return NumberKind::too_large;
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

const char* number_parts::any_number_at(const char* begin, const char* stop, char decimal, double& value) {
  const char* digits = begin != stop && (*begin == '+' || *begin == '-') ? begin + 1 : begin;
  if (digits == stop || !(is_digit(*digits) || *digits == decimal)) return nullptr;
  const fast_float::parse_options options{fast_float::chars_format::general, decimal};
  const auto [end, failure] = fast_float::from_chars_advanced(*begin == '+' ? digits : begin, stop, value, options);
  return failure == std::errc() ? end : nullptr;
}

NumberKind parse_number(std::string_view text, const NumberFormat& format, double& value) {
  if (format.thousands == 0) return parse_plain(text, format.decimal, value);
  std::string plain(text);
  return remove_thousands(plain, format.thousands) ? parse_plain(plain, format.decimal, value)
                                                   : NumberKind::not_a_number;
}

}  // namespace cda
