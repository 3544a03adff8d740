// Parsers of others, kept at a distance. A library made for files of friends may crash, loop or fill the memory when
// a file was made by an enemy; so it runs in a child process with limits, and what it read comes back through a pipe.
// Whatever it does becomes an Error of ours that names the file.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "cda/extend/format.hpp"

namespace cda {

struct Isolation {
  std::string file;               // as shown in messages
  std::string library;            // its name, for messages
  std::uint64_t most_bytes = 0;   // of memory that the child may take on top of what is there
  std::uint64_t cpu_seconds = 0;  // after which it is ended
};

// What `read` returns, or the Error it throws. It runs in another process: it can change nothing here.
RawTable read_isolated(const Isolation& isolation, const std::function<RawTable()>& read);

class InputFile;

// The same for a library that opens the file by its name, with limits that no honest file of its size comes near.
RawTable read_isolated(const InputFile& file, const std::string& library, const std::function<RawTable()>& read);

}  // namespace cda
