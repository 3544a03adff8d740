// Numbers against strtod in the C locale. What is read has to be the same bits; what is refused must not be a number by
// the grammar that is promised: sign, digits with a point, exponent.
#include <cmath>
#include <cstdlib>
#include <cstring>

#include "files/number.hpp"
#include "fuzz/targets.hpp"

namespace cda::fuzz {
namespace {

bool digit(char c) { return c >= '0' && c <= '9'; }

bool follows_grammar(const std::string& text) {
  std::size_t at = !text.empty() && (text[0] == '+' || text[0] == '-') ? 1 : 0, digits = 0;
  for (; at < text.size() && digit(text[at]); ++at) ++digits;
  if (at < text.size() && text[at] == '.')
    for (++at; at < text.size() && digit(text[at]); ++at) ++digits;
  if (digits == 0) return false;
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    ++at;
    if (at < text.size() && (text[at] == '+' || text[at] == '-')) ++at;
    const std::size_t begin = at;
    while (at < text.size() && digit(text[at])) ++at;
    if (at == begin) return false;
  }
  return at == text.size();
}

// The text as it is with a point for decimals and nothing between thousands; empty where groups are wrong.
std::string plain_notation(const std::string& text, const NumberFormat& format) {
  std::string plain;
  const std::size_t begin = !text.empty() && (text[0] == '+' || text[0] == '-') ? 1 : 0;
  std::size_t end = begin;
  while (end < text.size() && (digit(text[end]) || (format.thousands != 0 && text[end] == format.thousands))) ++end;
  std::string whole = text.substr(begin, end - begin);
  if (format.thousands != 0 && whole.find(format.thousands) != std::string::npos) {
    for (std::size_t from_right = 0; from_right < whole.size(); ++from_right) {
      const bool separator_due = from_right % 4 == 3;
      if ((whole[whole.size() - 1 - from_right] == format.thousands) != separator_due) return "";
    }
    if (!digit(whole.front())) return "";
  }
  plain = text.substr(0, begin);
  for (const char c : whole)
    if (digit(c)) plain += c;
  for (std::size_t i = end; i < text.size(); ++i) {
    if (text[i] == '.' && format.decimal != '.') return "";
    if (format.thousands != 0 && text[i] == format.thousands) return "";
    plain += text[i] == format.decimal ? '.' : text[i];
  }
  return plain;
}

}  // namespace

void number_parser(std::string_view input) {
  Choices choices(input);
  constexpr std::array<NumberFormat, 4> formats{{{'.', 0}, {',', 0}, {'.', ','}, {',', '.'}}};
  const NumberFormat format = formats.at(choices.next(4));
  const std::string text(input);
  if (text.find('\0') != std::string::npos) return;
  const double untouched = 123.5;
  double value = untouched;
  const NumberKind kind = parse_number(text, format, value);
  if (kind != NumberKind::number) require(value == untouched, "a number was set although none was read");
  double quick = untouched;
  const char* end = number_at(text.data(), text.data() + text.size(), format.decimal, quick);
  if (end == text.data() + text.size() && format.thousands == 0) {
    require(kind == NumberKind::number, "read at once what is no number: " + text);
    require(std::memcmp(&value, &quick, sizeof value) == 0, "another number when read at once: " + text);
  }
  const std::string plain = plain_notation(text, format);
  if (!follows_grammar(plain)) {
    require(kind == NumberKind::not_a_number || kind == NumberKind::infinite, "read what is no number: " + text);
    return;
  }
  const double expected = std::strtod(plain.c_str(), nullptr);
  if (std::isinf(expected)) {
    require(kind == NumberKind::too_large, "too large, but not said so: " + text);
    return;
  }
  require(kind == NumberKind::number, "refused a number: " + text);
  require(std::memcmp(&value, &expected, sizeof value) == 0, "not the number strtod reads: " + text);
}

}  // namespace cda::fuzz
