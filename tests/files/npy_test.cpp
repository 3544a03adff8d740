// NumPy arrays, written here byte by byte: what numpy.save makes of them is checked by the tests of the command.
#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "files/npy_array.hpp"
#include "files/support.hpp"

namespace {

using namespace cda;
using namespace cda::data_tests;
using namespace std::string_literals;

class Npy : public TableFile {
 protected:
  Npy() : TableFile("x.npy") {}

  Error refused_header(const std::string& header, const std::string& data = std::string(64, '\0')) {
    return refused(npy_with_header(header, data));
  }
  Error refused_type(const std::string& type) { return refused(npy_of(type, "(2,)", std::string(64, '\0'))); }
  // One column of this type with these bytes.
  std::vector<double> column(const std::string& type, const std::string& data, std::size_t rows) {
    const Table table = read(npy_of("'" + type + "'", fmt::format("({},)", rows), data));
    return {table.values.data(), table.values.data() + table.values.size()};
  }
};

const std::string six = bytes_of<double>({1, 2, 3, 4, 5, 6});

Matrix three_by_two() {
  Matrix values(3, 2);
  values << 1, 2, 3, 4, 5, 6;
  return values;
}

TEST_F(Npy, ReadsRowsAndColumnsInBothOrders) {
  const Table rows = read(npy_of("'<f8'", "(3, 2)", six));
  EXPECT_EQ(rows.values, three_by_two());
  EXPECT_EQ(rows.names, (Names{"col_1", "col_2"}));
  const Table columns = read(npy_of("'<f8'", "(3, 2)", bytes_of<double>({1, 3, 5, 2, 4, 6}), true));
  EXPECT_TRUE(same_table(rows, columns));
  EXPECT_TRUE(warnings.empty());
}

TEST_F(Npy, ReadsAllVersionsOfTheHeader) {
  for (const int version : {1, 2, 3}) {
    const std::string header = "{'descr': '<f8', 'fortran_order': False, 'shape': (3, 2), }";
    EXPECT_EQ(read(npy_with_header(header, six, version)).values, three_by_two()) << version;
  }
  for (const int version : {0, 4, 255}) EXPECT_EQ(refused(npy_with_header("{}", six, version)).code(), "npy.version");
}

TEST_F(Npy, IsRecognisedByItsContent) {
  for (const char* name : {"x", "x.csv", "x.arff", "x.npz"})
    EXPECT_EQ(read_table(folder.write(name, npy_of("'<f8'", "(3, 2)", six))).values, three_by_two()) << name;
  EXPECT_EQ(read_table(folder.write("x.npy", "a,b\n1,2\n"), {.format = "csv"}).rows(), 1);
  EXPECT_EQ(refused("a,b\n1,2\n").code(), "npy.magic");
}

TEST_F(Npy, ReadsCompressedArrays) {
  const std::string array = npy_of("'<f8'", "(3, 2)", six);
  EXPECT_EQ(read(gzip_of(array)).values, three_by_two());
  EXPECT_EQ(read(zstd_of(array)).values, three_by_two());
  expect_every_beginning_refused(gzip_of(array));
}

TEST_F(Npy, ReadsWholeNumbersOfEverySizeAndByteOrder) {
  for (const bool big : {false, true}) {
    const std::string order = big ? ">" : "<";
    EXPECT_EQ(column(order + "i2", bytes_of<std::int16_t>({-32768, 0, 32767}, big), 3),
              (std::vector<double>{-32768, 0, 32767}));
    EXPECT_EQ(column(order + "u2", bytes_of<std::uint16_t>({1, 65535}, big), 2), (std::vector<double>{1, 65535}));
    EXPECT_EQ(column(order + "i4", bytes_of<std::int32_t>({-2147483647 - 1, 7}, big), 2),
              (std::vector<double>{-2147483648.0, 7}));
    EXPECT_EQ(column(order + "u4", bytes_of<std::uint32_t>({1, 4294967295}, big), 2),
              (std::vector<double>{1, 4294967295.0}));
    EXPECT_EQ(column(order + "i8", bytes_of<std::int64_t>({-5, 1LL << 53}, big), 2),
              (std::vector<double>{-5, 9007199254740992.0}));
    EXPECT_EQ(column(order + "u8", bytes_of<std::uint64_t>({5, 1ULL << 53}, big), 2),
              (std::vector<double>{5, 9007199254740992.0}));
  }
  EXPECT_EQ(column("|i1", bytes_of<std::int8_t>({-128, 127}), 2), (std::vector<double>{-128, 127}));
  EXPECT_EQ(column("|u1", bytes_of<std::uint8_t>({0, 255}), 2), (std::vector<double>{0, 255}));
  EXPECT_EQ(column("|b1", "\0\1\0\1"s, 4), (std::vector<double>{0, 1, 0, 1}));
  EXPECT_TRUE(warnings.empty());
}

TEST_F(Npy, ReadsFloatingPointNumbersOfEverySizeAndByteOrder) {
  for (const bool big : {false, true}) {
    const std::string order = big ? ">" : "<";
    EXPECT_EQ(column(order + "f4", bytes_of<float>({0.1F, -1e30F}, big), 2),
              (std::vector<double>{static_cast<double>(0.1F), static_cast<double>(-1e30F)}));
    EXPECT_EQ(column(order + "f8", bytes_of<double>({0.1, -4e-310}, big), 2), (std::vector<double>{0.1, -4e-310}));
    // 1, -2, the largest, the smallest normal, the smallest of all, a subnormal, -0
    EXPECT_EQ(
        column(order + "f2", bytes_of<std::uint16_t>({0x3c00, 0xc000, 0x7bff, 0x0400, 0x0001, 0x83ff, 0x8000}, big), 7),
        (std::vector<double>{1, -2, 65504, std::ldexp(1, -14), std::ldexp(1, -24), -std::ldexp(1023, -24), 0}));
  }
}

TEST_F(Npy, NotANumberIsMissingAndInfinityIsNamed) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
  EXPECT_EQ(read(npy_of("'<f8'", "(2,)", bytes_of<double>({nan, 1}))).missing_cells(), 1);
  EXPECT_EQ(read(npy_of("'<f2'", "(2,)", bytes_of<std::uint16_t>({0x7e00, 0xfc01}))).missing_cells(), 2);
  for (const std::string& array :
       {npy_of("'<f8'", "(2, 2)", bytes_of<double>({1, 2, 3, -inf})),
        npy_of("'<f2'", "(2, 2)", bytes_of<std::uint16_t>({0, 0, 0, 0x7c00})),
        npy_of("'>f4'", "(2, 2)", bytes_of<float>({0, 0, 0, std::numeric_limits<float>::infinity()}, true))}) {
    const Error error = refused(array);
    EXPECT_EQ(error.code(), "table.infinite");
    EXPECT_EQ(error.message(), "row 2 of column \"col_2\" is infinite");
  }
}

