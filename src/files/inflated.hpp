// What was deflated, held in memory: entries of zip archives and variables of MATLAB files.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace cda {

struct Inflated {
  std::string bytes;
  bool ended = false;  // at its end, with the checksum of a zlib stream
};

// At most `most` bytes and one, which tells of more. Memory grows with what comes out, not with what is claimed.
enum InflatedAs : int { deflate_stream = -15, zlib_stream = 15 };
Inflated inflated(std::string_view packed, InflatedAs kind, std::uint64_t most);

}  // namespace cda
