// Files for the tests of tables and formats: a directory of their own, removed in the end; content as other programs
// write it; and damage done to it.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include "cda/error.hpp"
#include "cda/files.hpp"

namespace cda::data_tests {

using Names = std::vector<std::string>;

class Folder {
 public:
  Folder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "cda-data-XXXXXX").string();
    path_ = ::mkdtemp(pattern.data());
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  std::string operator/(const std::string& name) const { return (path_ / name).string(); }
  std::string write(const std::string& name, const std::string& content) const {
    std::filesystem::remove(path_ / name);  // some file systems wait for the disk when a file is overwritten
    std::ofstream(path_ / name, std::ios::binary) << content;
    return *this / name;
  }
  std::string read(const std::string& name) const {
    std::ifstream file(path_ / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  std::vector<std::string> names() const {
    std::vector<std::string> found;
    for (const auto& entry : std::filesystem::directory_iterator(path_)) found.push_back(entry.path().filename());
    std::sort(found.begin(), found.end());
    return found;
  }

 private:
  std::filesystem::path path_;
};

// The Error that `deed` throws; fails the test if it throws none.
template <typename Deed>
Error error_of(Deed deed) {
  try {
    deed();
  } catch (const Error& error) {
    return error;
  }
  ADD_FAILURE() << "no error was thrown";
  return Error(Fault::internal, "none", "none");
}

inline bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

// Bit for bit, so that missing cells are equal too.
inline bool same_table(const Table& a, const Table& b) {
  return a.names == b.names && a.index_name == b.index_name && a.index == b.index && a.encodings == b.encodings &&
         a.rows() == b.rows() && a.columns() == b.columns() &&
         std::memcmp(a.values.data(), b.values.data(), sizeof(double) * static_cast<std::size_t>(a.values.size())) == 0;
}

// Tests of one format: content goes into a file of a name that stands for it, and is read from there.
class TableFile : public testing::Test {
 protected:
  explicit TableFile(std::string name) : name_(std::move(name)) {}

  Table read(const std::string& content, const ReadOptions& options = {}) {
    warnings.clear();
    return read_table(folder.write(name_, content), options, &warnings);
  }
  Error refused(const std::string& content, const ReadOptions& options = {}) {
    return error_of([&] { read(content, options); });
  }
  std::optional<Table> table_unless_refused(const std::string& content, const ReadOptions& options = {}) {
    try {
      return read(content, options);
    } catch (const Error& error) {
      EXPECT_TRUE(error.fault() == Fault::input || error.fault() == Fault::resource || error.fault() == Fault::usage)
          << error.what();
      return std::nullopt;
    }
  }
  void expect_at(const Error& error, const std::string& code, long line, long column) {
    EXPECT_EQ(error.code(), code) << error.what();
    EXPECT_EQ(error.fault(), Fault::input) << error.what();
    EXPECT_EQ(error.place().file, folder / name_);
    EXPECT_EQ(error.place().line, line) << error.what();
    EXPECT_EQ(error.place().column, column) << error.what();
  }
  // A file that was not copied to its end gives no table at all.
  void expect_every_beginning_refused(const std::string& content, const ReadOptions& options = {}) {
    for (std::size_t length = 0; length < content.size(); ++length)
      EXPECT_FALSE(table_unless_refused(content.substr(0, length), options)) << "the first " << length << " bytes";
  }
  // Whichever byte is damaged: an Error or, where that byte means nothing, the same table.
  void expect_every_damage_noticed(const std::string& content, const ReadOptions& options = {}) {
    const Table whole = read(content, options);
    for (std::size_t i = 0; i < content.size(); ++i)
      for (const unsigned flip : {0x01u, 0x04u, 0x80u, 0xffu}) {
        std::string damaged = content;
        damaged[i] = static_cast<char>(static_cast<unsigned char>(damaged[i]) ^ flip);
        const std::optional<Table> table = table_unless_refused(damaged, options);
        EXPECT_TRUE(!table || same_table(*table, whole)) << "byte " << i << ", flipped by " << flip;
      }
  }

  Folder folder;
  std::vector<std::string> warnings;

 private:
  std::string name_;
};

inline std::string gzip_of(const std::string& content, int level = 6) {
  z_stream stream{};
  constexpr int gzip = 16 + MAX_WBITS;
  EXPECT_EQ(deflateInit2(&stream, level, Z_DEFLATED, gzip, 8, Z_DEFAULT_STRATEGY), Z_OK);
  std::string packed(deflateBound(&stream, content.size()) + 32, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(content.data()));
  stream.avail_in = static_cast<uInt>(content.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

// As the zstd command does it: with the checksum of the content.
inline std::string zstd_of(const std::string& content) {
  ZSTD_CCtx* context = ZSTD_createCCtx();
  ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
  std::string packed(ZSTD_compressBound(content.size()), '\0');
  const std::size_t size = ZSTD_compress2(context, packed.data(), packed.size(), content.data(), content.size());
  EXPECT_EQ(ZSTD_isError(size), 0u);
  packed.resize(size);
  ZSTD_freeCCtx(context);
  return packed;
}

// `count` bytes of a number, the lowest first.
inline std::string little(std::uint64_t value, std::size_t count) {
  std::string bytes;
  for (std::size_t i = 0; i < count; ++i) bytes += static_cast<char>(value >> (8 * i) & 0xff);
  return bytes;
}

template <class Number>
std::string bytes_of(std::initializer_list<Number> numbers, bool big_endian = false) {
  std::string bytes;
  for (const Number number : numbers) {
    std::string one(reinterpret_cast<const char*>(&number), sizeof number);
    if (big_endian) std::reverse(one.begin(), one.end());
    bytes += one;
  }
  return bytes;
}

// An array as numpy.save writes it: the text of its header, then its bytes.
inline std::string npy_with_header(std::string header, const std::string& data, int version = 1) {
  const std::size_t length_bytes = version == 1 ? 2 : 4;
  while ((8 + length_bytes + header.size() + 1) % 64 != 0) header += ' ';
  header += '\n';
  return std::string("\x93NUMPY") + static_cast<char>(version) + '\0' + little(header.size(), length_bytes) + header +
         data;
}
inline std::string npy_of(const std::string& type, const std::string& shape, const std::string& data,
                          bool column_major = false) {
  return npy_with_header(
      "{'descr': " + type + ", 'fortran_order': " + (column_major ? "True" : "False") + ", 'shape': " + shape + ", }",
      data);
}

}  // namespace cda::data_tests
