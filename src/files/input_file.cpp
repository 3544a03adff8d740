// Files are read with read(), not mapped: a mapped file that shrinks kills the process, and pipes cannot be mapped.
// Lines without end are told while they come in, so that they do not fill the memory first.
#include "files/input_file.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>
#include <utility>
#include <vector>

#include "cda/error.hpp"
#include "cda/extend/catalogue.hpp"
#include "cda/files.hpp"
#include "files/text_file.hpp"

namespace cda {
namespace {

constexpr std::size_t head_bytes = 4096;

std::string neighbours(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  const std::string folder = slash == std::string::npos ? "" : path.substr(0, slash + 1);
  const std::string name = slash == std::string::npos ? path : path.substr(slash + 1);
  std::vector<std::string> files;
  if (DIR* listing = ::opendir(folder.empty() ? "." : folder.c_str())) {
    while (const dirent* entry = ::readdir(listing))
      if (entry->d_name[0] != '.' && files.size() < 10'000) files.emplace_back(entry->d_name);
    ::closedir(listing);
  }
  std::sort(files.begin(), files.end());
  std::vector<std::string> near;
  for (const std::string& file : nearest_names(name, files)) near.push_back(in_quotes(folder + file, 200));
  return near.empty() ? "" : fmt::format("did you mean {}?", fmt::join(near, " or "));
}

[[noreturn]] void refuse(const std::string& path, const char* deed, int reason) {
  const std::string hint = reason == ENOENT ? neighbours(path) : "";
  throw Error(Fault::io, "io.read",
              fmt::format("cannot {} {}: {}", deed, path == "-" ? "standard input" : in_quotes(path, 200),
                          std::strerror(reason)),
              hint);
}

std::uint64_t usual_limit() {
  constexpr std::uint64_t largest = std::uint64_t{64} << 30;
  const long pages = ::sysconf(_SC_PHYS_PAGES), page = ::sysconf(_SC_PAGESIZE);
  if (pages <= 0 || page <= 0) return largest;
  return std::min(largest, static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(page));
}

bool has_ending(const std::string& name, std::string_view ending) {
  return name.size() > ending.size() && same_name(name.substr(name.size() - ending.size()), std::string(ending));
}

}  // namespace

struct InputFile::File {
  std::string path;
  int number = -1;
  bool owned = false;
  struct stat before {};

  ~File() {
    if (owned) ::close(number);
  }
  bool regular() const { return S_ISREG(before.st_mode); }
};

namespace {

// The descriptor's own bytes.
class Plain final : public ByteSource {
 public:
  Plain(int number, std::string path) : number_(number), path_(std::move(path)) {}

  std::size_t read(char* to, std::size_t room) override {
    for (;;) {
      const ssize_t got = ::read(number_, to, room);
      if (got >= 0) return static_cast<std::size_t>(got);
      if (errno != EINTR) refuse(path_, "read", errno);
    }
  }

 private:
  int number_;
  std::string path_;
};

// Bytes that were looked at already, then the rest.
class WithHead final : public ByteSource {
 public:
  WithHead(std::string head, std::unique_ptr<ByteSource> rest) : head_(std::move(head)), rest_(std::move(rest)) {}

  std::size_t read(char* to, std::size_t room) override {
    if (used_ == head_.size()) return rest_->read(to, room);
    const std::size_t count = std::min(room, head_.size() - used_);
    std::memcpy(to, head_.data() + used_, count);
    used_ += count;
    return count;
  }

 private:
  std::string head_;
  std::unique_ptr<ByteSource> rest_;
  std::size_t used_ = 0;
};

std::string first_bytes(ByteSource& source, std::size_t count) {
  std::string head(count, '\0');
  std::size_t have = 0;
  while (have < count) {
    const std::size_t got = source.read(head.data() + have, count - have);
    if (got == 0) break;
    have += got;
  }
  head.resize(have);
  return head;
}

}  // namespace

std::string read_file(const std::string& path, const std::function<bool(std::string_view)>& wanted) {
  InputFile file(path);
  return !wanted || wanted(file.head()) ? file.bytes() : std::string(file.head());
}

std::string shown_path(const std::string& path) {
  if (path == "-") return "<stdin>";
  const std::string escaped = in_quotes(path, 4096);
  return escaped == '"' + path + '"' ? path : escaped;
}

InputFile::InputFile(const std::string& path, std::uint64_t most_bytes)
    : path_(path), shown_(shown_path(path)), most_bytes_(most_bytes > 0 ? most_bytes : usual_limit()) {
  if (path.find('\0') != std::string::npos)
    throw Error(Fault::usage, "io.path", "a file name cannot contain a NUL byte: " + in_quotes(path));
  const bool standard_input = path == "-";
  file_ = std::make_unique<File>();
  file_->path = path;
  file_->number = standard_input ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY);
  if (file_->number < 0) refuse(path, "open", errno);
  file_->owned = !standard_input;
  if (::fstat(file_->number, &file_->before) != 0) refuse(path, "read", errno);
  if (S_ISDIR(file_->before.st_mode)) refuse(path, "read", EISDIR);