TEST_F(Npy, WarnsOfWholeNumbersThatADoubleCannotHold) {
  const std::int64_t largest = std::numeric_limits<std::int64_t>::max(), odd = (1LL << 53) + 1;
  read(npy_of("'<i8'", "(2, 2)", bytes_of<std::int64_t>({1, odd, 2, -odd})));
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_TRUE(holds(warnings[0], "2 whole numbers beyond 2^53 were rounded")) << warnings[0];
  EXPECT_TRUE(holds(warnings[0], "the first in column \"col_2\"")) << warnings[0];
  EXPECT_EQ(column("<i8", bytes_of<std::int64_t>({largest}), 1)[0], std::ldexp(1, 63));
  EXPECT_EQ(warnings.size(), 1u);
  EXPECT_EQ(column("<u8", bytes_of<std::uint64_t>({~0ULL}), 1)[0], std::ldexp(1, 64));
  EXPECT_EQ(warnings.size(), 1u);
  column("<i8", bytes_of<std::int64_t>({1LL << 60, -(1LL << 62), std::numeric_limits<std::int64_t>::min()}), 3);
  EXPECT_TRUE(warnings.empty()) << "powers of two are exact";
}

TEST_F(Npy, WhatCannotBeReadIsRefusedOnlyWhereItIsUsed) {
  constexpr double inf = std::numeric_limits<double>::infinity();
  const std::string array = npy_of("[('a', '<f8'), ('day', '<M8[D]'), ('z', '<c16'), ('b', '<f8')]", "(2,)",
                                   bytes_of<double>({1}) + std::string(24, '\7') + bytes_of<double>({3}) +
                                       bytes_of<double>({2}) + std::string(24, '\7') + bytes_of<double>({inf}));
  const Error error = refused(array);
  EXPECT_EQ(error.code(), "npy.type");
  EXPECT_EQ(error.message(), "column \"day\" has the type \"<M8[D]\": dates or durations");
  EXPECT_EQ(error.hint(), "save them as numbers; --exclude day leaves it out");
  EXPECT_EQ(refused(array, {.exclude = {"day"}}).code(), "npy.type");
  EXPECT_EQ(refused(array, {.exclude = {"day", "z"}}).message(), "row 2 of column \"b\" is infinite");
  const Table table = read(array, {.exclude = {"day", "z", "b"}});
  EXPECT_EQ(table.names, Names{"a"});
  EXPECT_EQ(table.values(1, 0), 2.0);
  EXPECT_EQ(read(array, {.only = {"a"}}).columns(), 1);
  EXPECT_EQ(read(array, {.exclude = {"b"}, .only_numeric = true}).names, Names{"a"});
  EXPECT_EQ(warnings.size(), 2u);
}

