#include "report/html.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>

#include "base/base64.hpp"
#include "base/sha256.hpp"
#include "base/utf8.hpp"

namespace cda {
namespace {

std::uint32_t code_point(std::string_view character) {
  const auto lead = static_cast<unsigned char>(character[0]);
  std::uint32_t code = character.size() == 1 ? lead : lead & (0xffU >> (character.size() + 1));
  for (const char byte : character.substr(1)) code = code << 6 | (static_cast<unsigned char>(byte) & 0x3fU);
  return code;
}

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '&')
      result += "&amp;";
    else if (c == '<')
      result += "&lt;";
    else if (c == '>')
      result += "&gt;";
    else if (c == '"')
      result += "&quot;";
    else if (c == '\'')
      result += "&#39;";
    else
      result += c;
  }
  return result;
}

PageJson visible_texts(const PageJson& value) {
  if (value.is_string()) return visible(value.get_ref<const std::string&>());
  if (!value.is_structured()) return value;
  PageJson result = value.is_array() ? PageJson::array() : PageJson::object();
  for (const auto& [key, item] : value.items()) {
    if (value.is_array())
      result.push_back(visible_texts(item));
    else
      result[visible(key)] = visible_texts(item);
  }
  return result;
}

}  // namespace

std::string visible(std::string_view text, bool keep_lines) {
  std::string result;
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    const std::string_view character = text.substr(0, std::max<std::size_t>(length, 1));
    if (length == 0)
      result += fmt::format("\\x{:02x}", static_cast<unsigned char>(character[0]));
    else if (hidden_character(character) && !(keep_lines && character == "\n"))
      result += fmt::format("\\u{{{:x}}}", code_point(character));
    else
      result += character;
    text.remove_prefix(character.size());
  }
  return result;
}

std::string html(std::string_view text, bool keep_lines) { return escaped(visible(text, keep_lines)); }

std::string html_with_code(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const std::size_t open = text.find('`');
    const std::size_t close = open == std::string_view::npos ? open : text.find('`', open + 1);
    if (close == std::string_view::npos) break;
    const std::string_view code = text.substr(open + 1, close - open - 1);
    result += html(text.substr(0, open), true);
    result += (code.size() < 30 ? "<code class=\"short\">" : "<code>") + html(code, true) +
              "</code>";  // or it breaks at hyphens
    text.remove_prefix(close + 1);
  }
  return result + html(text, true);
}

std::string inline_json(const PageJson& value) {
  std::string result;
  for (const char c : visible_texts(value).dump(-1, ' ', true)) {
    if (c == '<' || c == '>' || c == '&')
      result += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    else
      result += c;
  }
  return result;
}

std::string content_hash(std::string_view content) {
  const std::string digits = sha256(content);
  std::string bytes;
  for (std::size_t i = 0; i < digits.size(); i += 2) {
    unsigned byte = 0;
    std::from_chars(digits.data() + i, digits.data() + i + 2, byte, 16);
    bytes += static_cast<char>(byte);
  }
  return "sha256-" + base64(bytes);
}

}  // namespace cda
