// One input: a file, a pipe or standard input, read once from front to back, decompressed on the way if need be.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "cda/table.hpp"
#include "files/byte_source.hpp"

namespace cda {

inline constexpr std::size_t longest_line = std::size_t{64} << 20;  // bytes; more is not a table

// A path as it stands in messages: control bytes escaped, "-" as <stdin>.
std::string shown_path(const std::string& path);

class InputFile {
 public:
  // `most_bytes` (0: the machine's memory, at most 64 GiB) limits what may come out; more is an Error (resource).
  explicit InputFile(const std::string& path, std::uint64_t most_bytes = 0);
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;
  ~InputFile();

  const std::string& path() const { return path_; }    // as given
  const std::string& shown() const { return shown_; }  // for messages
  std::string name() const;                            // the last part of the path, without .gz or .zst

  std::string_view head() const { return head_; }  // the first 4096 bytes, or all there are; reading begins with them
  const std::string& compression() const { return compression_; }  // "gzip", "Zstandard" or empty

  // As many of the next bytes as asked for; fewer only at the end. At the end, throws if the file changed meanwhile.
  std::size_t read(char* to, std::size_t count);
  std::string bytes();  // all that is left
  // The same as UTF-8 text without byte order mark. Refuses what is no text, saying what it looks like.
  std::string text(const std::string& encoding);

  // For libraries that open files themselves: a path to what is open here, whatever has its name by now. Throws where
  // it is a pipe or compressed. check_unchanged() has to be asked after reading.
  std::string path_for_library() const;
  std::uint64_t most_bytes() const { return most_bytes_; }  // that may come out
  std::uint64_t size() const;  // of a regular file, in bytes as they are on disk; 0 for others
  void check_unchanged() const;

 private:
  struct File;

  void count(std::size_t bytes);

  std::string path_, shown_, compression_, head_;
  std::unique_ptr<File> file_;
  std::unique_ptr<ByteSource> source_;
  std::size_t head_used_ = 0;
  std::uint64_t most_bytes_, bytes_ = 0;
};

// The name of the format it is in: as asked for; or by its first bytes; or by its name; or CSV.
std::string format_of(const InputFile& file, const ReadOptions& options);

}  // namespace cda