TEST_F(Npy, ReadsRecordsAsNamedColumns) {
  const std::string data = bytes_of<double>({1.5}) + bytes_of<std::int16_t>({7}, true) + bytes_of<double>({2.5}) +
                           bytes_of<std::int16_t>({-8}, true);
  const Table table = read(npy_of("[('a', '<f8'), (('a title', 'b'), '>i2')]", "(2,)", data));
  EXPECT_EQ(table.names, (Names{"a", "b"}));
  EXPECT_EQ(table.values(0, 0), 1.5);
  EXPECT_EQ(table.values(1, 1), -8.0);
}

TEST_F(Npy, SkipsThePaddingOfAlignedRecords) {
  const std::string item = "\1"s + std::string(7, '\xff') + bytes_of<double>({2.5}) + "\3" + std::string(7, '\xff');
  const Table table =
      read(npy_of("[('a', '|u1'), ('', '|V7'), ('b', '<f8'), ('c', '|i1'), ('', '|V7')]", "(1,)", item));
  EXPECT_EQ(table.names, (Names{"a", "b", "c"}));
  EXPECT_EQ(table.values, (Matrix(1, 3) << 1, 2.5, 3).finished());
}

TEST_F(Npy, ReadsTextOfRecords) {
  const std::string ete = bytes_of<std::uint32_t>({0xe9, 't', 0xe9, 0}),
                    g_clef = bytes_of<std::uint32_t>({0x1d11e, 0x20ac, 0, 0});
  const std::string data = "ab\0"s + ete + bytes_of<double>({1}) + "c\0\0"s + g_clef + bytes_of<double>({2});
  const std::string array = npy_of("[('id', '|S3'), ('kind', '<U4'), ('v', '<f8')]", "(2,)", data);
  EXPECT_EQ(refused(array).code(), "columns.text");
  const Table table = read(array, {.index_column = "id", .encode = {{"kind"}}});
  EXPECT_EQ(table.index, (Names{"ab", "c"}));
  EXPECT_EQ(table.names, (Names{"kind=été", "kind=𝄞€", "v"}));
  EXPECT_EQ(read(npy_of("[('id', '>U1'), ('v', '<f8')]", "(1,)",
                        bytes_of<std::uint32_t>({'q'}, true) + bytes_of<double>({1})),
                 {.index_column = "id"})
                .index,
            Names{"q"});
}

TEST_F(Npy, RefusesTextThatIsNone) {
  for (const std::uint32_t code : {0xd800U, 0x110000U, 0xffffffffU})
    EXPECT_EQ(refused(npy_of("'<U1'", "(1,)", bytes_of<std::uint32_t>({code}))).code(), "npy.text");
  const std::string latin1 = npy_of("[('id', '|S1'), ('v', '|i1')]", "(1,)", "\xe9\1");
  EXPECT_EQ(refused(latin1, {.index_column = "id"}).code(), "text.encoding");
  EXPECT_EQ(read(latin1, {.exclude = {"id"}}).rows(), 1);
}

// NumPy writes versions 1 and 2 in Latin 1 and only what does not fit there as UTF-8, in version 3.
TEST_F(Npy, ReadsNamesOfFieldsInTheEncodingOfTheVersion) {
  const auto header = [](const std::string& name) {
    return "{'descr': [('" + name + "', '<f8')], 'fortran_order': False, 'shape': (6,), }";
  };
  EXPECT_EQ(read(npy_with_header(header("\xe9t\xe9"), six, 1)).names, Names{"été"});
  EXPECT_EQ(read(npy_with_header(header("\xe9t\xe9"), six, 2)).names, Names{"été"});
  EXPECT_EQ(read(npy_with_header(header("été €"), six, 3)).names, Names{"été €"});
  EXPECT_EQ(refused(npy_with_header(header("\xe9t\xe9"), six, 3)).code(), "npy.header");
  EXPECT_EQ(read(npy_with_header(header("it\\'s \\\\"), six, 1)).names, Names{"it's \\"});
  EXPECT_EQ(refused(npy_with_header(header("a\\x41"), six, 1)).code(), "npy.header");
}

