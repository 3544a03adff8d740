// SHA-256 (FIPS 180-4): a fingerprint of bytes. Two different contents with the same fingerprint have never been found.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace cda {

class Sha256 {
 public:
  void add(std::string_view bytes);
  std::string digest();  // 64 lower-case hexadecimal digits; nothing may be added afterwards

 private:
  void take_block(const unsigned char* block);

  std::array<std::uint32_t, 8> state_{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<unsigned char, 64> block_{};  // bytes that do not fill a block yet
  std::size_t waiting_ = 0;
  std::uint64_t bytes_ = 0;
};

std::string sha256(std::string_view bytes);

}  // namespace cda
