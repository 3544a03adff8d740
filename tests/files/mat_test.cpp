#include <gtest/gtest.h>
#include <zlib.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "cda/files.hpp"
#include "files/support.hpp"

namespace {

using namespace cda;
using data_tests::error_of;
using data_tests::Folder;
using Names = std::vector<std::string>;

// The types and classes of the format, by their numbers in it.
enum : std::uint32_t { i1 = 1, u1 = 2, i2 = 3, u2 = 4, i4 = 5, u4 = 6, f4 = 7, f8 = 9, i8 = 12, u8 = 13 };
enum : std::uint32_t { cell = 1, structure = 2, text = 4, sparse = 5, real = 6, single = 7, int64 = 14, uint8 = 9 };

// Writes what MATLAB would, in either byte order.
class Bytes {
 public:
  explicit Bytes(bool swapped = false) : swapped_(swapped) {}

  template <class Number>
  Bytes& put(Number value) {
    char bytes[sizeof value];
    std::memcpy(bytes, &value, sizeof value);
    for (std::size_t i = 0; i < sizeof value; ++i) all += bytes[swapped_ ? sizeof value - 1 - i : i];
    return *this;
  }
  template <class Number>
  Bytes& element(std::uint32_t type, const std::vector<Number>& values) {
    Bytes data(swapped_);
    for (const Number value : values) data.put(value);
    return element(type, data.all);
  }
  Bytes& element(std::uint32_t type, const std::string& data) {
    put(type).put(static_cast<std::uint32_t>(data.size()));
    all += data + std::string((8 - data.size() % 8) % 8, '\0');
    return *this;
  }
  // What every variable begins with.
  Bytes& header(std::uint32_t kind, const std::vector<std::int32_t>& size, const std::string& name) {
    return element<std::uint32_t>(u4, {kind, 0}).element(i4, size).element(i1, name);
  }
  bool swapped() const { return swapped_; }

  std::string all;

 private:
  bool swapped_;
};

std::string file_of(const std::vector<Bytes>& variables, bool compressed = false) {
  const bool swapped = !variables.empty() && variables.front().swapped();
  std::string head = "MATLAB 5.0 MAT-file, for a test";
  head.resize(124, ' ');
  Bytes file(swapped);
  file.all = head;
  file.put<std::uint16_t>(0x0100).put<std::uint16_t>(0x4d49);
  for (const Bytes& variable : variables) {
    Bytes matrix(swapped);
    matrix.element(14, variable.all);
    if (!compressed) {
      file.all += matrix.all;
      continue;
    }
    std::string packed(compressBound(matrix.all.size()), '\0');
    uLongf size = packed.size();
    compress(reinterpret_cast<Bytef*>(packed.data()), &size, reinterpret_cast<const Bytef*>(matrix.all.data()),
             matrix.all.size());
    packed.resize(size);
    file.put<std::uint32_t>(15).put(static_cast<std::uint32_t>(size));
    file.all += packed;
  }
  return file.all;
}

// A matrix of 2 x 3 by column: 1 3 5
//                              2 4 6
Bytes counting(const std::string& name = "a", bool swapped = false) {
  return Bytes(swapped).header(real, {2, 3}, name).element<double>(f8, {1, 2, 3, 4, 5, 6});
}

Bytes variable_4(std::int32_t type, std::int32_t rows, std::int32_t columns, const std::string& name,
                 bool swapped = false) {
  Bytes bytes(swapped);
  bytes.put(type).put(rows).put(columns).put(std::int32_t{0}).put(static_cast<std::int32_t>(name.size() + 1));
  bytes.all += name + std::string(1, '\0');
  return bytes;
}

class Mat : public testing::Test {
 protected:
  Mat() { expected << 1, 3, 5, 2, 4, 6; }

  Table read(const std::string& content, const ReadOptions& options = {}) {
    warnings.clear();
    return read_table(folder.write("x.mat", content), options, &warnings);
  }
  void expect_refused(const std::string& content, const std::string& code, const std::string& part,
                      const ReadOptions& options = {}) {
    const Error error = error_of([&] { read(content, options); });
    EXPECT_EQ(error.code(), code) << error.what();
    EXPECT_EQ(error.place().file, folder / "x.mat");
    EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
  }

