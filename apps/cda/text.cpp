#include "text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <clocale>
#include <cstdint>
#include <cwchar>

namespace cda::command {
namespace {

// The character that starts at text[at] and its length in bytes; length 0 where the bytes are not UTF-8.
struct Character {
  char32_t code = 0;
  std::size_t length = 0;
};

Character character_at(const std::string& text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[at + i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return {first, 1};
  const std::size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || at + length > text.size()) return {};
  char32_t code = first & (0xff >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return {};
    code = (code << 6) | (byte(i) & 0x3f);
  }
  const bool overlong = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
  const bool surrogate = code >= 0xd800 && code <= 0xdfff;
  if (overlong || surrogate || code > 0x10ffff) return {};
  return {code, length};
}

// What would move the cursor, reorder the line or be seen by nobody.
bool unsafe(char32_t code) {
  return code < 0x20 || (code >= 0x7f && code <= 0x9f) || (code >= 0x200b && code <= 0x200f) ||
         (code >= 0x2028 && code <= 0x202e) || (code >= 0x2060 && code <= 0x206f) || code == 0xfeff || code == 0x61c;
}

// The C library's table of widths, whatever the language of the environment is.
std::size_t columns_of(char32_t code) {
  if (code < 0x300) return 1;
  static const locale_t widths = newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr);
  if (widths == nullptr) return 1;
  const locale_t before = uselocale(widths);
  const int columns = wcwidth(static_cast<wchar_t>(code));
  uselocale(before);
  return columns < 0 ? 1 : static_cast<std::size_t>(columns);
}

// The length in bytes and the width of what stands at text[at].
struct Extent {
  std::size_t bytes = 1, columns = 1;
};

Extent extent_at(const std::string& text, std::size_t at) {
  if (text[at] == '\033') {
    const std::size_t end = text.find('m', at);
    return {(end == std::string::npos ? text.size() : end + 1) - at, 0};
  }
  const Character character = character_at(text, at);
  if (character.length == 0) return {};
  return {character.length, columns_of(character.code)};
}

std::string joined(const std::vector<std::string>& pieces, const std::string& gap, std::size_t width,
                   const std::string& indent, const std::string& hanging) {
  std::string lines, line;
  bool empty = true;
  for (const std::string& piece : pieces) {
    const std::string start = indent + (lines.empty() ? "" : hanging);
    if (!empty && shown_width(start + line + gap + piece) > width) {
      lines += start + line + "\n";
      line.clear();
      empty = true;
    }
    line += (empty ? "" : gap) + piece;
    empty = false;
  }
  return lines + indent + (lines.empty() ? "" : hanging) + line + "\n";
}

}  // namespace

std::string shown(const std::string& name, std::size_t limit) {
  std::string text;
  std::size_t count = 0;
  for (std::size_t at = 0; at < name.size(); ++count) {
    if (count == limit) return text + "...";
    const Character character = character_at(name, at);
    if (character.length == 0)
      text += fmt::format("\\x{:02x}", static_cast<unsigned char>(name[at]));
    else if (unsafe(character.code))
      text += fmt::format("\\u{{{:x}}}", static_cast<std::uint32_t>(character.code));
    else
      text += name.substr(at, character.length);
    at += std::max<std::size_t>(character.length, 1);
  }
  return text;
}

std::string shown_within(const std::string& name, std::size_t width) {
  const std::string text = shown(name, 8 * width);  // an end to any number of accents on one letter
  if (shown_width(text) <= width) return text;
  const std::string dots(std::min<std::size_t>(width, 3), '.');
  std::size_t at = 0, columns = 0;
  while (at < text.size()) {
    const Extent next = extent_at(text, at);
    if (columns + next.columns > width - dots.size()) break;
    columns += next.columns;
    at += next.bytes;
  }
  return text.substr(0, at) + dots;
}

std::size_t shown_width(const std::string& text) {
  std::size_t columns = 0;
  for (std::size_t at = 0; at < text.size();) {
    const Extent next = extent_at(text, at);
    columns += next.columns;
    at += next.bytes;
  }
  return columns;
}

std::size_t widest_line(const std::string& text) {
  std::size_t widest = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    widest = std::max(widest, shown_width(text.substr(begin, end - begin)));
    begin = end + 1;
  }
  return widest;
}

std::string padded(const std::string& text, std::size_t width) {
  const std::size_t columns = shown_width(text);
  return columns < width ? text + std::string(width - columns, ' ') : text;
}

std::string wrapped(const std::string& text, std::size_t width, const std::string& indent, const std::string& hanging) {
  std::vector<std::string> words;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    words.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return joined(words, " ", width, indent, hanging);
}

std::string flowed(const std::vector<std::string>& pieces, std::size_t width, const std::string& indent,
                   const std::string& hanging, const std::string& gap) {
  return joined(pieces, gap, width, indent, hanging);
}

std::string text_table(const std::vector<std::vector<std::string>>& rows, const std::string& indent) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows)
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (widths.size() <= i) widths.push_back(0);
      widths[i] = std::max(widths[i], shown_width(row[i]));
    }
  std::string text;
  for (const auto& row : rows) {
    text += indent;
    for (std::size_t i = 0; i < row.size(); ++i) text += i + 1 < row.size() ? padded(row[i], widths[i]) + "  " : row[i];
    text += '\n';
  }
  return text;
}

std::string single_quoted(const std::string& text) {
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

}  // namespace cda::command