TEST_F(Npy, RefusesWhatIsNoTable) {
  EXPECT_EQ(refused(npy_of("'<f8'", "()", bytes_of<double>({1}))).message(), "an array of 0 dimensions is not a table");
  EXPECT_EQ(refused(npy_of("'<f8'", "(1, 2, 3)", six)).message(), "an array of 3 dimensions is not a table");
  EXPECT_EQ(refused(npy_of("[('a', '<f8')]", "(2, 3)", six)).code(), "npy.shape");
  for (const char* shape : {"(0, 3)", "(3, 0)", "(0,)"})
    EXPECT_EQ(refused(npy_of("'<f8'", shape, "")).code(), "table.no-rows") << shape;
  EXPECT_EQ(refused(npy_of("'<f8'", "(3, 2)", six), {.variable = "a"}).fault(), Fault::usage);
}

TEST_F(Npy, RefusesPythonObjectsWithoutRunningThem) {
  const Error error = refused(npy_of("'|O'", "(1,)",
                                     "\x80\x04\x95"
                                     "cos\nsystem\n(S'exit 1'\ntR."));
  EXPECT_EQ(error.code(), "npy.type");
  EXPECT_TRUE(holds(error.message(), "Python objects, which would have to be run to be read"));
  EXPECT_TRUE(holds(error.hint(), "astype(float)"));
  EXPECT_EQ(refused_type("[('a', '<f8'), ('b', '|O')]").code(), "npy.type");
}

TEST_F(Npy, SaysWhichTypesAreNotNumbers) {
  const auto message = [&](const std::string& type) {
    const Error error = refused_type(type);
    EXPECT_EQ(error.code(), "npy.type") << type;
    EXPECT_FALSE(error.hint().empty()) << type;
    return error.message();
  };
  EXPECT_TRUE(holds(message("'<c16'"), "complex numbers"));
  EXPECT_TRUE(holds(message("'<M8[ns]'"), "dates or durations"));
  EXPECT_TRUE(holds(message("'<m8[s]'"), "dates or durations"));
  EXPECT_TRUE(holds(message("'<f16'"), "long doubles differ between machines"));
  EXPECT_TRUE(holds(message("'|V8'"), "raw bytes"));
  EXPECT_TRUE(holds(message("[('a', '<f8', (2,))]"), "the field \"a\" holds an array"));
  EXPECT_TRUE(holds(message("[('a', [('b', '<f8')])]"), "the field \"a\" is itself a record"));
  for (const char* type : {"'<f3'", "'<i16'", "'<b8'", "'<q8'", "''", "'<'", "'<f'", "'<f8x'", "'f-8'", "'|S0'",
                           "'<U0'", "'<U99999999999999999999'", "[]", "[('', '|V8')]"})
    EXPECT_EQ(refused_type(type).code(), "npy.header") << type;
}

