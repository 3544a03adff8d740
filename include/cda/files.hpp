// For programs that take names of files from people and show them what is in those: reading as bytes, limited as tables
// are; where an output would go; names as people type them. Writing is in cda/table.hpp.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace cda {

// The bytes of a file ("-": standard input), unpacked where it is compressed. Where `wanted` says no to its beginning,
// at most 4096 bytes, that is all that is read.
std::string read_file(const std::string& path, const std::function<bool(std::string_view head)>& wanted = {});

// Where an output ends up: the same text for every path that leads there, also where nothing is there yet.
std::string output_place(const std::string& path);

// A name from a file as it is typed after an option, for hints: in the shell's quotes where it needs them, NAME where
// it is too long or cannot be typed.
std::string typed(const std::string& name);

}  // namespace cda
