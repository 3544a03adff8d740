#include "cda/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "base/utf8.hpp"

namespace cda {

std::string describe(const Place& place, const std::string& message, const std::string& hint) {
  std::string text;
  if (!place.file.empty()) {
    text += place.file;
    if (place.line > 0) text += fmt::format(":{}", place.line);
    if (place.line > 0 && place.column > 0) text += fmt::format(":{}", place.column);
    text += ": ";
  }
  text += message;
  if (!hint.empty()) text += " (hint: " + hint + ")";
  return text;
}

std::string in_quotes(const std::string& text, std::size_t limit) {
  std::string shown = "\"";
  std::string_view rest = text;
  while (!rest.empty()) {
    const std::size_t length = utf8_length(rest);
    const std::string_view character = rest.substr(0, std::max<std::size_t>(length, 1));
    std::string next(character);
    if (length == 0 || hidden_character(character)) {
      next.clear();
      for (const char byte : character) next += fmt::format("\\x{:02x}", static_cast<unsigned char>(byte));
    } else if (next == "\"" || next == "\\") {
      next.insert(next.begin(), '\\');
    }
    if (shown.size() + next.size() > limit) return shown + "...\"";  // whole characters only
    shown += next;
    rest.remove_prefix(character.size());
  }
  return shown + "\"";
}

Error::Error(Fault fault, std::string code, std::string message, std::string hint, Place place)
    : std::runtime_error(describe(place, message, hint)),
      fault_(fault),
      code_(std::move(code)),
      message_(std::move(message)),
      hint_(std::move(hint)),
      place_(std::move(place)) {}

}  // namespace cda
