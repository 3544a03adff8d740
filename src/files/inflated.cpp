#include "files/inflated.hpp"

#include <zlib.h>

#include <algorithm>
#include <new>

namespace cda {

Inflated inflated(std::string_view packed, InflatedAs kind, std::uint64_t most) {
  Inflated out;
  z_stream stream{};
  if (inflateInit2(&stream, kind) != Z_OK) throw std::bad_alloc();
  struct Closing {
    z_stream& stream;
    ~Closing() { inflateEnd(&stream); }
  } closing{stream};
  constexpr std::uint64_t most_ratio = 1040;  // of any deflated stream, rounded up
  out.bytes.reserve(std::min(most, packed.size() * most_ratio) + 1);
  constexpr std::size_t block = std::size_t{1} << 20, most_given = std::size_t{1} << 30;
  int answer = Z_OK;
  while (answer == Z_OK && out.bytes.size() <= most) {
    const std::size_t given = std::min(packed.size(), most_given), have = out.bytes.size();
    const std::size_t room = std::min<std::uint64_t>(block, most + 1 - have);
    out.bytes.resize(have + room);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));  // zlib does not write there
    stream.avail_in = static_cast<uInt>(given);
    stream.next_out = reinterpret_cast<Bytef*>(out.bytes.data() + have);
    stream.avail_out = static_cast<uInt>(room);
    answer = inflate(&stream, Z_NO_FLUSH);
    packed.remove_prefix(given - stream.avail_in);
    out.bytes.resize(have + room - stream.avail_out);
  }
  if (answer == Z_MEM_ERROR) throw std::bad_alloc();
  out.ended = answer == Z_STREAM_END;
  return out;
}

}  // namespace cda
