// Bytes that come one after the other: from a file descriptor, or out of a compressed stream of such bytes.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace cda {

class ByteSource {
 public:
  virtual ~ByteSource() = default;
  // Fills at most `room` bytes and says how many; 0 only at the end. Throws an Error where the bytes are damaged.
  virtual std::size_t read(char* to, std::size_t room) = 0;
};

// The name of the compression that content with these first bytes has ("gzip", "Zstandard"), or empty.
std::string compression_of(std::string_view head);

// The bytes that went into `packed`. `file` is for messages. Several members or frames in a row are one stream; an end
// before the end of a member, a wrong checksum and bytes after the last member are errors.
std::unique_ptr<ByteSource> decompressed(std::unique_ptr<ByteSource> packed, const std::string& compression,
                                         const std::string& file);

}  // namespace cda
