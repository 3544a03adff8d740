#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <string_view>

#include "cda/extend/random.hpp"
#include "cda/files.hpp"
#include "support.hpp"

namespace {

using namespace cda;
using data_tests::error_of;
using data_tests::holds;
using data_tests::Names;

class CsvReader : public data_tests::TableFile {
 protected:
  CsvReader() : TableFile("x.csv") {}
};

TEST_F(CsvReader, ReadsNamesAndNumbers) {
  const Table table = read("a,b\n1,2\n3,4\n5,6\n");
  EXPECT_EQ(table.names, (Names{"a", "b"}));
  Matrix expected(3, 2);
  expected << 1, 2, 3, 4, 5, 6;
  EXPECT_EQ(table.values, expected);
  EXPECT_EQ(table.source, folder / "x.csv");
  EXPECT_TRUE(warnings.empty());
}

TEST_F(CsvReader, EveryKindOfLineEndGivesTheSameBytes) {
  const Table expected = read("a,b\n1,-0\n3,4e-310\n5,6\n");
  for (const char* content :
       {"a,b\r\n1,-0\r\n3,4e-310\r\n5,6\r\n", "a,b\r1,-0\r3,4e-310\r5,6\r", "a,b\r\n1,-0\n3,4e-310\r5,6",
        "\xef\xbb\xbf"
        "a,b\n1,-0\n3,4e-310\n5,6",
        "\n\na,b\n\n1,-0\n\r\n\r3,4e-310\n5,6\n\n"}) {
    const Table table = read(content);
    EXPECT_EQ(table.names, expected.names);
    ASSERT_EQ(table.values.size(), expected.values.size());
    EXPECT_EQ(std::memcmp(table.values.data(), expected.values.data(), sizeof(double) * 6), 0) << content;
  }
}

TEST_F(CsvReader, CountsPhysicalLinesAlsoAfterQuotedNewlines) {
  const std::string content = "\"a\nb\r\nc\",\"say \"\"d\"\", e\"\n1,2\n\n3,oops\n4,5\n";
  const Error error = refused(content);
  expect_at(error, "csv.number", 6, 2);
  EXPECT_NE(error.message().find("oops"), std::string::npos);
  EXPECT_EQ(error.hint(), "--na \"oops\" --missing drop-rows");
  const Table table = read("\"a\nb\",\"say \"\"d\"\", e\"\n1,2\n");
  EXPECT_EQ(table.names, (Names{"a\nb", "say \"d\", e"}));
}

TEST_F(CsvReader, NamesTheLineWhereAnOpenQuoteBegan) {
  expect_at(refused("a,b\n1,2\n3,\"4\n5,6\n7,8\n"), "csv.unterminated-quote", 3, 2);
}

TEST_F(CsvReader, RefusesTextAfterAClosingQuoteAndQuotesInsideAField) {
  expect_at(refused("a,b\n1,2\n3,\"1\"x\n"), "csv.quote", 3, 2);
  expect_at(refused("a,b\n1\",2\n"), "csv.quote", 2, 1);
}

TEST_F(CsvReader, RefusesRowsThatAreLongerOrShorterThanTheHeader) {
  const Error longer = refused("a,b\n1,2\n1,2,3\n"), shorter = refused("a,b\n1,2\n\n1\n");
  expect_at(longer, "csv.ragged", 3, 0);
  expect_at(shorter, "csv.ragged", 4, 0);
  EXPECT_EQ(longer.message(), "row has 3 fields, header has 2");
  EXPECT_EQ(shorter.message(), "row has 1 field, header has 2");
}

// Room for rows was reckoned from bytes, and a last row much too short was stored before it was refused.
TEST_F(CsvReader, RefusesARowTooShortForItsBytes) {
  expect_at(refused("a,b,c,d,e\n1"), "csv.ragged", 2, 0);
  expect_at(refused("a,b,c,d,e\n1,2,3,4,5\n1\n2\n"), "csv.ragged", 3, 0);
}

TEST_F(CsvReader, RefusesTrailingDelimitersUnlessToldToIgnoreThem) {
  for (const char* content : {"a,b,\n1,2,\n3,4,\n", "a,b\n1,2,\n3,4,\n"}) {
    EXPECT_EQ(refused(content).hint(), "--ignore-trailing-delimiter") << content;
    const Table table = read(content, {.ignore_trailing_delimiter = true});
    EXPECT_EQ(table.names, (Names{"a", "b"}));
    EXPECT_EQ(table.values(1, 1), 4.0);
  }
}

TEST_F(CsvReader, RefusesFilesWithoutContentOrWithoutRows) {
  for (const char* content : {"", "\xef\xbb\xbf", "\n\r\n\r"}) EXPECT_EQ(refused(content).code(), "csv.empty");
  EXPECT_EQ(refused("a,b\n").code(), "table.no-rows");
}

TEST_F(CsvReader, WarnsWhenTheHeaderLooksLikeData) {
  EXPECT_EQ(read("1,2\n3,4\n").rows(), 1);
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_NE(warnings[0].find("--header no"), std::string::npos);
  const Table table = read("1,2\n3,4\n", {.header = false});
  EXPECT_EQ(table.rows(), 2);
  EXPECT_EQ(table.names, (Names{"col_1", "col_2"}));
  EXPECT_TRUE(warnings.empty());
}

TEST_F(CsvReader, RefusesDuplicateNamesNamingBothPositions) {
  const Error error = refused("a,b,a\n1,2,3\n");
  expect_at(error, "columns.duplicate-name", 1, 3);
  EXPECT_EQ(error.message(), "columns 1 and 3 are both named \"a\"");
  EXPECT_EQ(read("a,a,a_2,a\n1,2,3,4\n", {.dedupe_names = true}).names, (Names{"a", "a_3", "a_2", "a_4"}));
}

TEST_F(CsvReader, NamesEmptyColumnsAndChecksThatNameToo) {
  EXPECT_EQ(read("a,,c\n1,2,3\n").names, (Names{"a", "col_2", "c"}));
  EXPECT_EQ(warnings.size(), 1u);
  EXPECT_EQ(refused("col_2,\n1,2\n").code(), "columns.duplicate-name");
}

TEST_F(CsvReader, ABlankLineIsAMissingValueOnlyInAFileOfOneColumn) {
  const Table table = read("a\n1\n\n3\n\n\n");
  ASSERT_EQ(table.rows(), 3);
  EXPECT_TRUE(std::isnan(table.values(1, 0)));
  EXPECT_EQ(table.missing_cells(), 1);
  EXPECT_EQ(read("a,b\n1,2\n\n3,4\n").missing_cells(), 0);
}

TEST_F(CsvReader, SkipsCommentsOnlyWhenAsked) {
  EXPECT_EQ(refused("a,b\n# hello\n1,2\n").hint(), "--comment '#', if such lines are comments");
  EXPECT_EQ(read("# one\na,b\n# two, three\n1,2\n#", {.comment = '#'}).rows(), 1);
}

TEST_F(CsvReader, KnowsTheUsualMissingTokensAndThoseItIsTold) {
  const Table usual = read("a,b\n,NA\nNaN,N/A\nnull,.\n\"\",nan\n1,2\n");
  EXPECT_EQ(usual.missing_cells(), 8);
  const Table told = read("a,b\n-999,n/a\n1,2\n", {.missing_tokens = {"-999", "n/a"}});
  EXPECT_EQ(told.missing_cells(), 2);
  EXPECT_EQ(refused("a,b\n1,n/a\n1,2\n").hint(), "--na \"n/a\" --missing drop-rows");
}

TEST_F(CsvReader, ANumberThatMeansMissingDoesSoHoweverItIsWritten) {
  const Table table = read("a,b\n-999.0,1\n-9.99e2,2\n\"-999\",3\n4,-999\n", {.missing_tokens = {"-999"}});
  EXPECT_EQ(table.missing_cells(), 4);
  EXPECT_EQ(table.values(3, 0), 4.0);
}

TEST_F(CsvReader, SaysWhatIsWrongWithACell) {
  expect_at(refused("a,b\n1,2\n1,inf\n"), "csv.number-range", 3, 2);
  expect_at(refused("a,b\n1,2\n1e400,2\n"), "csv.number-range", 3, 1);
  EXPECT_NE(refused("a,b\n1,2\n1e400,2\n").message().find("too large for a double"), std::string::npos);
  expect_at(refused("a,b\n1,2\n0x10,2\n"), "csv.number", 3, 1);
  expect_at(refused("a,b\n1," + std::string(200000, '1') + "\n"), "csv.number-range", 2, 2);
  EXPECT_EQ(refused("a,b\n\"1,234\",2\n").hint(), "--thousands ,");
  EXPECT_NE(refused("a,b\n\u2212"
                    "1,2\n")
                .hint()
                .find("U+2212"),
            std::string::npos);
  EXPECT_NE(refused("a,b\n1,x\n2,y\n3,3\n").message().find("1 more cell cannot be read"), std::string::npos);
}

TEST_F(CsvReader, ShowsHostileCellsEscapedAndCut) {
  const Error error = refused("a,b\n1,\x1b[31mred\xff" + std::string(300, 'z') + "\n2,3\n");
  EXPECT_EQ(std::string(error.what()).find('\x1b'), std::string::npos);
  EXPECT_NE(error.message().find("\\x1b[31mred\\xff"), std::string::npos);
  EXPECT_LT(error.message().size(), 150u);
}

TEST_F(CsvReader, HintsCanBeTypedAndHelp) {
  EXPECT_EQ(refused("a,b\n1,$x\n1,2\n").hint(), "--na '$x' --missing drop-rows");
  EXPECT_EQ(refused("a,b\n1,`id`\n1,2\n").hint(), "--na '`id`' --missing drop-rows");
  EXPECT_EQ(refused("a,b\n1,it's $x\n1,2\n").hint(), "--na TOKEN --missing drop-rows");
  // Values are not called gaps, and what a spreadsheet writes for an error is no comment.
  for (const char* value : {"50%", "$5", "12:30", "2024-01-05"})
    EXPECT_EQ(refused(fmt::format("a,b\n1,{}\n1,2\n", value)).hint(),
              "write it as a plain number, or leave the column out: --exclude b");
  EXPECT_EQ(refused("a,b\n#DIV/0!,1\n1,2\n").hint(),
            "write it as a plain number, or leave the column out: --exclude a");
  EXPECT_EQ(refused("a,b\n1,2\n#N/A,1\n").hint(), "--na \"#N/A\" --missing drop-rows");
  EXPECT_EQ(refused("a,b\n1,x\n1,2\n", {.known = {"a", "b"}}).hint(), "--na \"x\"");
  EXPECT_EQ(refused("a;b\n1;2,5\n1;2\n", {.known = {"a", "b"}}).hint(), "--decimal ,");
  // Commas that separate no thousands are text.
  EXPECT_EQ(refused("a,b\n1,\"1,2,2\"\n1,\"3,4,5\"\n").code(), "columns.text");
  // A header of several names has commas between them itself.
  EXPECT_EQ(refused("a,b\n1,5,2,5\n").hint(), "");
  EXPECT_TRUE(holds(refused("a\n1,5\n").hint(), "--decimal ,"));
}

TEST_F(CsvReader, TextThatResemblesAnotherNotationCanBeLeftOut) {
  const std::string places = "a,place\n1,52.5 13.2\n2,48.1 11.6\n";
  const Error error = refused(places);
  EXPECT_TRUE(holds(error.hint(), "--delimiter ' ', if it is right: --exclude place")) << error.what();
  EXPECT_EQ(read(places, {.only_numeric = true}).names, Names{"a"});
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_TRUE(holds(warnings[0], "left out column \"place\": 2 of its cells are not numbers")) << warnings[0];
  // But not one that holds numbers too.
  EXPECT_EQ(refused("a,b\n1,2\n2,\"1,234\"\n", {.only_numeric = true}).hint(), "--thousands ,");
}

TEST_F(CsvReader, FindsTheDelimiter) {
  for (const char delimiter : {',', '\t', ';', '|'})
    EXPECT_EQ(read(fmt::format("a{0}\"b,;|\tc\"\n1{0}2\n", delimiter)).columns(), 2) << delimiter;
  EXPECT_EQ(refused("a,b;c\n1,2;3\n").code(), "csv.delimiter");
  EXPECT_EQ(read("a b\n1 2\n", {.delimiter = ' '}).columns(), 2);
}

TEST_F(CsvReader, HintsAtDecimalCommasAndReadsThem) {
  EXPECT_EQ(refused("a;b\n1.001,50;2\n1;2\n").hint(), "--decimal , --thousands .");
  EXPECT_EQ(refused("a;b\n1,5E+03;2\n1;2\n").hint(), "--decimal ,");
  EXPECT_EQ(refused("a;b\n1.001;2,5\n1;2\n", {.decimal = ','}).hint(), "--thousands .");
  // A comma in the header too: are these one column of decimal commas, or two of whole numbers?
  EXPECT_EQ(refused("p,q\n1,2\n3,4\n", {.decimal = ','}).code(), "csv.delimiter");
  EXPECT_EQ(read("1,2\n3,4\n", {.decimal = ',', .header = false}).values(1, 0), 3.4);
  EXPECT_NE(refused("a,b\n1,\"0,525\"\n", {.thousands = ','}).code(), "");
  EXPECT_EQ(refused("a;b\n1,5;2,5\n").hint(), "--decimal ,");
  EXPECT_EQ(read("a;b\n1,5;2,5\n", {.decimal = ','}).values(0, 1), 2.5);
  EXPECT_EQ(read("a\n1,5\n", {.decimal = ','}).values(0, 0), 1.5);
}

TEST_F(CsvReader, ListsAllColumnsOfTextAtOnce) {
  const std::string content = "id,date,v,w\nA,2020-01-01,1,2\nB,2020-01-02,3,4\n";
  const Error error = refused(content);
  expect_at(error, "columns.text", 2, 1);
  EXPECT_EQ(error.message(), "2 columns hold text, no numbers: \"id\", \"date\"");
  EXPECT_EQ(error.hint(), "--exclude id,date or --only-numeric; if \"id\" names the rows: --index-column id");
  EXPECT_EQ(read(content, {.exclude = {"id", "date"}}).names, (Names{"v", "w"}));
  EXPECT_EQ(read(content, {.only = {"w"}}).names, (Names{"w"}));
  EXPECT_EQ(read(content, {.only_numeric = true}).names, (Names{"v", "w"}));
  EXPECT_EQ(warnings.size(), 2u);
  EXPECT_EQ(refused("id,v\nA,1\nA,2\n").hint(), "--exclude id or --only-numeric");
}

TEST_F(CsvReader, KeepsTheNamesOfRowsApart) {
  const Table table = read("id,v\n\"A, b\",1\nB,2\n", {.index_column = "id"});
  EXPECT_EQ(table.index_name, "id");
  EXPECT_EQ(table.index, (Names{"A, b", "B"}));
  EXPECT_EQ(table.names, Names{"v"});
}

TEST_F(CsvReader, RefusesUnknownColumnsWithTheNearOnes) {
  const Error error = refused("electricity,water\n1,2\n", {.only = {"electrcity"}});
  EXPECT_EQ(error.fault(), Fault::usage);
  EXPECT_EQ(error.hint(), "did you mean \"electricity\"?");
}

TEST_F(CsvReader, TellsBinaryFilesAndForeignEncodingsApart) {
  using namespace std::string_literals;
  expect_at(refused("a,b\n1,2\r\n1,\0002\n"s), "text.nul", 3, 0);
  EXPECT_NE(refused("a,b\n1,\0002\n"s).message().find("byte 7 "), std::string::npos);
  EXPECT_EQ(refused("\x89PNG\r\n\x1a\n\0\0\0"s).code(), "text.binary");
  EXPECT_EQ(refused("\xff\xfe"
                    "a\0,\0"s)
                .code(),
            "text.encoding");
  expect_at(refused("a,temp \xb0"
                    "C\n1,2\n"),
            "text.encoding", 1, 2);
  EXPECT_EQ(read("a,temp \xb0"
                 "C\n1,2\n",
                 {.encoding = "latin1"})
                .names[1],
            "temp °C");
  for (const char* name : {"\xc0\xaf", "\xed\xa0\x80", "\xf5\x80\x80\x80", "\xe2\x82"})
    EXPECT_EQ(refused(std::string("a,") + name + "\n1,2\n").code(), "text.encoding") << name;
}

TEST_F(CsvReader, SaysWhyAFileCannotBeOpened) {
  folder.write("table.csv", "a\n1\n");
  const Error missing = error_of([&] { read_table(folder / "tabel.csv"); });
  EXPECT_EQ(missing.fault(), Fault::io);
  EXPECT_NE(missing.message().find("No such file or directory"), std::string::npos);
  EXPECT_NE(missing.hint().find("table.csv"), std::string::npos);
  const Error directory = error_of([&] { read_table(folder / "."); });
  EXPECT_EQ(directory.fault(), Fault::io);
  EXPECT_NE(directory.message().find("Is a directory"), std::string::npos);
}

TEST_F(CsvReader, TakesAnyFileName) {
  for (const char* name : {"with space.csv", "quote\".csv", "new\nline.csv", "*[1].csv", "\xff.csv", "-x.csv"})
    EXPECT_EQ(read_table(folder.write(name, "a,b\n1,2\n")).columns(), 2) << name;
}

TEST_F(CsvReader, RefusesOptionsThatContradictEachOther) {
  EXPECT_EQ(refused("a\n1\n", {.delimiter = ',', .decimal = ','}).fault(), Fault::usage);
  EXPECT_EQ(refused("a\n1\n", {.delimiter = '"'}).fault(), Fault::usage);
  EXPECT_EQ(refused("a\n1\n", {.thousands = '.'}).fault(), Fault::usage);
  EXPECT_EQ(refused("a\n1\n", {.encoding = "ebcdic"}).fault(), Fault::usage);
  EXPECT_EQ(refused("a\n1\n", {.exclude = {"a"}}).fault(), Fault::usage);
}

// Whatever the bytes: a table that reads back the same after being written, or an Error about the input.
TEST_F(CsvReader, AnswersAnyBytesWithATableOrAnError) {
  using namespace std::string_view_literals;
  constexpr std::string_view tame = "12,\n", wild = "aab1112.,,,,;\t|\"\"\r\n\n\n\n- e#+\0\xff\xc3\xa9"sv;
  Random random(0, "any bytes");
  int tables = 0;
  for (int run = 0; run < 2000; ++run) {
    const std::string_view alphabet = run % 2 == 0 ? tame : wild;
    std::string content = run % 4 < 2 ? "a,b\n" : "";
    for (Index length = random.below(run % 2 == 0 ? 10 : 24); length > 0; --length)
      content += alphabet[static_cast<std::size_t>(random.below(static_cast<Index>(alphabet.size())))];
    Table table;
    try {
      table = read(content);
    } catch (const Error& error) {
      ASSERT_EQ(error.fault(), Fault::input) << error.what();
      continue;
    }
    ++tables;
    ASSERT_GT(table.rows(), 0);
    ASSERT_EQ(table.columns(), static_cast<Index>(table.names.size()));
    ASSERT_FALSE(table.values.array().isInf().any());
    const std::string written = to_csv(table);
    ASSERT_EQ(to_csv(read(written)), written) << content;
  }
  EXPECT_GT(tables, 100);
}

}  // namespace
