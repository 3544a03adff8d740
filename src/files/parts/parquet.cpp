// Apache Parquet: columns with names and types, in groups of rows. Read and written through DuckDB, which is loaded
// when it is needed (files/duckdb.hpp). What is written goes to memory first: no file is made but the one asked for.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <map>

#include "base/part.hpp"
#include "base/utf8.hpp"
#include "files/duckdb.hpp"
#include "files/input_file.hpp"
#include "files/parquet_reader.hpp"

using namespace cda;

namespace {

class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  int number() const { return number_; }

 private:
  int number_;
};

// Names that DuckDB can write: it takes those that differ in the case of ASCII letters for one.
void check_written_names(const std::vector<std::string>& names) {
  std::map<std::string, std::string> seen;
  for (const std::string& name : names) {
    if (name.empty() || !valid_utf8(name) || name.find('\0') != std::string::npos)
      throw Error(Fault::input, "parquet.name", "a column cannot be named " + in_quotes(name) + " in Parquet");
    std::string lower = name;
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](unsigned char c) { return static_cast<char>(c < 0x80 ? std::tolower(c) : c); });
    const auto [earlier, is_new] = seen.try_emplace(lower, name);
    if (!is_new)
      throw Error(Fault::input, "parquet.name",
                  fmt::format("columns {} and {} differ in capital letters only and cannot both be written to Parquet",
                              in_quotes(earlier->second), in_quotes(name)),
                  "write CSV instead");
  }
}

std::string identifier(const std::string& name) {
  std::string quoted_name = "\"";
  for (const char c : name) quoted_name.append(c == '"' ? 2 : 1, c);
  return quoted_name + '"';
}

std::string content_of(int descriptor) {
  std::string content;
  std::array<char, 1 << 16> block{};
  for (;;) {
    const ssize_t got = ::pread(descriptor, block.data(), block.size(), static_cast<off_t>(content.size()));
    if (got < 0) throw Error(Fault::io, "io.read", fmt::format("cannot read memory: {}", std::strerror(errno)));
    if (got == 0) return content;
    content.append(block.data(), static_cast<std::size_t>(got));
  }
}

class Parquet final : public Format {
 public:
  std::vector<std::string> endings() const override { return {"parquet", "pq"}; }
  bool recognises(std::string_view head) const override { return head.substr(0, 4) == "PAR1"; }
  bool writes() const override { return true; }

  RawTable read(InputFile& file, const ReadOptions& options) const override {
    const Descriptor descriptor(::open(file.path_for_library().c_str(), O_RDONLY | O_CLOEXEC));
    if (descriptor.number() < 0)
      throw Error(Fault::io, "io.read", fmt::format("cannot open it again: {}", std::strerror(errno)), "",
                  {.file = file.shown()});
    try {
      RawTable table = read_parquet(descriptor.number(), file.shown(), options);
      file.check_unchanged();
      return table;
    } catch (const DuckDbFailure& failure) {
      file.check_unchanged();
      if (failure.out_of_memory())
        throw Error(Fault::resource, "parquet.memory",
                    "reading this file needs more memory than there is: " + in_quotes(failure.what(), 300), "",
                    {.file = file.shown()});
      throw Error(Fault::input, "parquet.damaged",
                  "this cannot be read as Parquet; DuckDB says: " + in_quotes(failure.what(), 300),
                  "is it whole? compare its size with the original's", {.file = file.shown()});
    }
  }

  std::string written(const Table& table) const override {
    std::vector<std::string> names = table.names;
    if (!table.index.empty()) {
      names.insert(names.begin(), table.index_name.empty() ? pandas_index : table.index_name);
      for (const std::string& name : table.index)
        if (!valid_utf8(name))
          throw Error(Fault::input, "parquet.text", "the row name " + in_quotes(name) + " is not UTF-8");
    }
    check_written_names(names);
    const Descriptor memory(::memfd_create("parquet", MFD_CLOEXEC));
    if (memory.number() < 0)
      throw Error(Fault::resource, "parquet.memory", fmt::format("no memory to write to: {}", std::strerror(errno)));
    try {
      DuckDb database(memory.number());
      database.insert("written", table);
      std::string list;
      for (std::size_t j = 0; j < names.size(); ++j)
        list += fmt::format("{}c{} AS {}", j == 0 ? "" : ", ", j, identifier(names[j]));
      database.run(
          fmt::format("COPY (SELECT {} FROM written) TO {} (FORMAT parquet, COMPRESSION zstd, USE_TMP_FILE "
                      "false)",
                      list, database.file()));
    } catch (const DuckDbFailure& failure) {
      throw Error(failure.out_of_memory() ? Fault::resource : Fault::io, "parquet.write",
                  "DuckDB cannot write this table: " + in_quotes(failure.what(), 300));
    }
    return content_of(memory.number());
  }
};

}  // namespace

CDA_PART(Format, parquet) {
  return {.info = {.name = {},
                   .summary = "Apache Parquet: columns with types, compressed (needs scripts/install-parquet)",
                   .reference = "Apache Parquet format 2; read and written by DuckDB 1.4",
                   .options = {}},
          .make = [](const Settings&) { return std::make_unique<Parquet>(); }};
}
