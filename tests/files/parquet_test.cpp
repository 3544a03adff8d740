#include <cmath>
#include <limits>

#include "cda/extend/format.hpp"
#include "cda/files.hpp"
#include "files/parquet_support.hpp"

namespace {

using namespace cda;
using data_tests::error_of;
using Names = std::vector<std::string>;

class Parquet : public format_tests::ParquetTest {
 protected:
  std::vector<std::string> warnings;

  Table read(const std::string& path, const ReadOptions& options = {}) { return read_table(path, options, &warnings); }
  Error refusal(const std::string& path, const ReadOptions& options = {}) {
    return error_of([&] { read(path, options); });
  }
};

TEST_F(Parquet, HoldsNumbersOfEveryType) {
  const Table table = read(file("numbers.parquet",
                                "SELECT 1::TINYINT a, 2::SMALLINT b, 3::INTEGER c, 4::BIGINT d, 5::UTINYINT e, "
                                "6::USMALLINT f, 4000000000::UINTEGER g, 8::UBIGINT h, 1.5::FLOAT i, 0.1::DOUBLE j, "
                                "true k, -12.25::DECIMAL(4,2) l, 0.1::DECIMAL(9,3) m, 12345678.9::DECIMAL(18,4) n, "
                                "-0.000001::DECIMAL(38,6) o, 7::HUGEINT p"));
  const std::vector<double> expected = {1, 2, 3, 4, 5, 6, 4e9, 8, 1.5, 0.1, 1, -12.25, 0.1, 12345678.9, -1e-6, 7};
  ASSERT_EQ(table.columns(), 16);
  for (Index j = 0; j < 16; ++j)
    EXPECT_EQ(table.values(0, j), expected[static_cast<std::size_t>(j)]) << table.names[static_cast<std::size_t>(j)];
  EXPECT_EQ(table.names.front(), "a");
  EXPECT_EQ(warnings, Names{});
}

TEST_F(Parquet, IsRecognisedByContentAndByName) {
  const std::string path = file("plain.csv", "SELECT 1 a, 2 b");
  EXPECT_EQ(read(path).columns(), 2);
  EXPECT_EQ(format_to_write("x.parquet"), "parquet");
  EXPECT_EQ(format_to_write("X.PQ"), "parquet");
  EXPECT_EQ(refusal(folder.write("empty.parquet", "")).code(), "parquet.damaged");
}

TEST_F(Parquet, AListOfDecimalsIsNoDecimal) {
  const std::string path =
      file("lists.parquet", "SELECT 1.5::DOUBLE a, [2.5::DECIMAL(10,2)] l, [1, 2, 3]::INTEGER[3] m");
  EXPECT_EQ(refusal(path).code(), "parquet.type");
  EXPECT_EQ(read(path, {.exclude = {"l", "m"}}).names, Names{"a"});
  EXPECT_EQ(read(path, {.only_numeric = true}).names, Names{"a"});
}

TEST_F(Parquet, NullAndNaNAreMissing) {
  const Table table = read(file("holes.parquet",
                                "FROM (VALUES (1.5::DOUBLE, 1::BIGINT, 1::DECIMAL(30,2)), "
                                "('NaN'::DOUBLE, NULL, NULL), (NULL, 3, 2.5)) t(a, b, c)"));
  EXPECT_EQ(table.missing_cells(), 4);
  EXPECT_TRUE(std::isnan(table.values(1, 0)) && std::isnan(table.values(2, 0)));
  EXPECT_TRUE(std::isnan(table.values(1, 1)) && std::isnan(table.values(1, 2)));
  EXPECT_EQ(table.values(2, 2), 2.5);
}

TEST_F(Parquet, NullsFallIntoTheirRowsAcrossManyChunks) {
  const Table table = read(
      file("long.parquet", "SELECT CASE WHEN range % 3 <> 0 THEN range END a, range::DOUBLE / 7 b FROM range(300001)",
           ", ROW_GROUP_SIZE 4096"));
  ASSERT_EQ(table.rows(), 300'001);
  for (Index i = 0; i < table.rows(); ++i) {
    const auto number = static_cast<double>(i);
    ASSERT_EQ(std::isnan(table.values(i, 0)), i % 3 == 0) << i;
    ASSERT_EQ(i % 3 == 0 ? number : table.values(i, 0), number);
    ASSERT_EQ(table.values(i, 1), number / 7);
  }
}

TEST_F(Parquet, InfinityIsRefusedWithItsRowAndColumn) {
  const Error error = refusal(
      file("infinite.parquet", "SELECT 1 a, CASE WHEN range = 4999 THEN '-inf'::FLOAT ELSE 1 END b FROM range(6000)"));
  EXPECT_EQ(error.fault(), Fault::input);
  EXPECT_EQ(error.message(), "row 5000 of column \"b\" is infinite, which is not a measurement");
}

TEST_F(Parquet, NumbersThatADoubleCannotHoldAreCounted) {
  const Table table = read(file("large.parquet",
                                "FROM (VALUES (9007199254740993::BIGINT, 18446744073709551615::UBIGINT, "
                                "'12345678901234567890.12'::DECIMAL(38,2), 1::BIGINT), "
                                "(9223372036854775807, 9007199254740992, 0.1, 9007199254740992), "
                                "(-9223372036854775808, 1, 1234567890123.45, -9007199254740992)) t(a, b, c, d)"));
  EXPECT_EQ(table.values(0, 0), 9007199254740992.0);
  EXPECT_EQ(table.values(2, 0), -9223372036854775808.0);
  EXPECT_EQ(table.values(0, 1), 18446744073709551616.0);
  EXPECT_EQ(table.values(0, 2), 12345678901234567890.12);  // the nearest double, as the compiler has it
  EXPECT_EQ(table.values(2, 2), 1234567890123.45);
  ASSERT_EQ(warnings.size(), 3u);
  EXPECT_NE(warnings[0].find("column \"a\": 2 of 3 numbers have more digits than are kept"), std::string::npos);
  EXPECT_NE(warnings[1].find("column \"b\": 1 of 3"), std::string::npos);
  EXPECT_NE(warnings[2].find("column \"c\": 1 of 3"), std::string::npos);
}

TEST_F(Parquet, DatesAndTheLikeAreText) {
  const std::string path =
      file("texts.parquet",
           "SELECT DATE '2020-02-29' d, TIMESTAMP '2020-02-29 12:30:00' t, TIMESTAMPTZ '2020-02-29 12:30:00+02' z, "
           "TIME '01:02:03' c, 'word' w, 'red'::ENUM('red', 'green') e, 1 n");
  const Error error = refusal(path);
  EXPECT_EQ(error.code(), "columns.text");
  EXPECT_NE(error.message().find("6 columns hold text"), std::string::npos) << error.message();
  for (const auto& [column, text] : {std::pair<const char*, const char*>{"d", "2020-02-29"},
                                     {"t", "2020-02-29 12:30:00"},
                                     {"z", "2020-02-29 10:30:00+00"},
                                     {"c", "01:02:03"},
                                     {"w", "word"},
                                     {"e", "red"}}) {
    const Table table = read(path, {.only = {"n"}, .index_column = column});
    EXPECT_EQ(table.index, Names{text});
    EXPECT_EQ(table.names, Names{"n"});
  }
}

TEST_F(Parquet, TextWhereNumbersAreWantedIsRefusedAsInAnyOtherFormat) {
  const std::string path =
      file("named.parquet", "SELECT 'row' || range r, CASE WHEN range > 4 THEN 'x' END s, range n FROM range(9000)");
  const Error both = refusal(path);
  EXPECT_EQ(both.message(), "2 columns hold text, no numbers: \"r\", \"s\"");
  EXPECT_NE(both.hint().find("--index-column r"), std::string::npos) << both.hint();
  EXPECT_EQ(refusal(path, {.exclude = {"r"}}).message(), "column \"s\" holds text, no numbers (the first is \"x\")");

  const Table table = read(path, {.only_numeric = true});
  EXPECT_EQ(table.names, Names{"n"});
  EXPECT_EQ(table.values(8999, 0), 8999.0);
  ASSERT_EQ(warnings.size(), 2u);
  EXPECT_NE(warnings[0].find("left out column \"r\": it holds text (the first is \"row0\")"), std::string::npos);
}

TEST_F(Parquet, TextIsEncodedAndNamesRowsOnRequest) {
  const std::string path = file("encoded.parquet",
                                "FROM (VALUES ('first', 'red', 1), ('a name longer than twelve', NULL, "
                                "2), (NULL, 'green', 3)) t(id, colour, n)");
  const Table table = read(path, {.index_column = "id", .encode = {{.column = "colour"}}});
  EXPECT_EQ(table.index, (Names{"first", "a name longer than twelve", ""}));
  EXPECT_EQ(table.names, (Names{"colour=green", "colour=red", "n"}));
  EXPECT_EQ(table.values(0, 1), 1.0);
  EXPECT_TRUE(std::isnan(table.values(1, 0)));
}

TEST_F(Parquet, RowNamesOfPandasAreTakenForSuch) {
  const std::string path = file("pandas.parquet", "SELECT 1.5 a, 'gene' __index_level_0__");
  const Table table = read(path);
  EXPECT_EQ(table.index, Names{"gene"});
  EXPECT_EQ(table.names, Names{"a"});
}

TEST_F(Parquet, NestedColumnsAreRefusedByNameUnlessNotUsed) {
  const std::string path = file("nested.parquet",
                                "SELECT 1 a, [1, 2] l, {'x': 1, 'y': [2]} s, MAP {'k': 1} m, "
                                "'\\xFF'::BLOB b, [TIME '01:02:03'] t, 2 z");
  for (const char* column : {"l", "s", "m", "b", "t"}) {
    const Error error = refusal(path, {.only = {"a", column}});
    EXPECT_EQ(error.code(), "parquet.type");
    EXPECT_EQ(error.message().find(std::string("column \"") + column + "\" is of the type"), 0u) << error.message();
  }
  const Table some = read(path, {.exclude = {"l", "s", "m", "b", "t"}});
  EXPECT_EQ(some.names, (Names{"a", "z"}));
  EXPECT_EQ(some.values(0, 1), 2.0);
  EXPECT_EQ(read(path, {.only = {"z"}}).values(0, 0), 2.0);
  EXPECT_EQ(read(path, {.only_numeric = true}).names, (Names{"a", "z"}));
  EXPECT_EQ(warnings.size(), 5u);
}

TEST_F(Parquet, WithoutRowsSaysSo) {
  EXPECT_EQ(refusal(file("none.parquet", "SELECT 1 a, 'x' b WHERE false")).code(), "table.no-rows");
  EXPECT_EQ(refusal(file("none.parquet", "SELECT 1 a WHERE false")).code(), "table.no-rows");
}

TEST_F(Parquet, TenThousandRowGroupsAreRead) {
  const Table table =
      read(file("groups.parquet", "SELECT range // 2048 a FROM range(2048 * 10000) WHERE range % 2048 = 0",
                ", ROW_GROUP_SIZE 1"));
  ASSERT_EQ(table.rows(), 10'000);
  EXPECT_EQ(table.values.sum(), 49'995'000.0);
  EXPECT_EQ(table.values(9'999, 0), 9'999.0);
}

TEST_F(Parquet, NamesOfFilesAreNeverPatterns) {
  file("x1.parquet", "SELECT 5 a");
  for (const char* name : {"x*.parquet", "x[1].parquet", "x?.parquet", "it's \"it\".parquet", "two\nlines.parquet",
                           "{a,b}.parquet", "\xff\xfe.parquet", "~", "-x"})
    EXPECT_EQ(read(file(name, "SELECT 7 a")).values(0, 0), 7.0) << name;
}

TEST_F(Parquet, FoldersThatLookLikeColumnsAddNone) {
  std::filesystem::create_directories(folder / "year=2020");
  EXPECT_EQ(read(file("year=2020/x.parquet", "SELECT 7 a")).names, Names{"a"});
}

TEST_F(Parquet, NamesOfColumnsAreThoseOfTheFile) {
  const std::string strange =
      "SELECT 1 AS \"a\"\"b';--\", 2 AS \"c1\", 3 AS \"c0\", 4 AS \"two\nlines\", 5 AS \"\u00e9\"";
  const Table table = read(file("strange.parquet", strange));
  EXPECT_EQ(table.names, (Names{"a\"b';--", "c1", "c0", "two\nlines", "\u00e9"}));
  EXPECT_EQ(table.values(0, 1), 2.0);
  EXPECT_EQ(table.values(0, 2), 3.0);

  // DuckDB itself would rename these; it cannot write them either, so the bytes are changed.
  const auto renamed = [&](const std::string& to) {
    file("same.parquet", "SELECT 1 AS first_one, 2 AS other_one");
    std::string bytes = folder.read("same.parquet");
    for (std::size_t at = bytes.find("other_one"); at != std::string::npos; at = bytes.find("other_one", at + 1))
      bytes.replace(at, to.size(), to);
    return folder.write("same.parquet", bytes);
  };
  const Table cased = read(renamed("FIRST_ONE"));
  EXPECT_EQ(cased.names, (Names{"first_one", "FIRST_ONE"}));
  EXPECT_EQ(cased.values(0, 1), 2.0);
  EXPECT_EQ(refusal(renamed("first_one")).code(), "columns.duplicate-name");
  EXPECT_EQ(read(renamed("first_one"), {.dedupe_names = true}).names, (Names{"first_one", "first_one_2"}));
  EXPECT_EQ(refusal(renamed("\xff\xfe\xff\xfe\xff\xfe\xff\xfe\xff")).fault(), Fault::input);
}

TEST_F(Parquet, MoreThanIsAllowedIsRefusedBeforeItIsRead) {
  const std::string path = file("wide.parquet", "SELECT range a, 'text' || range b FROM range(100000)");
  EXPECT_EQ(refusal(path, {.exclude = {"b"}, .max_bytes = 799'999}).code(), "input.too-large");
  EXPECT_EQ(refusal(path, {.index_column = "b", .max_bytes = 4'500'000}).fault(), Fault::resource);
  EXPECT_EQ(read(path, {.exclude = {"b"}, .max_bytes = 800'000}).rows(), 100'000);
}

TEST_F(Parquet, PartsOfOneTableMayBeOfTwoFormats) {
  const Table table =
      read_table(Names{file("part.parquet", "SELECT 1 a, 2 b"), folder.write("part.csv", "b,a\n4,3\n")}, {});
  EXPECT_EQ(table.rows(), 2);
  EXPECT_EQ(table.values(1, 0), 3.0);
}

TEST_F(Parquet, NeedsTheLibraryAndSaysHowToGetIt) {
  const std::string path = file("some.parquet", "SELECT 1 a");
  const std::string good = ::getenv("CDA_DUCKDB");
  ::setenv("CDA_DUCKDB", (folder / "none.so").c_str(), 1);
  const Error absent = refusal(path);
  ::setenv("CDA_DUCKDB", folder.write("text.so", "no library").c_str(), 1);
  const Error broken = refusal(path);
  ::setenv("CDA_DUCKDB", "libm.so.6", 1);
  const Error other = refusal(path);
  ::setenv("CDA_DUCKDB", good.c_str(), 1);
  EXPECT_EQ(absent.fault(), Fault::usage);
  EXPECT_EQ(absent.code(), "duckdb.missing");
  EXPECT_NE(absent.hint().find("scripts/install-parquet"), std::string::npos);
  EXPECT_EQ(broken.code(), "duckdb.missing");
  EXPECT_EQ(other.code(), "duckdb.version");
}

TEST_F(Parquet, TheDatabaseTouchesNothingButTheFile) {
  const std::string other = file("other.parquet", "SELECT 1 a");
  const std::string path = file("mine.parquet", "SELECT 1 a");
  const int descriptor = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
  DuckDb database(descriptor);
  EXPECT_NO_THROW(database.run("FROM read_parquet(" + database.file() + ")"));
  for (const std::string& statement :
       Names{"FROM read_parquet('" + other + "')", "FROM read_csv('/etc/hostname')", "FROM glob('/*')",
             "COPY (SELECT 1) TO '" + (folder / "new.csv") + "'", "SET enable_external_access = true",
             "SET threads = 2", "INSTALL httpfs", "LOAD httpfs", "ATTACH '" + (folder / "new.db") + "'",
             "FROM read_csv('http://127.0.0.1:1/x.csv')"})
    EXPECT_THROW(database.run(statement), DuckDbFailure) << statement;
  ::close(descriptor);
  EXPECT_EQ(folder.names(), (Names{"mine.parquet", "other.parquet"}));
}

TEST_F(Parquet, WhatIsWrittenReadsBackToTheBit) {
  Table table;
  table.values.resize(5000, 3);
  for (Index i = 0; i < table.values.size(); ++i) table.values.data()[i] = std::sin(static_cast<double>(i)) * 1e-3;
  table.values(0, 0) = std::numeric_limits<double>::denorm_min();
  table.values(1, 0) = -std::numeric_limits<double>::max();
  table.values(2, 0) = -0.0;
  table.values(4999, 2) = table.values(2500, 1) = std::numeric_limits<double>::quiet_NaN();
  table.names = {"plain", "quote\" '; DROP TABLE x; --", "new\nline \u2028"};
  table.index_name = "id";
  for (Index i = 0; i < table.rows(); ++i) table.index.push_back("row \u00e9 number " + std::to_string(i));
  const std::string bytes = written_table(table, "x.parquet");
  EXPECT_EQ(bytes, written_table(table, "x.pq"));

  const Table back = read(folder.write("written.parquet", bytes), {.index_column = "id"});
  EXPECT_EQ(back.names, table.names);
  EXPECT_EQ(back.index, table.index);
  EXPECT_TRUE(std::signbit(back.values(2, 0)));
  EXPECT_EQ(back.missing_cells(), 2);
  EXPECT_TRUE(((back.values.array() == table.values.array()) || table.values.array().isNaN()).all());
  EXPECT_EQ(folder.names(), Names{"written.parquet"});
}

TEST_F(Parquet, RowNamesWithoutANameAreThoseOfPandas) {
  Table table = make_table(Matrix::Ones(2, 1), {"a"});
  table.index = {"r", "s"};
  const Table back = read(folder.write("written.parquet", written_table(table, "x.parquet")));
  EXPECT_EQ(back.index, table.index);
}

TEST_F(Parquet, NamesThatCannotBeWrittenAreRefused) {
  const auto writing = [](const Names& names) {
    return error_of(
        [&] { written_table(make_table(Matrix::Ones(1, static_cast<Index>(names.size())), names), "x.pq"); });
  };
  EXPECT_EQ(writing({"a", "A"}).message(),
            "columns \"a\" and \"A\" differ in capital letters only and cannot both be written to Parquet");
  EXPECT_EQ(writing({std::string("a\0b", 3)}).code(), "parquet.name");
  EXPECT_EQ(writing({"\xff"}).code(), "parquet.name");
}

}  // namespace