TEST_F(Npy, EvaluatesNothingInItsHeader) {
  for (const char* header : {"__import__('os').system('exit 1')",
                             "{'descr': __import__('os'), 'fortran_order': False, 'shape': (2,), }",
                             "{'descr': '<f8', 'fortran_order': not True, 'shape': (2,), }",
                             "{'descr': '<f8', 'fortran_order': 0, 'shape': (2,)}",
                             "{'descr': '<f8', 'fortran_order': False, 'shape': (1+1,), }",
                             "{'descr': '<f8', 'fortran_order': False, 'shape': [2], }",
                             "{'descr': '<f8', 'fortran_order': False, 'shape': 2, }",
                             "{'descr': {'a': '<f8'}, 'fortran_order': False, 'shape': (2,), }",
                             "{'descr': {'descr': {'descr': 1}}}",
                             "{'descr': '<f8' 'x', 'fortran_order': False, 'shape': (2,), }",
                             "{'descr': '<f8', 'fortran_order': False, 'shape': (2,), } + 1",
                             "{'descr': '<f8', 'fortran_order': False, 'shape': (2,), ",
                             "{'descr': '<f8, 'fortran_order': False, 'shape': (2,), }",
                             "{'descr': '<f8', 'fortran_order': False, 'shape': (2, }",
                             "{'descr': '<f8\\', 'fortran_order': False, 'shape': (2,), }",
                             "{'descr",
                             "{'descr': '",
                             "{'descr': '\\",
                             "{",
                             "",
                             "}",
                             "{,}",
                             "[",
                             "{'descr': [[[[[[[[[[",
                             "{'descr': '<f8', 'fortran_order': False, 'shape': ((((((((",
                             "\xff\xfe\0"})
    EXPECT_EQ(refused_header(header).code(), "npy.header") << header;
  EXPECT_EQ(refused_header("{'shape': " + std::string(60'000, '(')).code(), "npy.header");
}

TEST_F(Npy, HasEachKeyOnceAndNoOther) {
  for (const char* header : {"{}", "{'descr': '<f8', 'fortran_order': False}", "{'descr': '<f8', 'shape': (2,)}",
                             "{'fortran_order': False, 'shape': (2,)}",
                             "{'descr': '<f8', 'descr': '<f8', 'fortran_order': False, 'shape': (2,)}",
                             "{'descr': '<f8', 'fortran_order': False, 'shape': (2,), 'shape': (2,)}",
                             "{'descr': '<f8', 'fortran_order': False, 'shape': (2,), 'more': 1}"})
    EXPECT_EQ(refused_header(header).code(), "npy.header") << header;
  const std::string other = "{\"shape\":(2L,3L),\"fortran_order\":True,\"descr\":\"<f8\"}";
  EXPECT_EQ(read(npy_with_header(other, six)).rows(), 2) << "any order, either quote, as Python 2 wrote it";
}

TEST_F(Npy, RefusesShapesBeyondTheFileBeforeTakingMemoryForThem) {
  for (const char* shape : {"(-1,)", "(2, -3)", "(1.5,)", "(1e3,)", "(0x10,)", "(99999999999999999999,)",
                            "(4294967296, 4294967296)", "(9223372036854775807, 3)", "(None,)", "('2',)"})
    EXPECT_EQ(refused(npy_of("'<f8'", shape, six)).code(), "npy.header") << shape;
  for (const char* shape : {"(7,)", "(4, 2)", "(1000000000, 1000000)", "(2305843009213693951,)"}) {
    EXPECT_EQ(refused(npy_of("'<f8'", shape, six)).code(), "npy.truncated") << shape;
    EXPECT_FALSE(table_unless_refused(gzip_of(npy_of("'<f8'", shape, six)))) << shape;
  }
}

// How long a compressed array is cannot be known before: its header alone must not fill the memory.
TEST_F(Npy, ACompressedHeaderCannotAskForTheWholeMemory) {
  const ReadOptions options{.max_bytes = 1'000'000'000};
  for (const char* shape : {"(1, 500000000)", "(500000000,)", "(100000000, 2)"})
    EXPECT_FALSE(table_unless_refused(gzip_of(npy_of("'|u1'", shape, "")), options)) << shape;
  EXPECT_EQ(refused(gzip_of(npy_of("'|S1'", "(100000000,)", "abc")), options).code(), "npy.truncated");
  EXPECT_EQ(refused(gzip_of(npy_of("'<U1000000'", "(1000000,)", "abc")), options).fault(), Fault::resource);
}

TEST_F(Npy, EndsWhereItsHeaderSays) {
  const std::string array = npy_of("'<f8'", "(3, 2)", six);
  expect_every_beginning_refused(array);
  EXPECT_EQ(refused(array.substr(0, array.size() - 1)).code(), "npy.truncated");
  for (const std::string& more : {"\0"s, "x"s, array}) EXPECT_EQ(refused(array + more).code(), "npy.trailing");
  EXPECT_EQ(refused("\x93NUMPY\2\0"s + little(0xffffffff, 4) + "{").code(), "npy.truncated");
}

TEST_F(Npy, KeepsToTheLimitOfBytes) {
  const std::string bytes = npy_of("'|u1'", "(40, 50)", std::string(2000, '\1'));
  const Error error = refused(bytes, {.max_bytes = 15'999});
  EXPECT_EQ(error.fault(), Fault::resource);
  EXPECT_TRUE(holds(error.message(), "a table of 40 x 50 takes 16000 bytes"));
  EXPECT_EQ(read(bytes, {.max_bytes = 16'000}).rows(), 40);
}

TEST_F(Npy, ReadsBackWhatIsWrittenBitForBit) {
  for (const Index rows : {1, 9, 99'999}) {
    Matrix values = Matrix::Constant(rows, 2, -0.0);
    values(0, 1) = std::numeric_limits<double>::quiet_NaN();
    values(rows - 1, 0) = 5e-324;
    const Table table = make_table(values, {"col_1", "col_2"});
    const std::string bytes = written_npy(table);
    EXPECT_TRUE(same_table(read(bytes), table));
    const std::size_t header = 10 + static_cast<unsigned char>(bytes[8]) + 256 * static_cast<std::size_t>(bytes[9]);
    EXPECT_EQ(header % 64, 0u) << "data are aligned";
    EXPECT_EQ(bytes[header - 1], '\n');
    EXPECT_EQ(bytes.size(), header + static_cast<std::size_t>(16 * rows));
  }
}

}  // namespace
