#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "cda/files.hpp"
#include "files/hdf5_module.hpp"
#include "files/hdf5_writer.hpp"
#include "files/input_file.hpp"
#include "files/isolated.hpp"
#include "files/support.hpp"

namespace {

using namespace cda;
using data_tests::error_of;
using data_tests::Folder;
using format_tests::Creation;
using format_tests::Hdf5Writer;
using Names = std::vector<std::string>;

class Hdf5 : public testing::Test {
 protected:
  Table read(const ReadOptions& options = {}) {
    warnings.clear();
    return read_table(path, options, &warnings);
  }
  Error refused(const ReadOptions& options = {}) {
    const Error error = error_of([&] { read(options); });
    EXPECT_EQ(error.place().file, path) << error.what();
    return error;
  }
  void expect_refused(const std::string& code, const std::string& part, const ReadOptions& options = {},
                      Fault fault = Fault::input) {
    const Error error = refused(options);
    EXPECT_EQ(error.code(), code) << error.what();
    EXPECT_EQ(error.fault(), fault) << error.what();
    EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
  }

  static Matrix numbered(Index rows, Index columns) {
    Matrix values(rows, columns);
    for (Index i = 0; i < rows; ++i)
      for (Index j = 0; j < columns; ++j) values(i, j) = static_cast<double>(100 * i + j) / 8;
    return values;
  }

