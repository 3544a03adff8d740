#include <cstdio>
#include <cstdlib>

#include "base/utf8.hpp"
#include "fuzz/targets.hpp"

namespace cda::fuzz {

void require(bool promise, const std::string& message) {
  if (promise) return;
  std::fprintf(stderr, "broken promise: %s\n", message.c_str());
  std::abort();
}

bool harmless(std::string_view text, bool newlines) {
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    if (length == 0) return false;
    const std::string_view character = text.substr(0, length);
    if (hidden_character(character) && !(newlines && character == "\n")) return false;
    text.remove_prefix(length);
  }
  return true;
}

}  // namespace cda::fuzz
