#include "files/text_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include "cda/error.hpp"
#include "cda/extend/catalogue.hpp"

namespace cda {
namespace {

using namespace std::string_view_literals;

std::string looks_like(std::string_view head) {
  static constexpr std::array<std::pair<std::string_view, const char*>, 13> signs{{
      {"\x80\x02"sv, "a Python pickle"},
      {"\x80\x03"sv, "a Python pickle"},
      {"\x80\x04"sv, "a Python pickle"},
      {"\x80\x05"sv, "a Python pickle"},
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
      {"SQLite format 3"sv, "an SQLite database"},
  }};
  for (const auto& [sign, what] : signs)
    if (head.substr(0, sign.size()) == sign) return what;
  return "";
}

// Text that no table begins with, however odd its names.
void refuse_other_text(std::string_view head, const Place& place) {
  std::string begin;  // without blanks, in small letters
  for (std::size_t i = head.starts_with("\xef\xbb\xbf"sv) ? 3 : 0; i < head.size() && begin.size() < 16; ++i)
    if (" \t\n\r"sv.find(head[i]) == std::string_view::npos)
      begin += static_cast<char>(std::tolower(static_cast<unsigned char>(head[i])));
  if (begin.starts_with("<!doctype") || begin.starts_with("<html") || begin.starts_with("<?xml"))
    throw Error(Fault::input, "text.markup", "this looks like a web page or XML, not like a table",
                "if it was downloaded, the server may have answered with a message instead", place);
  if (begin.starts_with("{\"") || begin.starts_with("[{\""))
    throw Error(Fault::input, "text.json", "this looks like JSON, not like a table",
                head.find("\"cda-model\"") == std::string_view::npos ? "`cda list formats` shows what can be read"
                                                                     : "it is a model: tables are expected here",
                place);
}

}  // namespace

void append_utf8(std::string& text, std::uint32_t code) {
  constexpr std::array<std::uint32_t, 4> marks = {0, 0xc0, 0xe0, 0xf0};  // of the first byte, by how many follow
  std::uint32_t further = code < 0x80 ? 0 : code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
  text += static_cast<char>(marks[further] | code >> (6 * further));
  while (further-- > 0) text += static_cast<char>(0x80 | (code >> (6 * further) & 0x3f));
}

std::string from_latin1(const std::string& bytes) {
  std::string text;
  text.reserve(bytes.size() + bytes.size() / 16);
  for (const char byte : bytes) append_utf8(text, static_cast<unsigned char>(byte));
  return text;
}

void refuse_other_content(std::string_view head, const std::string& shown) {
  const Place place{.file = shown};
  if (head.substr(0, 2) == "\xff\xfe"sv || head.substr(0, 2) == "\xfe\xff"sv)
    throw Error(Fault::input, "text.encoding", "this is UTF-16, not UTF-8",
                "convert it: iconv -f UTF-16 -t UTF-8 FILE > NEW", place);
  const std::string what = looks_like(head);
  if (!what.empty())
    throw Error(Fault::input, "text.binary", "this looks like a binary file (" + what + "), not like a table",
                "`cda list formats` shows what can be read", place);
  // A text file may hold a stray control byte, which is named with its position later; a binary one is full of them.
  const auto is_odd = [](char c) {
    return static_cast<unsigned char>(c) < 0x20 && std::string_view("\t\n\v\f\r").find(c) == std::string_view::npos;
  };
  const auto odd = static_cast<std::size_t>(std::count_if(head.begin(), head.end(), is_odd));
  if (odd >= 4 && odd * 20 > head.size())
    throw Error(Fault::input, "text.binary",
                fmt::format("this looks like a binary file ({} control bytes among the first {})", odd, head.size()),
                "", place);
  refuse_other_text(head, place);
}

std::string decoded_text(std::string bytes, const std::string& encoding, const std::string& shown) {
  const bool latin1 = same_name(encoding, "latin1") || same_name(encoding, "iso-8859-1");
  if (!latin1 && !same_name(encoding, "utf-8") && !same_name(encoding, "utf8"))
    unknown_name("encoding", encoding, {"utf-8", "latin1"});
  const std::size_t zero = bytes.find('\0');
  if (zero != std::string::npos) {
    long line = 1;
    for (std::size_t i = 0; i < zero; ++i)
      if (bytes[i] == '\n' || (bytes[i] == '\r' && bytes[i + 1] != '\n')) ++line;
    throw Error(Fault::input, "text.nul", fmt::format("there is a NUL byte at byte {} of the file", zero + 1),
                "is this a text file, written to its end?", {.file = shown, .line = line});
  }
  if (bytes.compare(0, 3, "\xef\xbb\xbf") == 0) {
    bytes.erase(0, 3);
    return bytes;
  }
  return latin1 ? from_latin1(bytes) : std::move(bytes);
}

}  // namespace cda
