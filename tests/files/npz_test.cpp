// Archives of NumPy arrays, put together here as numpy.savez and numpy.savez_compressed do, and in ways they do not.
#include <fmt/format.h>

#include "files/support.hpp"

namespace {

using namespace cda;
using namespace cda::data_tests;

struct Entry {
  std::string name;
  std::string content;
  bool deflated = false;
  unsigned flags = 0;
  int method = -1;  // as the directory says it; -1: as it is
};

std::string deflated(const std::string& content) {
  const std::string packed = gzip_of(content);
  return packed.substr(10, packed.size() - 18);  // without the header and the trailer of gzip
}

std::string zip_of(const std::vector<Entry>& entries, bool zip64 = false) {
  std::string archive, directory;
  for (const Entry& entry : entries) {
    const std::string packed = entry.deflated ? deflated(entry.content) : entry.content;
    const std::uint64_t method = entry.method >= 0 ? static_cast<std::uint64_t>(entry.method) : entry.deflated ? 8 : 0;
    const std::uint64_t checksum =
        crc32_z(0, reinterpret_cast<const Bytef*>(entry.content.data()), entry.content.size());
    const std::uint64_t offset = archive.size(), beyond = 0xffffffff;
    const std::string common = little(entry.flags, 2) + little(method, 2) + little(0, 4) + little(checksum, 4);
    const std::string sizes = little(entry.content.size(), 8) + little(packed.size(), 8);
    const std::string local_extra = zip64 ? little(1, 2) + little(16, 2) + sizes : "";
    const std::string extra =
        zip64 ? little(0xcafe, 2) + little(3, 2) + "abc" + little(1, 2) + little(24, 2) + sizes + little(offset, 8)
              : "";
    const std::string short_sizes =
        little(zip64 ? beyond : packed.size(), 4) + little(zip64 ? beyond : entry.content.size(), 4);
    archive += "PK\x03\x04" + little(20, 2) + common + short_sizes + little(entry.name.size(), 2) +
               little(local_extra.size(), 2) + entry.name + local_extra + packed;
    directory += "PK\x01\x02" + little(20, 2) + little(20, 2) + common + short_sizes + little(entry.name.size(), 2) +
                 little(extra.size(), 2) + little(0, 2) + little(0, 2) + little(0, 2) + little(0, 4) +
                 little(zip64 ? beyond : offset, 4) + entry.name + extra;
  }
  const std::uint64_t begin = archive.size(), record = begin + directory.size(), count = entries.size();
  archive += directory;
  if (zip64)
    archive += "PK\x06\x06" + little(44, 8) + little(45, 2) + little(45, 2) + little(0, 4) + little(0, 4) +
               little(count, 8) + little(count, 8) + little(directory.size(), 8) + little(begin, 8) + "PK\x06\x07" +
               little(0, 4) + little(record, 8) + little(1, 4);
  return archive + "PK\x05\x06" + little(0, 4) + little(zip64 ? 0xffff : count, 2) + little(zip64 ? 0xffff : count, 2) +
         little(directory.size(), 4) + little(zip64 ? 0xffffffff : begin, 4) + little(0, 2);
}

const std::string numbers = npy_of("'<f8'", "(3, 2)", bytes_of<double>({1, 2, 3, 4, 5, 6}));
const std::string others = npy_of("'<i2'", "(2,)", bytes_of<std::int16_t>({7, 8}));
const std::string two_names = npy_of("'<U2'", "(2,)", bytes_of<std::uint32_t>({'a', 0, 'b', 'c'}));

class Npz : public TableFile {
 protected:
  Npz() : TableFile("x.npz") {}
};

TEST_F(Npz, ReadsTheOnlyArrayStoredOrDeflated) {
  const Table stored = read(zip_of({{"arr_0.npy", numbers}})), packed = read(zip_of({{"arr_0.npy", numbers, true}}));
  EXPECT_EQ(stored.values(2, 1), 6.0);
  EXPECT_EQ(stored.names, (Names{"col_1", "col_2"}));
  EXPECT_TRUE(same_table(stored, packed));
}

TEST_F(Npz, IsRecognisedByItsFirstEntry) {
  for (const char* name : {"x", "x.csv", "x.npy"})
    EXPECT_EQ(read_table(folder.write(name, zip_of({{"a.npy", numbers}}))).rows(), 3) << name;
  EXPECT_EQ(read(gzip_of(zip_of({{"a.npy", numbers}}))).rows(), 3);
}

TEST_F(Npz, AsksWhichOfSeveralArraysIsMeant) {
  const std::string archive = zip_of({{"x.npy", numbers}, {"other.npy", others, true}, {"note.txt", "hello"}});
  const Error error = refused(archive);
  EXPECT_EQ(error.code(), "variable.several");
  EXPECT_EQ(error.message(), "the file holds 2 arrays: \"x\", \"other\"");
  EXPECT_TRUE(holds(error.hint(), "--variable"));
  EXPECT_EQ(read(archive, {.variable = "x"}).rows(), 3);
  EXPECT_EQ(read(archive, {.variable = "other"}).values(1, 0), 8.0);
  const Error near = refused(archive, {.variable = "othr"}), far = refused(archive, {.variable = "temperature"});
  EXPECT_EQ(near.fault(), Fault::usage);
  EXPECT_EQ(near.hint(), "did you mean \"other\"?");
  EXPECT_EQ(far.hint(), "it holds \"x\", \"other\"");
  EXPECT_EQ(refused(zip_of({{"x.npy", numbers}}), {.variable = "y"}).code(), "variable.unknown");
}

// Other programs would take the last, or the first.
TEST_F(Npz, RefusesTwoArraysOfOneName) {
  const Error error = refused(zip_of({{"x.npy", numbers}, {"y.npy", others}, {"x.npy", others}}), {.variable = "y"});
  EXPECT_EQ(error.code(), "npz.duplicate");
  EXPECT_EQ(error.message(), "the archive holds two arrays named \"x\"");
}

// As scipy.sparse.save_npz writes it:  0 7 0
//                                      8 0 9
std::string scipy_sparse(const std::string& format, std::initializer_list<std::int32_t> starts,
                         std::initializer_list<std::int32_t> places) {
  return zip_of({{"indices.npy", npy_of("'<i4'", "(3,)", bytes_of<std::int32_t>(places)), true},
                 {"indptr.npy", npy_of("'<i4'", fmt::format("({},)", starts.size()), bytes_of<std::int32_t>(starts))},
                 {"format.npy", npy_of("'|S3'", "()", format)},
                 {"shape.npy", npy_of("'<i8'", "(2,)", bytes_of<std::int64_t>({2, 3}))},
                 {"data.npy", npy_of("'<f4'", "(3,)", bytes_of<float>({7, 8, 9}))}});
}

TEST_F(Npz, ASparseMatrixOfSciPyIsOneTable) {
  Matrix dense(2, 3);
  dense << 0, 7, 0, 8, 0, 9;
  EXPECT_EQ(read(scipy_sparse("csr", {0, 1, 3}, {1, 0, 2})).values, dense);
  EXPECT_EQ(read(scipy_sparse("csr", {0, 1, 3}, {1, 0, 2})).names, (Names{"col_1", "col_2", "col_3"}));
  dense << 0, 8, 0, 7, 0, 9;
  EXPECT_EQ(read(scipy_sparse("csc", {0, 1, 2, 3}, {1, 0, 1})).values, dense);
  EXPECT_EQ(read(scipy_sparse("csr", {0, 1, 3}, {1, 0, 2}), {.variable = "data"}).rows(), 3);  // who wants the parts
  const Error other = refused(scipy_sparse("coo", {0, 1, 3}, {1, 0, 2}));
  EXPECT_EQ(other.code(), "npz.sparse");
  EXPECT_TRUE(holds(other.hint(), "tocsr()")) << other.what();
  EXPECT_EQ(refused(scipy_sparse("csr", {0, 1, 3}, {1, 0, 3})).code(), "sparse.damaged");
  EXPECT_EQ(refused(scipy_sparse("csr", {0, 3}, {1, 0, 2})).code(), "sparse.damaged");
  const Error part = refused(zip_of({{"row.npy", others},
                                     {"format.npy", npy_of("'|S3'", "()", "csr")},
                                     {"shape.npy", npy_of("'<i8'", "(2,)", bytes_of<std::int64_t>({2, 3}))},
                                     {"data.npy", others}}));
  EXPECT_EQ(part.message(), "the array \"indptr\" of a sparse matrix is missing");
  expect_every_damage_noticed(scipy_sparse("csr", {0, 1, 3}, {1, 0, 2}));
}

TEST_F(Npz, ListsNoMoreThanTwelveArrays) {
  std::vector<Entry> entries;
  for (int i = 0; i < 20; ++i) entries.push_back({fmt::format("a{}.npy", i), others});
  EXPECT_TRUE(holds(refused(zip_of(entries)).message(), "\"a11\" and 8 more"));
}

TEST_F(Npz, AnArrayOfTextsCalledColumnsNamesThem) {
  const std::string archive = zip_of({{"x.npy", numbers}, {"columns.npy", two_names}});
  EXPECT_EQ(read(archive).names, (Names{"a", "bc"}));
  EXPECT_TRUE(warnings.empty());
  EXPECT_EQ(read(archive, {.only = {"bc"}}).values(0, 0), 2.0);
}

TEST_F(Npz, ColumnsThatCannotBeNamesAreToldOf) {
  for (const std::string& wrong : {others, npy_of("'<U1'", "(1,)", bytes_of<std::uint32_t>({'a'}))}) {
    EXPECT_EQ(read(zip_of({{"x.npy", numbers}, {"columns.npy", wrong}})).names, (Names{"col_1", "col_2"}));
    ASSERT_EQ(warnings.size(), 1u);
    EXPECT_TRUE(holds(warnings[0], "the array \"columns\" does not hold 2 texts"));
  }
  const Error error = refused(zip_of({{"x.npy", numbers}, {"columns.npy", npy_of("'|O'", "(2,)", "pickle")}}));
  EXPECT_TRUE(holds(error.message(), "the names of the columns")) << error.what();
  EXPECT_EQ(error.hint(), "save names as text: columns=names.astype(str)");
}

TEST_F(Npz, AnArrayCalledColumnsIsOneLikeOthersWhenItIsAloneOrAskedFor) {
  EXPECT_EQ(read(zip_of({{"columns.npy", numbers}})).rows(), 3);
  EXPECT_EQ(read(zip_of({{"x.npy", others}, {"columns.npy", numbers}}), {.variable = "columns"}).rows(), 3);
}

TEST_F(Npz, ReadsSizesOf64Bits) {
  const std::string archive = zip_of({{"x.npy", numbers}, {"columns.npy", two_names, true}}, true);
  const Table table = read(archive);
  EXPECT_EQ(table.values(2, 1), 6.0);
  EXPECT_EQ(table.names, (Names{"a", "bc"}));
  expect_every_beginning_refused(archive);
  expect_every_damage_noticed(archive);
}

TEST_F(Npz, IsNeverTakenForWholeWhenItsEndIsMissing) {
  expect_every_beginning_refused(zip_of({{"x.npy", numbers}, {"columns.npy", two_names}}));
  expect_every_beginning_refused(zip_of({{"x.npy", numbers, true}}));
}

TEST_F(Npz, EveryDamagedByteIsNoticed) {
  expect_every_damage_noticed(zip_of({{"x.npy", numbers}, {"columns.npy", two_names}}));
  expect_every_damage_noticed(zip_of({{"x.npy", numbers, true}, {"y.npy", others, true}, {"columns.npy", two_names}}),
                              {.variable = "x"});
}

TEST_F(Npz, RefusesAWrongChecksum) {
  std::string archive = zip_of({{"x.npy", numbers}});
  const std::size_t last = archive.find("PK\x01\x02") - 1;  // of the data
  archive[last] = static_cast<char>(archive[last] ^ 1);
  const Error error = refused(archive);
  EXPECT_EQ(error.code(), "zip.damaged");
  EXPECT_TRUE(holds(error.message(), "the checksum of \"x.npy\" is wrong"));
}

TEST_F(Npz, RefusesWhatIsEncryptedOrPackedInUnknownWays) {
  EXPECT_EQ(refused(zip_of({{"x.npy", numbers, false, 1}})).code(), "zip.encrypted");
  const Error error = refused(zip_of({{"x.npy", numbers, false, 0, 12}}));
  EXPECT_EQ(error.code(), "zip.method");
  EXPECT_TRUE(holds(error.message(), "packed by method 12"));
}

TEST_F(Npz, ABombIsStoppedAtTheLimit) {
  const std::string big = npy_of("'|u1'", "(1000000,)", std::string(1'000'000, '\0'));
  const std::string bomb = zip_of({{"x.npy", big, true}});
  ASSERT_LT(bomb.size(), 3000u);
  const Error error = refused(bomb, {.max_bytes = 500'000});
  EXPECT_EQ(error.fault(), Fault::resource);
  EXPECT_TRUE(holds(error.hint(), "--max-bytes"));
  // One that says it is small.
  std::string liar = bomb;
  const std::size_t size = liar.find("PK\x01\x02") + 24;
  liar.replace(size, 4, little(1000, 4));
  EXPECT_TRUE(holds(refused(liar, {.max_bytes = 500'000}).message(), "is longer than the directory says"));
}

TEST_F(Npz, OtherArchivesAreRefusedWithAHint) {
  const std::string spreadsheet =
      zip_of({{"[Content_Types].xml", "<xml/>", true}, {"xl/workbook.xml", "<xml/>", true}});
  const Error as_npz = refused(spreadsheet);
  EXPECT_EQ(as_npz.code(), "npz.empty");
  EXPECT_TRUE(holds(as_npz.hint(), "CSV"));
  const Error as_itself = error_of([&] { read_table(folder.write("x.xlsx", spreadsheet)); });
  EXPECT_EQ(as_itself.code(), "text.binary");
  EXPECT_TRUE(holds(as_itself.message(), "a zip archive, as xlsx and ods are"));
  EXPECT_TRUE(holds(as_itself.hint(), "cda list formats"));
  EXPECT_EQ(refused(zip_of({})).code(), "npz.empty");
}

TEST_F(Npz, DamagedArraysInsideAreRefusedAsAlone) {
  EXPECT_EQ(refused(zip_of({{"x.npy", numbers.substr(0, numbers.size() - 1)}})).code(), "npy.truncated");
  EXPECT_EQ(refused(zip_of({{"x.npy", numbers + "x"}})).code(), "npy.trailing");
  EXPECT_EQ(refused(zip_of({{"x.npy", ""}})).code(), "npy.truncated");
}

}  // namespace
