// Files are read with read(), not mapped: a mapped file that shrinks kills the process, and pipes cannot be mapped.
// Binary files are told apart within the first 4 kB, lines without end while they come in, so that neither fills the
// memory first.
#include "data/input_file.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <utility>
#include <vector>

#include "cda/catalogue.hpp"
#include "cda/error.hpp"

namespace cda {
namespace {

using namespace std::string_view_literals;

// Closes what it opened, also when an Error passes through.
struct Descriptor {
  int number;
  bool owned;
  ~Descriptor() {
    if (owned) ::close(number);
  }
};

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
  for (const std::string& file : nearest_names(name, files)) near.push_back(quoted(folder + file, 200));
  return near.empty() ? "" : fmt::format("did you mean {}?", fmt::join(near, " or "));
}

[[noreturn]] void refuse(const std::string& path, const char* deed, int reason) {
  const std::string hint = reason == ENOENT ? neighbours(path) : "";
  throw Error(
      Fault::io, "io.read",
      fmt::format("cannot {} {}: {}", deed, path == "-" ? "standard input" : quoted(path, 200), std::strerror(reason)),
      hint);
}

std::string looks_like(std::string_view head) {
  static constexpr std::array<std::pair<std::string_view, const char*>, 15> signs{{
      {"\x1f\x8b"sv, "a gzip file"},
      {"\x28\xb5\x2f\xfd"sv, "a Zstandard file"},
      {"PK\x03\x04"sv, "a zip archive, as xlsx and ods are"},
      {"\xd0\xcf\x11\xe0"sv, "an old xls spreadsheet"},
      {"BZh"sv, "a bzip2 file"},
      {"\xfd"
       "7zXZ"sv,
       "an xz file"},
      {"\x89PNG"sv, "a PNG image"},
      {"\xff\xd8\xff"sv, "a JPEG image"},
      {"%PDF-"sv, "a PDF document"},
      {"\x7f"
       "ELF"sv,
       "an ELF program"},
      {"\x89HDF"sv, "an HDF5 file"},
      {"PAR1"sv, "a Parquet file"},
      {"\x93NUMPY"sv, "a NumPy array"},
      {"MATLAB 5.0 MAT"sv, "a MATLAB file"},
      {"SQLite format 3"sv, "an SQLite database"},
  }};
  for (const auto& [sign, what] : signs)
    if (head.substr(0, sign.size()) == sign) return what;
  return "";
}

void refuse_binary(const std::string& path, std::string_view head) {
  const Place place{.file = shown_path(path)};
  if (head.substr(0, 2) == "\xff\xfe"sv || head.substr(0, 2) == "\xfe\xff"sv)
    throw Error(Fault::input, "csv.encoding", "this is UTF-16, not UTF-8",
                "convert it: iconv -f UTF-16 -t UTF-8 FILE > NEW", place);
  const std::string what = looks_like(head);
  if (!what.empty())
    throw Error(Fault::input, "csv.binary", "this looks like a binary file (" + what + "), not like CSV text",
                "a table is plain text: a line of column names, then one line of numbers per row", place);
  // A text file may hold a stray control byte, which is named with its position later; a binary one is full of them.
  const auto is_odd = [](char c) {
    return static_cast<unsigned char>(c) < 0x20 && std::string_view("\t\n\v\f\r").find(c) == std::string_view::npos;
  };
  const auto odd = static_cast<std::size_t>(std::count_if(head.begin(), head.end(), is_odd));
  if (odd >= 4 && odd * 20 > head.size())
    throw Error(Fault::input, "csv.binary",
                fmt::format("this looks like a binary file ({} control bytes among the first {})", odd, head.size()),
                "", place);
}

std::string from_latin1(const std::string& bytes) {
  std::string text;
  text.reserve(bytes.size() + bytes.size() / 16);
  for (const char byte : bytes) {
    const auto code = static_cast<unsigned char>(byte);
    if (code < 0x80) {
      text += byte;
    } else {
      text += static_cast<char>(0xc0 | (code >> 6));
      text += static_cast<char>(0x80 | (code & 0x3f));
    }
  }
  return text;
}

}  // namespace

std::string shown_path(const std::string& path) {
  if (path == "-") return "<stdin>";
  const std::string escaped = quoted(path, 4096);
  return escaped == '"' + path + '"' ? path : escaped;
}

std::string read_bytes(const std::string& path) {
  if (path.find('\0') != std::string::npos)
    throw Error(Fault::usage, "io.path", "a file name cannot contain a NUL byte: " + quoted(path));
  const bool standard_input = path == "-";
  const Descriptor file{standard_input ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY),
                        !standard_input};
  if (file.number < 0) refuse(path, "open", errno);
  struct stat before {};
  if (::fstat(file.number, &before) != 0) refuse(path, "read", errno);
  if (S_ISDIR(before.st_mode)) refuse(path, "read", EISDIR);

  std::string bytes;
  if (S_ISREG(before.st_mode)) bytes.reserve(static_cast<std::size_t>(before.st_size) + 1);
  constexpr std::size_t block = std::size_t{1} << 20, head = 4096;
  std::vector<char> buffer(block);
  std::size_t line_begin = 0;
  bool head_seen = false;
  for (;;) {
    const ssize_t got = ::read(file.number, buffer.data(), block);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) refuse(path, "read", errno);
    if (got == 0) break;
    const std::string_view piece(buffer.data(), static_cast<std::size_t>(got));
    const std::size_t line_end = piece.find_last_of("\r\n");
    if (line_end != std::string_view::npos) line_begin = bytes.size() + line_end + 1;
    bytes += piece;
    if (!head_seen && bytes.size() >= head) {
      refuse_binary(path, std::string_view(bytes).substr(0, head));
      head_seen = true;
    }
    if (bytes.size() - line_begin > longest_line)
      throw Error(Fault::input, "csv.line-too-long", fmt::format("a line is longer than {} MB", longest_line >> 20),
                  "is this a table of numbers?", {.file = shown_path(path)});
  }
  if (!head_seen) refuse_binary(path, bytes);

  struct stat after {};
  const bool changed = S_ISREG(before.st_mode) && ::fstat(file.number, &after) == 0 &&
                       (after.st_size != before.st_size || after.st_mtim.tv_sec != before.st_mtim.tv_sec ||
                        after.st_mtim.tv_nsec != before.st_mtim.tv_nsec);
  if (changed)
    throw Error(Fault::input, "io.changed", "the file changed while it was read",
                "wait until it is written, then try again", {.file = shown_path(path)});
  return bytes;
}

std::string read_text(const std::string& path, const std::string& encoding) {
  const bool latin1 = same_name(encoding, "latin1") || same_name(encoding, "iso-8859-1");
  if (!latin1 && !same_name(encoding, "utf-8") && !same_name(encoding, "utf8"))
    unknown_name("encoding", encoding, {"utf-8", "latin1"});
  std::string text = read_bytes(path);
  const std::size_t zero = text.find('\0');
  if (zero != std::string::npos) {
    long line = 1;
    for (std::size_t i = 0; i < zero; ++i)
      if (text[i] == '\n' || (text[i] == '\r' && text[i + 1] != '\n')) ++line;
    throw Error(Fault::input, "csv.nul", fmt::format("there is a NUL byte at byte {} of the file", zero + 1),
                "is this a text file, written to its end?", {.file = shown_path(path), .line = line});
  }
  if (text.compare(0, 3, "\xef\xbb\xbf") == 0)
    text.erase(0, 3);
  else if (latin1)
    text = from_latin1(text);
  return text;
}

}  // namespace cda
