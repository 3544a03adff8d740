// A file of any format whose reader is ours, compressed or not: a sound table, or an Error with a harmless message.
// Formats that are read by libraries of others are left to those.
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "base/utf8.hpp"
#include "cda/error.hpp"
#include "cda/extend/format.hpp"
#include "fuzz/targets.hpp"

namespace cda::fuzz {
namespace {

// A file that is nowhere on disk.
class MemoryFile {
 public:
  explicit MemoryFile(std::string_view content) : file_(memfd_create("fuzz", MFD_CLOEXEC)) {
    require(file_ >= 0 && write(file_, content.data(), content.size()) == static_cast<ssize_t>(content.size()),
            "no memory for a file");
    lseek(file_, 0, SEEK_SET);
  }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  ~MemoryFile() { close(file_); }
  std::string path() const { return "/proc/self/fd/" + std::to_string(file_); }

 private:
  int file_;
};

const std::vector<std::string>& our_formats() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all{""};  // by its content
    for (const std::string& name : formats().names())
      if (name == "csv" || name == "npy" || name == "npz" || name == "arff") all.push_back(name);
    all.emplace_back("mat");  // but for version 7.3
    return all;
  }();
  return names;
}

}  // namespace

void table_file(std::string_view input) {
  Choices choices(input);
  ReadOptions options;
  options.format = our_formats().at(choices.next(static_cast<unsigned>(our_formats().size())));
  options.only_numeric = choices.next(2) == 1;
  options.max_bytes = std::uint64_t{1} << 20;
  // What others read is not asked for here.
  constexpr std::size_t behind_a_header = 512;  // HDF5 in a MATLAB file
  if (input.substr(0, 4) == "\x89HDF" || input.substr(0, 4) == "PAR1" ||
      (input.size() > behind_a_header && input.substr(behind_a_header, 4) == "\x89HDF"))
    return;
  const MemoryFile file(input);
  try {
    const Table table = read_table(file.path(), options);
    require(table.rows() > 0 && table.columns() > 0, "a table without cells");
    require(!table.values.array().isInf().any(), "a table with infinities");
    require(static_cast<Index>(table.names.size()) == table.columns(), "another number of names than columns");
    require(std::set<std::string>(table.names.begin(), table.names.end()).size() == table.names.size(),
            "two columns of one name");
    require(std::all_of(table.names.begin(), table.names.end(), [](const auto& name) { return valid_utf8(name); }),
            "a name that is not UTF-8");
    require(table.index.empty() || static_cast<Index>(table.index.size()) == table.rows(), "row names for other rows");
  } catch (const Error& error) {
    require(error.fault() != Fault::internal, std::string("an internal error: ") + error.what());
    require(harmless(error.what()), "a message that is not harmless: " + in_quotes(error.what(), 400));
  }
}

}  // namespace cda::fuzz
