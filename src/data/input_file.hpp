// The bytes of an input file, checked for being text.
#pragma once

#include <string>

namespace cda {

inline constexpr std::size_t longest_line = std::size_t{64} << 20;  // bytes; more is not a table

// A path as it stands in messages: control bytes escaped, "-" as <stdin>.
std::string shown_path(const std::string& path);

// Everything a file, a pipe or standard input ("-") gives, read once from front to back.
std::string read_bytes(const std::string& path);

// The file as UTF-8 text without byte order mark. Refuses what is no text at all, saying what it looks like.
std::string read_text(const std::string& path, const std::string& encoding);

}  // namespace cda
