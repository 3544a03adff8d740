// Base64 (RFC 4648): bytes as letters, six bits in each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace cda {

inline std::string base64(std::string_view bytes) {
  constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    std::uint32_t three = 0;
    for (std::size_t i = 0; i < 3; ++i)
      three = three << 8 | (at + i < bytes.size() ? static_cast<unsigned char>(bytes[at + i]) : 0U);
    for (std::size_t i = 0; i < 4; ++i) text += at + i > bytes.size() ? '=' : letters[(three >> (18 - 6 * i)) & 63];
  }
  return text;
}

}  // namespace cda