  Folder folder;
  std::string path = folder / "x.h5";
  std::vector<std::string> warnings;
};

TEST_F(Hdf5, ReadsTheOnlyDatasetAndTheNamesOfItsColumns) {
  const Matrix values = numbered(5, 3);
  Hdf5Writer(path).numbers("/data", values);
  EXPECT_EQ(read().values, values);
  EXPECT_EQ(read().names, (Names{"col_1", "col_2", "col_3"}));
  {
    Hdf5Writer writer(path);
    writer.numbers("/deep/down/data", values);
    writer.text_attributes("/deep/down/data", "columns", {"a", "ü", "c"});
    writer.texts("/words", {"not", "numbers"});
  }
  EXPECT_EQ(read().values, values);
  EXPECT_EQ(read().names, (Names{"a", "ü", "c"}));
}

TEST_F(Hdf5, ReadsChunksOfEveryShapePackedOrNot) {
  const Matrix values = numbered(50, 17);
  for (const std::vector<hsize_t>& chunk : {std::vector<hsize_t>{1, 1}, {7, 5}, {50, 1}, {1, 17}, {50, 17}}) {
    Creation creation;
    creation.chunk(chunk);
    H5Pset_shuffle(creation.id());
    H5Pset_deflate(creation.id(), 4);
    H5Pset_fletcher32(creation.id());
    Hdf5Writer(path).numbers("/data", values, H5T_IEEE_F64LE, creation.id());
    EXPECT_EQ(read().values, values);
  }
}

TEST_F(Hdf5, ReadsManyTiles) {
  const Matrix values = numbered(40'000, 60);
  Creation creation;
  creation.chunk({1000, 7});
  Hdf5Writer(path).numbers("/data", values, H5T_IEEE_F64BE, creation.id());
  EXPECT_EQ(read().values, values);
}

TEST_F(Hdf5, ReadsEveryTypeOfNumberInBothByteOrders) {
  Matrix values(2, 2);
  values << 0, 1, 100, 127;
  for (const hid_t type : {H5T_STD_I8LE, H5T_STD_U8BE, H5T_STD_I16LE, H5T_STD_I16BE, H5T_STD_U16BE, H5T_STD_I32LE,
                           H5T_STD_I32BE, H5T_STD_U32BE, H5T_STD_I64LE, H5T_STD_I64BE, H5T_STD_U64LE, H5T_STD_U64BE,
                           H5T_IEEE_F32LE, H5T_IEEE_F32BE, H5T_IEEE_F64LE, H5T_IEEE_F64BE}) {
    Hdf5Writer(path).numbers("/data", values, type);
    EXPECT_EQ(read().values, values);
    EXPECT_TRUE(warnings.empty());
  }
}

TEST_F(Hdf5, AListIsOneColumn) {
  Hdf5Writer(path).list("/data", {1, 2, 3});
  EXPECT_EQ(read().values, Vector::LinSpaced(3, 1, 3));
}

TEST_F(Hdf5, CountsWholeNumbersThatADoubleDoesNotHold) {
  const std::int64_t exact = std::int64_t{1} << 53;
  const std::vector<std::int64_t> values{exact, exact + 1, -exact - 1, exact + 2, exact * 4 + 1, 7};
  Hdf5Writer(path).write("/data", H5T_STD_I64LE, H5T_NATIVE_INT64, {3, 2}, values.data(), H5P_DEFAULT);
  EXPECT_EQ(read().values(0, 0), 0x1p53);
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_EQ(warnings[0], path + ": \"/data\": 3 whole numbers are beyond 2^53 and rounded");
  const std::vector<std::uint64_t> large{std::numeric_limits<std::uint64_t>::max(), 1};
  Hdf5Writer(path).write("/data", H5T_STD_U64BE, H5T_NATIVE_UINT64, {2}, large.data(), H5P_DEFAULT);
  EXPECT_EQ(read().values(0, 0), 0x1p64);
  EXPECT_EQ(warnings.size(), 1u);
}

TEST_F(Hdf5, NotANumberIsMissingAndInfiniteIsRefused) {
  Matrix values = numbered(3, 2);
  values(1, 1) = std::numeric_limits<double>::quiet_NaN();
  Hdf5Writer(path).numbers("/data", values);
  EXPECT_TRUE(std::isnan(read().values(1, 1)));
  EXPECT_EQ(read().missing_cells(), 1);
  values(2, 1) = -std::numeric_limits<double>::infinity();
  Hdf5Writer(path).numbers("/data", values, H5T_IEEE_F32BE);
  expect_refused("table.infinite", "row 3 of column \"col_2\" is infinite");
}

TEST_F(Hdf5, SeveralDatasetsAreListedAndOneIsChosen) {
  {
    Hdf5Writer writer(path);
    writer.numbers("/a", numbered(4, 2), H5T_IEEE_F32LE);
    writer.list("/group/b", {1, 2, 3}, H5T_STD_U8LE);
    writer.texts("/words", {"x"});
    writer.claim("/cube", {2, 2, 2});
  }
  expect_refused("hdf5.several", "\"/a\" (float32, 4 x 2), \"/group/b\" (uint8, 3 values) (hint: --variable /a");
  EXPECT_EQ(read({.variable = "a"}).rows(), 4);
  EXPECT_EQ(read({.variable = "/group/b"}).rows(), 3);
  expect_refused("hdf5.unknown", "did you mean \"/group/b\"?", {.variable = "group/bb"}, Fault::usage);
  expect_refused("hdf5.group", "\"/group\" is a group, not a dataset (hint: it holds \"b\")", {.variable = "group"});
  expect_refused("hdf5.type", "\"/words\" (text, 1 values) does not hold numbers", {.variable = "words"});
  expect_refused("hdf5.shape", "\"/cube\" (float64, 2 x 2 x 2) is no table", {.variable = "cube"});
}

TEST_F(Hdf5, AFileWithoutNumbersSaysWhatItHolds) {
  { const Hdf5Writer nothing(path); }
  expect_refused("hdf5.no-table", "holds no datasets");
  Hdf5Writer(path).texts("/words", {"x"});
  expect_refused("hdf5.no-table", "only \"/words\" (text, 1 values)");
}

TEST_F(Hdf5, ReadsRecordsFieldByField) {
  struct Record {
    double weight;
    std::int32_t count;
    char name[4];
    const char* note;
  };
  const Record records[] = {{0.5, 3, "ab", "first"}, {1.5, -4, "cde", "second"}};
  const hid_t name = H5Tcopy(H5T_C_S1), note = Hdf5Writer::text_type();
  H5Tset_size(name, 4);
  const hid_t type = H5Tcreate(H5T_COMPOUND, sizeof(Record));
  H5Tinsert(type, "weight", HOFFSET(Record, weight), H5T_NATIVE_DOUBLE);
  H5Tinsert(type, "count", HOFFSET(Record, count), H5T_NATIVE_INT32);
  H5Tinsert(type, "name", HOFFSET(Record, name), name);
  H5Tinsert(type, "note", HOFFSET(Record, note), note);
  Hdf5Writer(path).write("/records", type, type, {2}, records, H5P_DEFAULT);
  for (const hid_t used : {name, note, type}) H5Tclose(used);
  EXPECT_EQ(refused().code(), "columns.text");
  const Table table = read({.exclude = {"note"}, .index_column = "name"});
  EXPECT_EQ(table.names, (Names{"weight", "count"}));
  EXPECT_EQ(table.index, (Names{"ab", "cde"}));
  EXPECT_EQ(table.values(1, 0), 1.5);
  EXPECT_EQ(table.values(1, 1), -4);
  EXPECT_EQ(read({.exclude = {"name"}, .encode = {{"note"}}}).names,
            (Names{"weight", "count", "note=first", "note=second"}));
}

// One pass for all fields: a packed list of 400 fields took a pass for each, and was called hostile for the time.
TEST_F(Hdf5, ReadsRecordsOfManyFieldsOverManyChunks) {
  struct Record {
    std::int64_t number;
    const char* text;
    double values[50];
  };
  constexpr std::size_t rows = 1000;
  std::vector<std::string> texts;
  std::vector<Record> records(rows);
  for (std::size_t i = 0; i < rows; ++i) texts.push_back("text " + std::to_string(i % 7));
  for (std::size_t i = 0; i < rows; ++i) {
    records[i].number = (std::int64_t{1} << 53) + static_cast<std::int64_t>(i % 2);
    records[i].text = texts[i].c_str();
    for (std::size_t j = 0; j < 50; ++j) records[i].values[j] = static_cast<double>(i * 100 + j);
  }
  const hid_t text = Hdf5Writer::text_type(), type = H5Tcreate(H5T_COMPOUND, sizeof(Record));
  H5Tinsert(type, "number", HOFFSET(Record, number), H5T_NATIVE_INT64);
  H5Tinsert(type, "text", HOFFSET(Record, text), text);
  for (std::size_t j = 0; j < 50; ++j)
    H5Tinsert(type, ("v" + std::to_string(j)).c_str(), HOFFSET(Record, values) + j * sizeof(double), H5T_NATIVE_DOUBLE);
  Creation creation;
  creation.chunk({37});
  H5Pset_deflate(creation.id(), 1);
  Hdf5Writer(path).write("/records", type, type, {rows}, records.data(), creation.id());
  H5Tclose(type);
  H5Tclose(text);
  const Table table = read({.index_column = "text"});
  ASSERT_EQ(table.columns(), 51);
  EXPECT_EQ(table.index, texts);
  for (Index i = 0; i < table.rows(); ++i)
    for (Index j = 0; j < 50; ++j)
      ASSERT_EQ(table.values(i, j + 1), static_cast<double>(i * 100 + j)) << i << ", " << j;
  EXPECT_EQ(table.values(1, 0), 0x1p53);
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_NE(warnings[0].find("500 whole numbers are beyond 2^53"), std::string::npos) << warnings[0];
}

TEST_F(Hdf5, AFieldThatCannotBeReadIsRefusedOnlyWhereItIsUsed) {
  struct Record {
    double weight;
    double pair[2];
  };
  const Record records[] = {{0.5, {1, 2}}, {1.5, {3, 4}}};
  const hsize_t two = 2;
  const hid_t array = H5Tarray_create2(H5T_NATIVE_DOUBLE, 1, &two), type = H5Tcreate(H5T_COMPOUND, sizeof(Record));
  H5Tinsert(type, "weight", HOFFSET(Record, weight), H5T_NATIVE_DOUBLE);
  H5Tinsert(type, "pair", HOFFSET(Record, pair), array);
  Hdf5Writer(path).write("/records", type, type, {2}, records, H5P_DEFAULT);
  H5Tclose(type);
  H5Tclose(array);
  expect_refused("hdf5.type", "holds arrays, neither numbers nor text (hint: --exclude pair leaves it out)");
  EXPECT_EQ(read({.exclude = {"pair"}}).values(1, 0), 1.5);
  EXPECT_EQ(read({.only_numeric = true}).names, Names{"weight"});
}

TEST_F(Hdf5, ASparseMatrixInAGroupIsOneTable) {
  {
    Hdf5Writer writer(path);
    writer.group("/m");
    writer.text_attribute("/m", "encoding-type", "csr_matrix");
    writer.integer_attributes("/m", "shape", {2, 3});
    writer.list("/m/data", {7, 8, 9});
    writer.list("/m/indices", {1, 0, 2}, H5T_STD_I32LE);
    writer.list("/m/indptr", {0, 1, 3}, H5T_STD_I32LE);
  }
  Matrix dense(2, 3);
  dense << 0, 7, 0, 8, 0, 9;
  EXPECT_EQ(read().values, dense);
  EXPECT_EQ(read({.variable = "m"}).values, dense);
}

TEST_F(Hdf5, NumbersPackedAsInNetCdfAreUnpacked) {
  const auto attribute = [&](Hdf5Writer& writer, const char* name, double value) {
    const hid_t space = H5Screate(H5S_SCALAR);
    const hid_t object = H5Oopen(writer.file(), "/temp", H5P_DEFAULT);
    const hid_t made = H5Acreate2(object, name, H5T_IEEE_F64LE, space, H5P_DEFAULT, H5P_DEFAULT);
    H5Awrite(made, H5T_NATIVE_DOUBLE, &value);
    H5Aclose(made);
    H5Oclose(object);
    H5Sclose(space);
  };
  {
    Hdf5Writer writer(path);
    writer.list("/temp", {95, -32768, 105}, H5T_STD_I16LE);
    attribute(writer, "scale_factor", 0.5);
    attribute(writer, "add_offset", 10);
    writer.integer_attributes("/temp", "_FillValue", {-32768});
  }
  const Table table = read();
  EXPECT_EQ(table.values(0, 0), 57.5);
  EXPECT_EQ(table.values(2, 0), 62.5);
  EXPECT_TRUE(std::isnan(table.values(1, 0)));
}

TEST_F(Hdf5, NamesFromTheFileAreShownHarmlessAndAsAShellTakesThem) {
  {
    Hdf5Writer writer(path);
    writer.numbers("/my group/data one", numbered(4, 2));
    writer.list("/other", {1, 2, 3});
  }
  expect_refused("hdf5.several", "(hint: --variable '/my group/data one' says which)");
  {
    Hdf5Writer writer(path);
    writer.numbers("/a\x1b[2J", numbered(4, 2));
    writer.list("/b", {1, 2, 3});
  }
  const Error error = refused();
  EXPECT_EQ(std::string(error.what()).find('\x1b'), std::string::npos);
  EXPECT_EQ(error.hint(), "--variable NAME says which");
}

TEST_F(Hdf5, ATableWithoutColumnsIsCalledThat) {
  Hdf5Writer(path).claim("/data", {5, 0});
  expect_refused("table.no-columns", "the table has no columns");
}

TEST_F(Hdf5, NamesThatDoNotFitAreRefused) {
  {
    Hdf5Writer writer(path);
    writer.numbers("/data", numbered(4, 2));
    writer.text_attributes("/data", "columns", {"a", "b", "c"});
  }
  expect_refused("hdf5.columns", "\"/data\" has 2 columns, but its attribute \"columns\" names 3");
}

TEST_F(Hdf5, LinksOutOfTheFileAreNotFollowed) {
  Hdf5Writer(folder / "other.h5").numbers("/data", numbered(2, 2));
  {
    Hdf5Writer writer(path);
    H5Lcreate_external("other.h5", "/data", writer.file(), "out", H5P_DEFAULT, H5P_DEFAULT);
    H5Lcreate_soft("/out", writer.file(), "detour", H5P_DEFAULT, H5P_DEFAULT);
  }
  expect_refused("hdf5.external", "external links are not followed", {.variable = "out"});
  expect_refused("hdf5.link", "the link \"/detour\" leads nowhere", {.variable = "detour"});
  expect_refused("hdf5.no-table", "external links are not followed");
}

TEST_F(Hdf5, ValuesInOtherFilesAreNotRead) {
  folder.write("raw", std::string(32, 'x'));
  {
    const Creation creation;
    H5Pset_external(creation.id(), (folder / "raw").c_str(), 0, 32);
    Hdf5Writer(path).claim("/data", {2, 2}, creation.id());
  }
  expect_refused("hdf5.external", "keeps its values in other files");
  Hdf5Writer(folder / "other.h5").numbers("/data", numbered(2, 2));
  {
    const Creation creation;
    const hsize_t shape[2] = {2, 2};
    const hid_t space = H5Screate_simple(2, shape, nullptr);
    H5Pset_virtual(creation.id(), space, (folder / "other.h5").c_str(), "/data", space);
    H5Sclose(space);
    Hdf5Writer(path).claim("/data", {2, 2}, creation.id());
  }
  expect_refused("hdf5.external", "keeps its values in other files", {.variable = "data"});
}

TEST_F(Hdf5, CirclesOfLinksEnd) {
  {
    Hdf5Writer writer(path);
    writer.group("/group");
    writer.numbers("/group/data", numbered(2, 2));
    H5Lcreate_hard(writer.file(), "/group", writer.file(), "/group/itself", H5P_DEFAULT, H5P_DEFAULT);
    H5Lcreate_hard(writer.file(), "/group/data", writer.file(), "/again", H5P_DEFAULT, H5P_DEFAULT);
    H5Lcreate_soft("/two", writer.file(), "one", H5P_DEFAULT, H5P_DEFAULT);
    H5Lcreate_soft("/one", writer.file(), "two", H5P_DEFAULT, H5P_DEFAULT);
    H5Lcreate_soft("/group", writer.file(), "soft", H5P_DEFAULT, H5P_DEFAULT);
  }
  EXPECT_EQ(read().rows(), 2);
  EXPECT_EQ(read({.variable = "/group/itself/itself/data"}).rows(), 2);
  EXPECT_EQ(read({.variable = "/soft/data"}).rows(), 2);
  expect_refused("hdf5.link", "the link \"/one\" leads nowhere, in a circle", {.variable = "one"});
  expect_refused("hdf5.link", "the link \"/one\" leads nowhere, in a circle", {.variable = "one/data"});
}

TEST_F(Hdf5, OtherFiltersAreRefusedBeforeReading) {
  Creation creation;
  creation.chunk({2, 2});
  H5Pset_scaleoffset(creation.id(), H5Z_SO_FLOAT_DSCALE, 2);
  Hdf5Writer(path).numbers("/data", numbered(4, 2), H5T_IEEE_F64LE, creation.id());
  expect_refused("hdf5.filter", "the filter scaleoffset, which is not read (hint: h5repack -f GZIP=4 IN OUT)");
}

TEST_F(Hdf5, ClaimsThatTheFileCannotHoldAreNotAllocated) {
  Hdf5Writer(path).claim("/data", {1'000'000, 1'000'000});
  expect_refused("hdf5.claims", "claims to be 1000000 x 1000000");
  Creation creation;
  creation.chunk({1000, 1000});
  H5Pset_deflate(creation.id(), 9);
  Hdf5Writer(path).claim("/data", {1'000'000, 1'000'000}, creation.id());
  expect_refused("hdf5.claims", "claims to be 1000000 x 1000000");
}

TEST_F(Hdf5, MoreThanIsAllowedIsAResourceError) {
  Creation creation;
  creation.chunk({1000, 100});
  H5Pset_deflate(creation.id(), 9);
  Hdf5Writer(path).numbers("/data", Matrix::Zero(20'000, 100), H5T_IEEE_F64LE, creation.id());
  EXPECT_EQ(read().rows(), 20'000);  // 16 MB in a few hundred times less
  const Error error = refused({.max_bytes = 1'000'000});
  EXPECT_EQ(error.fault(), Fault::resource);
  EXPECT_NE(error.message().find("takes 16000000 bytes of memory"), std::string::npos) << error.what();
}

TEST_F(Hdf5, IsFoundByContentWhateverItsName) {
  path = folder / "x.dat";
  Hdf5Writer(path).numbers("/data", numbered(2, 2));
  EXPECT_EQ(read().rows(), 2);
  path = folder.write("x.h5", "a,b\n1,2\n");
  expect_refused("hdf5.damaged", "cannot open this file");
}

// Many prefixes and many flipped bytes: a table or an Error with the file's name, never anything else. One of the flips
// is in the length of a text, and version 1.10.8 of the library never comes back from it.
TEST_F(Hdf5, DamagedFilesAreTablesOrErrors) {
  {
    Hdf5Writer writer(path);
    Creation creation;
    creation.chunk({4, 2});
    H5Pset_deflate(creation.id(), 9);
    H5Pset_fletcher32(creation.id());
    writer.numbers("/group/data", numbered(20, 3), H5T_STD_I16LE, creation.id());
    writer.text_attributes("/group/data", "columns", {"a", "b", "c"});
    writer.texts("/group/words", {"one", "two"});
  }
  const std::string content = folder.read("x.h5");
  int tables = 0, errors = 0;
  const auto attempt = [&](const std::string& damaged) {
    const InputFile file(folder.write("x.h5", damaged));
    try {
      const Hdf5Module& module = hdf5_module(file, "HDF5", "");
      read_isolated({.file = path, .library = "HDF5", .most_bytes = std::uint64_t{1} << 30, .cpu_seconds = 1},
                    [&] { return module.read_table(file, {}); });
      ++tables;
    } catch (const Error& error) {
      ++errors;
      EXPECT_NE(std::string(error.what()).find(path), std::string::npos) << error.what();
      EXPECT_NE(error.fault(), Fault::internal) << error.what();
    }
  };
  for (std::size_t end = 0; end < content.size(); end += 97) attempt(content.substr(0, end));
  EXPECT_EQ(tables, 0);
  for (std::size_t at = 0; at < content.size(); at += content.size() / 250 + 1) {
    std::string damaged = content;
    damaged[at] = static_cast<char>(damaged[at] ^ (1 << (at % 8)));
    attempt(damaged);
  }
  EXPECT_GT(errors, 20);
}

}  // namespace