  source_ = std::make_unique<Plain>(file_->number, path);
  head_ = first_bytes(*source_, head_bytes);
  compression_ = compression_of(head_);
  if (compression_.empty()) return;
  source_ = decompressed(std::make_unique<WithHead>(std::move(head_), std::move(source_)), compression_, shown_);
  head_ = first_bytes(*source_, head_bytes);
}

InputFile::~InputFile() = default;

std::string InputFile::name() const {
  std::string name = path_.substr(path_.rfind('/') == std::string::npos ? 0 : path_.rfind('/') + 1);
  for (const char* packed : {".gz", ".zst"})
    if (has_ending(name, packed)) return name.substr(0, name.size() - std::strlen(packed));
  return name;
}

void InputFile::count(std::size_t bytes) {
  bytes_ += bytes;
  if (bytes_ > most_bytes_)
    throw Error(
        Fault::resource, "input.too-large",
        fmt::format("the content is larger than {} bytes{}", most_bytes_, compression_.empty() ? "" : " when unpacked"),
        "--max-bytes allows more, if the machine has the memory", {.file = shown_});
}

std::size_t InputFile::read(char* to, std::size_t wanted) {
  std::size_t have = std::min(wanted, head_.size() - head_used_);
  std::memcpy(to, head_.data() + head_used_, have);
  head_used_ += have;
  while (have < wanted) {
    const std::size_t got = source_->read(to + have, wanted - have);
    if (got == 0) {
      check_unchanged();
      break;
    }
    have += got;
  }
  count(have);
  return have;
}

std::string InputFile::bytes() {
  std::string all;
  constexpr std::size_t block = std::size_t{1} << 20;
  if (file_->regular() && compression_.empty() && size() <= most_bytes_) all.reserve(size() + block);
  for (;;) {
    const std::size_t have = all.size();
    all.resize(have + block);
    const std::size_t got = read(all.data() + have, block);
    all.resize(have + got);
    if (got < block) return all;
  }
}

std::string InputFile::text(const std::string& encoding) {
  refuse_other_content(head_, shown_);
  std::string all;
  constexpr std::size_t block = std::size_t{1} << 20;
  if (file_->regular() && compression_.empty() && size() <= most_bytes_) all.reserve(size() + block);
  std::size_t line_begin = 0;
  for (;;) {
    const std::size_t have = all.size();
    all.resize(have + block);
    const std::size_t got = read(all.data() + have, block);
    all.resize(have + got);
    const std::size_t line_end = std::string_view(all).substr(have).find_last_of("\r\n");
    if (line_end != std::string_view::npos) line_begin = have + line_end + 1;
    if (all.size() - line_begin > longest_line)
      throw Error(Fault::input, "text.line-too-long", fmt::format("a line is longer than {} MB", longest_line >> 20),
                  "is this a table of numbers?", {.file = shown_});
    if (got < block) return decoded_text(std::move(all), encoding, shown_);
  }
}

std::string InputFile::path_for_library() const {
  if (!compression_.empty())
    throw Error(
        Fault::input, "input.compressed", fmt::format("a {} stream cannot be read in this format", compression_),
        compression_ == "gzip" ? "unpack it first: gunzip FILE" : "unpack it first: unzstd FILE", {.file = shown_});
  if (!file_->regular())
    throw Error(Fault::input, "input.stream", "this format cannot be read from a pipe", "give it as a file",
                {.file = shown_});
  return fmt::format("/proc/self/fd/{}", file_->number);
}

std::uint64_t InputFile::size() const {
  return file_->regular() ? static_cast<std::uint64_t>(file_->before.st_size) : 0;
}

void InputFile::check_unchanged() const {
  const struct stat& before = file_->before;
  struct stat after {};
  const bool changed = file_->regular() && ::fstat(file_->number, &after) == 0 &&
                       (after.st_size != before.st_size || after.st_mtim.tv_sec != before.st_mtim.tv_sec ||
                        after.st_mtim.tv_nsec != before.st_mtim.tv_nsec);
  if (changed)
    throw Error(Fault::input, "io.changed", "the file changed while it was read",
                "wait until it is written, then try again", {.file = shown_});
}

}  // namespace cda