  Folder folder;
  Matrix expected = Matrix(2, 3);
  std::vector<std::string> warnings;
};

TEST_F(Mat, ReadsAMatrixByColumnPackedOrNotInBothByteOrders) {
  for (const bool swapped : {false, true})
    for (const bool compressed : {false, true}) {
      const Table table = read(file_of({counting("a", swapped)}, compressed));
      EXPECT_EQ(table.values, expected);
      EXPECT_EQ(table.names, (Names{"col_1", "col_2", "col_3"}));
      EXPECT_TRUE(warnings.empty());
    }
}

TEST_F(Mat, ReadsEveryTypeOfNumber) {
  const auto values = [&]<class Number>(std::uint32_t type, Number) {
    return read(file_of({Bytes().header(real, {2, 3}, "a").element<Number>(type, {1, 2, 3, 4, 5, 6})})).values;
  };
  EXPECT_EQ(values(i1, std::int8_t{}), expected);
  EXPECT_EQ(values(u1, std::uint8_t{}), expected);
  EXPECT_EQ(values(i2, std::int16_t{}), expected);
  EXPECT_EQ(values(u2, std::uint16_t{}), expected);
  EXPECT_EQ(values(i4, std::int32_t{}), expected);
  EXPECT_EQ(values(u4, std::uint32_t{}), expected);
  EXPECT_EQ(values(f4, float{}), expected);
  EXPECT_EQ(values(i8, std::int64_t{}), expected);
  EXPECT_EQ(values(u8, std::uint64_t{}), expected);
}

TEST_F(Mat, SmallElementsStandInTheirTag) {
  Bytes variable = Bytes().header(uint8, {3, 1}, "a");
  variable.put<std::uint16_t>(u1).put<std::uint16_t>(3).put<std::uint32_t>(0x030201);
  EXPECT_EQ(read(file_of({variable})).values, Vector::LinSpaced(3, 1, 3));
}

TEST_F(Mat, CountsWholeNumbersThatADoubleDoesNotHold) {
  const std::int64_t beyond = (std::int64_t{1} << 53) + 1;
  read(file_of({Bytes().header(int64, {3, 1}, "a").element<std::int64_t>(i8, {beyond, 1, -beyond})}));
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_NE(warnings[0].find("\"a\": 2 whole numbers are beyond 2^53"), std::string::npos) << warnings[0];
}

TEST_F(Mat, NotANumberIsMissingAndInfiniteIsRefused) {
  const double nan = std::numeric_limits<double>::quiet_NaN(), infinite = std::numeric_limits<double>::infinity();
  EXPECT_TRUE(
      std::isnan(read(file_of({Bytes().header(real, {2, 1}, "a").element<double>(f8, {1, nan})})).values(1, 0)));
  expect_refused(file_of({Bytes().header(real, {2, 1}, "a").element<double>(f8, {1, infinite})}), "table.infinite",
                 "row 2 of column \"col_1\" is infinite");
}

// Other programs take the last.
TEST_F(Mat, TwoVariablesOfOneNameAreRefused) {
  expect_refused(file_of({counting("a"), counting("b"), counting("a")}), "mat.duplicate",
                 "holds two variables named \"a\"", {.variable = "b"});
}

TEST_F(Mat, NamesFromTheFileAreShownHarmless) {
  const Error error = error_of([&] { read(file_of({counting("a\x1b[2J"), counting("b")})); });
  EXPECT_EQ(error.code(), "mat.several");
  EXPECT_EQ(std::string(error.what()).find('\x1b'), std::string::npos) << error.what();
  EXPECT_EQ(error.hint(), "--variable NAME says which");
}

TEST_F(Mat, ReadsSparseMatrices) {
  const auto with = [](std::vector<std::int32_t> rows, std::vector<std::int32_t> starts, std::vector<double> values) {
    return file_of({Bytes().header(sparse, {2, 3}, "a").element(i4, rows).element(i4, starts).element(f8, values)},
                   true);
  };
  Matrix dense(2, 3);
  dense << 0, 7, 0, 8, 0, 9;
  EXPECT_EQ(read(with({1, 0, 1}, {0, 1, 2, 3}, {8, 7, 9})).values, dense);
  EXPECT_EQ(read(with({1, 0, 1, 0, 0}, {0, 1, 2, 3}, {8, 7, 9, 0})).values, dense);  // room for more
  expect_refused(with({1, 0, 2}, {0, 1, 2, 3}, {8, 7, 9}), "sparse.damaged", "a value in row 3 of 2");
  expect_refused(with({1, 0, -1}, {0, 1, 2, 3}, {8, 7, 9}), "sparse.damaged", "a value in row 0 of 2");
  expect_refused(with({1, 0, 1}, {0, 3, 2, 3}, {8, 7, 9}), "sparse.damaged", "column 2 that ends before it begins");
  expect_refused(with({1, 0, 1}, {0, 1, 3}, {8, 7, 9}), "sparse.damaged", "3 columns");
  expect_refused(with({1, 0, 1}, {0, 1, 2, 9}, {8, 7, 9}), "sparse.damaged", "end at 9");
  const Bytes huge = Bytes()
                         .header(sparse, {2'000'000'000, 1}, "a")
                         .element<std::int32_t>(i4, {5})
                         .element<std::int32_t>(i4, {0, 1})
                         .element<double>(f8, {1});
  const Error error = error_of([&] { read(file_of({huge}), {.max_bytes = 1'000'000}); });
  EXPECT_EQ(error.fault(), Fault::resource) << error.what();
}

TEST_F(Mat, SeveralVariablesAreListedAndOneIsChosen) {
  const Bytes word = Bytes().header(text, {1, 2}, "word").element<std::uint16_t>(u2, {65, 66});
  const Bytes second = Bytes().header(single, {1, 2}, "b").element<float>(f4, {8, 9});
  const std::string content = file_of({counting(), word, second});
  expect_refused(content, "mat.several",
                 "this file holds 2 matrices: \"a\" (double, 2 x 3), \"b\" (single, 1 x 2) (hint: --variable a");
  EXPECT_EQ(read(content, {.variable = "b"}).values(0, 1), 9);
  EXPECT_EQ(read(file_of({word, counting()})).values, expected);
  expect_refused(content, "mat.unknown", "there is no variable \"wort\" (hint: did you mean \"word\"?)",
                 {.variable = "wort"});
  expect_refused(content, "mat.class", "\"word\" (char, 1 x 2) is no matrix of numbers", {.variable = "word"});
}

TEST_F(Mat, WhatIsNoTableIsNamed) {
  const auto only = [&](std::uint32_t kind, const std::vector<std::int32_t>& size) {
    return file_of({Bytes().header(kind, size, "v").element<double>(f8, {})});
  };
  expect_refused(only(cell, {1, 2}), "mat.class", "\"v\" (cell, 1 x 2) is no matrix");
  expect_refused(only(structure, {1, 1}), "mat.class", "\"v\" (struct, 1 x 1) is no matrix");
  expect_refused(only(real, {0, 3}), "mat.empty", "\"v\" (double, 0 x 3) is empty");
  expect_refused(only(real, {2, 2, 2}), "mat.shape", "has 3 dimensions");
  expect_refused(only(real | 0x800, {2, 2}), "mat.complex", "\"v\" (complex double, 2 x 2) holds complex numbers");
  expect_refused(file_of({}), "mat.no-table", "holds no variables");
  const Bytes table =
      Bytes().element<std::uint32_t>(u4, {17, 0}).element(i1, "t").element(i1, "MCOS").element(i1, "table");
  const Bytes subsystem = Bytes().header(uint8, {1, 1}, "").element<std::uint8_t>(u1, {1});
  expect_refused(file_of({table, subsystem}, true), "mat.table", "writetable(t, 'x.csv'), or save table2array(t)");
}

TEST_F(Mat, SizesThatDoNotFitAreRefused) {
  expect_refused(file_of({Bytes().header(real, {2, 4}, "a").element<double>(f8, {1, 2})}), "mat.damaged",
                 "a matrix of 2 x 4 has 2 values");
  expect_refused(file_of({Bytes().header(real, {2'000'000'000, 2'000'000'000}, "a").element<double>(f8, {1})}),
                 "mat.damaged", "has 1 values");
  expect_refused(file_of({Bytes().header(real, {-1, 2}, "a").element<double>(f8, {1})}), "mat.damaged", "negative");
  expect_refused(file_of({Bytes().header(real, {1, 1}, "a").element<double>(99, {1})}), "mat.damaged", "type 99");
}

TEST_F(Mat, MoreThanIsAllowedIsAResourceError) {
  const std::vector<std::uint8_t> ones(1000, 1);
  const std::string content = file_of({Bytes().header(uint8, {500, 2}, "a").element(u1, ones)});
  EXPECT_EQ(read(content, {.max_bytes = 8000}).rows(), 500);
  const Error error = error_of([&] { read(content, {.max_bytes = 7999}); });
  EXPECT_EQ(error.code(), "mat.memory") << error.what();
  EXPECT_EQ(error.fault(), Fault::resource);
}

TEST_F(Mat, ReadsVersionFour) {
  for (const bool swapped : {false, true}) {
    Bytes matrix = variable_4(swapped ? 1000 : 0, 2, 3, "a", swapped);
    for (const double value : {1, 2, 3, 4, 5, 6}) matrix.put(value);
    EXPECT_EQ(read(matrix.all).values, expected);
    Bytes small = variable_4(swapped ? 1030 : 30, 2, 3, "a", swapped);
    for (const std::int16_t value : {1, 2, 3, 4, 5, 6}) small.put(value);
    EXPECT_EQ(read(small.all).values, expected);
    Bytes words = variable_4(swapped ? 1051 : 51, 1, 2, "w", swapped);
    words.all += "AB";
    EXPECT_EQ(read(words.all + matrix.all).values, expected);
    expect_refused(words.all, "mat.class", "\"w\" (char, 1 x 2)");
  }
}

TEST_F(Mat, ReadsSparseMatricesOfVersionFour) {
  const auto with = [](double last_row) {
    Bytes bytes = variable_4(2, 3, 3, "a");
    for (const double value : {1.0, last_row, 2.0, 2.0, 3.0, 3.0, 7.0, 8.0, 0.0}) bytes.put(value);
    return bytes.all;
  };
  Matrix dense(2, 3);
  dense << 0, 7, 0, 0, 0, 8;
  EXPECT_EQ(read(with(2)).values, dense);
  expect_refused(with(3), "mat.damaged", "a value at row 3, column 3 of 2 x 3");
  expect_refused(with(1.5), "mat.damaged", "a value at row 1.5");
}

TEST_F(Mat, OtherFilesNamedSoAreRefused) {
  expect_refused("", "mat.empty-file", "the file is empty");
  expect_refused("a,b\n1,2\n3,4\n5,6\n7,8\n", "mat.unknown-format", "this is no MATLAB file");
  expect_refused("a", "mat.unknown-format", "this is no MATLAB file");
}

// Many prefixes and every byte flipped: a table or an Error with the file's name, never anything else.
TEST_F(Mat, DamagedFilesAreTablesOrErrors) {
  Bytes version_4 = variable_4(0, 2, 3, "a");
  for (const double value : {1, 2, 3, 4, 5, 6}) version_4.put(value);
  const Bytes nonzero = Bytes()
                            .header(sparse, {2, 2}, "s")
                            .element<std::int32_t>(i4, {0, 1})
                            .element<std::int32_t>(i4, {0, 1, 2})
                            .element<double>(f8, {1, 2});
  for (const std::string& content :
       {file_of({counting()}), file_of({counting()}, true), file_of({nonzero}), version_4.all}) {
    int tables = 0;
    const auto attempt = [&](const std::string& damaged) {
      try {
        read(damaged, {.max_bytes = 10'000'000});
        ++tables;
      } catch (const Error& error) {
        EXPECT_EQ(error.place().file, folder / "x.mat") << error.what();
        EXPECT_NE(error.fault(), Fault::internal) << error.what();
      }
    };
    for (std::size_t end = 0; end < content.size(); end += 3) attempt(content.substr(0, end));
    EXPECT_EQ(tables, 0);
    for (std::size_t at = 0; at < content.size(); ++at) {
      std::string damaged = content;
      damaged[at] = static_cast<char>(damaged[at] ^ (1 << (at % 8)));
      attempt(damaged);
    }
  }
}

TEST_F(Mat, AChangedCompressedVariableIsFoundByItsChecksum) {
  const std::string content = file_of({counting()}, true);
  std::string damaged = content;
  damaged.back() = static_cast<char>(damaged.back() ^ 1);
  expect_refused(damaged, "mat.damaged", "cut off or changed");
}

}  // namespace
