#include "base/shell_word.hpp"

#include <algorithm>
#include <cctype>
#include <string_view>

namespace cda {

std::string shell_word(const std::string& text) {
  const bool plain = !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 || std::string_view("._-/:=,+").find(static_cast<char>(c)) != std::string_view::npos;
  });
  if (plain) return text;
  std::string quoted_text = "'";
  for (const char c : text) quoted_text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted_text + "'";
}

}  // namespace cda
