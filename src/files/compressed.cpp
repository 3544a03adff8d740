// gzip by zlib, Zstandard by libzstd, both as streams: memory does not grow with what comes out. The checks of either
// format (length and CRC-32; content checksum) are made by its library; what the libraries leave to the caller is to
// notice that the input ends inside a member, and to begin the next one.
#include <fmt/format.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "cda/error.hpp"
#include "files/byte_source.hpp"

namespace cda {
namespace {

using namespace std::string_view_literals;

constexpr std::size_t block = std::size_t{1} << 17;

// What both have in common: a buffer of packed bytes, and how far the output has come, for messages.
class Unpacker : public ByteSource {
 public:
  Unpacker(std::unique_ptr<ByteSource> packed, std::string file)
      : packed_(std::move(packed)), file_(std::move(file)), buffer_(block) {}

  std::size_t read(char* to, std::size_t room) final {
    if (room == 0) return 0;
    for (;;) {
      if (begin_ == end_ && !at_end_) {
        begin_ = 0;
        end_ = packed_->read(buffer_.data(), buffer_.size());
        at_end_ = end_ == 0;
      }
      const std::size_t got = unpack(to, room);
      if (got > 0) {
        lines_ += static_cast<long>(std::count(to, to + got, '\n'));
        bytes_ += got;
        return got;
      }
      if (at_end_) return 0;
    }
  }

 protected:
  // Takes from [begin_, end_), writes at most `room` bytes, says how many.
  virtual std::size_t unpack(char* to, std::size_t room) = 0;

  [[noreturn]] void refuse(const std::string& code, const std::string& message, const std::string& hint) const {
    throw Error(Fault::input, code, message, hint, {.file = file_});
  }
  std::string so_far() const { return fmt::format("{} lines ({} bytes)", lines_, bytes_); }

  std::unique_ptr<ByteSource> packed_;
  std::string file_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0, end_ = 0;
  bool at_end_ = false;
  long lines_ = 0;
  std::size_t bytes_ = 0;
};

class Gzip final : public Unpacker {
 public:
  using Unpacker::Unpacker;
  ~Gzip() override {
    if (open_) inflateEnd(&stream_);
  }
  Gzip(const Gzip&) = delete;
  Gzip& operator=(const Gzip&) = delete;

 private:
  std::size_t unpack(char* to, std::size_t room) override {
    if (!open_ && begin_ == end_) return 0;
    if (!open_) begin_member();
    stream_.next_in = reinterpret_cast<Bytef*>(buffer_.data() + begin_);
    stream_.avail_in = static_cast<uInt>(end_ - begin_);
    stream_.next_out = reinterpret_cast<Bytef*>(to);
    const auto most = static_cast<uInt>(std::min(room, std::size_t{1} << 30));
    stream_.avail_out = most;
    const int answer = inflate(&stream_, Z_NO_FLUSH);
    begin_ = end_ - stream_.avail_in;
    if (answer == Z_STREAM_END) {
      inflateEnd(&stream_);
      open_ = false;
      members_ += 1;
    } else if (answer != Z_OK && answer != Z_BUF_ERROR) {
      damaged(answer);
    }
    const std::size_t got = most - stream_.avail_out;
    // At the end of the input zlib may still hold output: only when none comes is something missing.
    if (at_end_ && open_ && got == 0)
      refuse("gzip.truncated", "the gzip stream ends early, after " + so_far(),
             "the file is incomplete: copy it again");
    return got;
  }

  [[noreturn]] void damaged(int answer) const {
    if (answer == Z_MEM_ERROR) throw std::bad_alloc();
    if (members_ > 0 && stream_.total_in < 10)
      refuse("gzip.trailing", "there are bytes after the end of the gzip stream that are not gzip",
             "the file is damaged, or something was added to it");
    refuse("gzip.damaged",
           fmt::format("the gzip stream is damaged after {} ({})", so_far(),
                       stream_.msg != nullptr ? stream_.msg : "no further reason"),
           "the file is damaged: copy it again");
  }

  void begin_member() {
    stream_ = {};
    constexpr int gzip_only = 16;
    if (inflateInit2(&stream_, gzip_only + MAX_WBITS) != Z_OK) throw std::bad_alloc();
    open_ = true;
  }

  z_stream stream_{};
  bool open_ = false;
  long members_ = 0;
};

class Zstandard final : public Unpacker {
 public:
  Zstandard(std::unique_ptr<ByteSource> packed, std::string file)
      : Unpacker(std::move(packed), std::move(file)), stream_(ZSTD_createDStream()) {
    if (stream_ == nullptr) throw std::bad_alloc();
  }
  ~Zstandard() override { ZSTD_freeDStream(stream_); }
  Zstandard(const Zstandard&) = delete;
  Zstandard& operator=(const Zstandard&) = delete;

 private:
  std::size_t unpack(char* to, std::size_t room) override {
    // At the end of the input there may still be output inside the decoder: it is asked until nothing comes.
    ZSTD_inBuffer in{buffer_.data(), end_, begin_};
    ZSTD_outBuffer out{to, room, 0};
    if (at_end_ && !inside_) return 0;
    const std::size_t answer = ZSTD_decompressStream(stream_, &out, &in);
    begin_ = in.pos;
    if (ZSTD_getErrorCode(answer) == ZSTD_error_frameParameter_windowTooLarge)
      throw Error(Fault::resource, "zstd.window", "the Zstandard stream takes more than 128 MB of memory to unpack",
                  "it was compressed with --long: zstd -d --long=31 FILE", {.file = file_});
    if (ZSTD_isError(answer) != 0)
      refuse("zstd.damaged",
             fmt::format("the Zstandard stream is damaged after {} ({})", so_far(), ZSTD_getErrorName(answer)),
             "the file is damaged: copy it again");
    inside_ = answer != 0;
    if (at_end_ && inside_ && out.pos == 0)
      refuse("zstd.truncated", "the Zstandard stream ends early, after " + so_far(),
             "the file is incomplete: copy it again");
    return out.pos;
  }

  ZSTD_DStream* stream_;
  bool inside_ = true;
};

}  // namespace

std::string compression_of(std::string_view head) {
  if (head.substr(0, 2) == "\x1f\x8b"sv) return "gzip";
  if (head.substr(0, 4) == "\x28\xb5\x2f\xfd"sv) return "Zstandard";
  // A frame to be skipped, as programs with several threads write one first: 0x184D2A50 to 0x184D2A5F.
  if (head.size() >= 4 && (head[0] & 0xf0) == 0x50 && head.substr(1, 3) == "\x2a\x4d\x18"sv) return "Zstandard";
  return "";
}

std::unique_ptr<ByteSource> decompressed(std::unique_ptr<ByteSource> packed, const std::string& compression,
                                         const std::string& file) {
  if (compression == "gzip") return std::make_unique<Gzip>(std::move(packed), file);
  if (compression == "Zstandard") return std::make_unique<Zstandard>(std::move(packed), file);
  return packed;
}

}  // namespace cda
