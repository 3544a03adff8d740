#include "cda/error.hpp"

#include <fmt/format.h>

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

std::string quoted(const std::string& text, std::size_t limit) {
  std::string shown = "\"";
  for (const char byte : text) {
    const auto code = static_cast<unsigned char>(byte);
    if (code < 0x20 || code == 0x7f)
      shown += fmt::format("\\x{:02x}", code);
    else if (byte == '"' || byte == '\\')
      shown += fmt::format("\\{}", byte);
    else
      shown += byte;
    if (shown.size() >= limit) {
      // Never cut a UTF-8 character in half.
      while (shown.size() > 1 && (static_cast<unsigned char>(shown.back()) & 0xc0) == 0x80) shown.pop_back();
      if (static_cast<unsigned char>(shown.back()) >= 0xc0) shown.pop_back();
      return shown + "...\"";
    }
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
