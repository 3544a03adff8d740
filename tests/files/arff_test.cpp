#include <fmt/format.h>

#include <cmath>

#include "files/support.hpp"

namespace {

using namespace cda;
using namespace cda::data_tests;

class Arff : public TableFile {
 protected:
  Arff() : TableFile("x.arff") {}
  // Rows of two columns of numbers, a and b; the first row is in line 5.
  static std::string two(const std::string& rows) {
    return "@relation r\n@attribute a numeric\n@attribute b real\n@data\n" + rows;
  }
  // Rows of a number and a category, red or blue; the first row is in line 4.
  static std::string kinds(const std::string& rows) {
    return "@attribute a numeric\n@attribute kind {red,blue}\n@data\n" + rows;
  }
  const ReadOptions encoded{.encode = {{"kind"}}};
};

TEST_F(Arff, ReadsEveryTypeThereIs) {
  const std::string content =
      "@relation r\n@attribute n numeric\n@attribute r real\n@attribute i integer\n@attribute k {x,y}\n"
      "@attribute s string\n@attribute d date \"yyyy-MM-dd\"\n@data\n1.5,-2e3,7,x,hello,\"2020-01-01\"\n2,3,4,y,'a "
      "b',?\n";
  EXPECT_EQ(refused(content).message(), "3 columns hold text, no numbers: \"k\", \"s\", \"d\"");
  const Table table = read(content, {.exclude = {"d"}, .index_column = "s", .encode = {{"k"}}});
  EXPECT_EQ(table.names, (Names{"n", "r", "i", "k=x", "k=y"}));
  EXPECT_EQ(table.index, (Names{"hello", "a b"}));
  EXPECT_EQ(table.values.row(0), Eigen::RowVectorXd({{1.5, -2000, 7, 1, 0}}));
  EXPECT_EQ(read(content, {.only_numeric = true}).columns(), 3);
}

TEST_F(Arff, TakesKeywordsInAnyCaseAndAnyLineEnd) {
  const Table expected = read(two("1,2\n3,4\n"));
  for (const char* content :
       {"@RELATION r\r\n@ATTRIBUTE a NUMERIC\r\n@Attribute b Real\r\n@DATA\r\n1,2\r\n3,4\r\n",
        "@relation r\r@attribute a numeric\r@attribute b real\r@data\r1,2\r3,4",
        "\xef\xbb\xbf@relation r\n@attribute a numeric\n@attribute b real\n@data\n1,2\n3,4",
        "\n  @relation\tr\n\t@attribute\ta\tnumeric\n@attribute  b \t real\t\n\n@data\t\n\n 1 ,\t2 \n\n3,4\t\n\n"})
    EXPECT_TRUE(same_table(read(content), expected)) << content;
}

TEST_F(Arff, ValuesMayBeSeparatedByTabs) {
  EXPECT_TRUE(same_table(read(two("1\t2\n3 \t 4\t\n")), read(two("1,2\n3,4\n"))));
}

TEST_F(Arff, SkipsComments) {
  const std::string content =
      "% one\n@relation r % two\n@attribute a numeric % three\n  % four\n@attribute b real\n@data\n% five\n1,2 % "
      "six\n3,4%seven\n";
  EXPECT_TRUE(same_table(read(content), read(two("1,2\n3,4\n"))));
  EXPECT_EQ(read(kinds("1,red % not blue\n"), encoded).values(0, 1), 1.0);
  EXPECT_EQ(read("@attribute a string\n@attribute b real\n@data\n'50 % of it',1\n", {.index_column = "a"}).index,
            Names{"50 % of it"});
}

TEST_F(Arff, TakesNamesAndValuesInQuotes) {
  const std::string content =
      "@attribute 'it\\'s a' numeric\n@attribute \"b %, {c}\" numeric\n@attribute s string\n@data\n"
      "'1',\"2\",'tab\\tline\\nquote\\\"back\\\\slash, ?'\n3,4,\"it's\"\n5,6,'?'\n7,8,''\n";
  const Table table = read(content, {.index_column = "s"});
  EXPECT_EQ(table.names, (Names{"it's a", "b %, {c}"}));
  EXPECT_EQ(table.values(0, 1), 2.0);
  EXPECT_EQ(table.index, (Names{"tab\tline\nquote\"back\\slash, ?", "it's", "?", ""}));
}

TEST_F(Arff, RefusesQuotesThatAreNotClosed) {
  expect_at(refused(two("1,2\n'3,4\n5,6\n")), "arff.quote", 6, 0);
  expect_at(refused(two("1,\"2\\\"\n")), "arff.quote", 5, 0);
  expect_at(refused("@attribute 'a numeric\n@data\n1\n"), "arff.quote", 1, 0);
  expect_at(refused(two("1,'2'3\n")), "arff.row", 5, 0);
}

TEST_F(Arff, CategoriesMayFollowTheNameDirectly) {
  const std::string rows = "\n@data\nred\n'dark blue'\nred\n";
  for (const char* attribute :
       {"@attribute kind{red,'dark blue'}", "@attribute kind { red , dark blue }",
        "@attribute 'kind'{\"red\",'dark blue'} % colours", "@attribute kind\t{red,\t'dark blue'}"})
    EXPECT_EQ(read(attribute + rows, encoded).names, (Names{"kind=dark blue", "kind=red"})) << attribute;
}

TEST_F(Arff, RefusesCategoriesThatWereNotDeclared) {
  const Error error = refused(kinds("1,red\n2,green\n"), encoded);
  expect_at(error, "arff.category", 5, 2);
  EXPECT_EQ(error.message(), "\"green\" is not among the declared values of \"kind\"");
  expect_at(refused(kinds("1,Red\n"), encoded), "arff.category", 4, 2);
  expect_at(refused("@attribute kind {red,blue\n@data\nred\n", encoded), "arff.header", 1, 0);
  expect_at(refused("@attribute kind {red,,blue}\n@data\nred\n", encoded), "arff.header", 1, 0);
  expect_at(refused("@attribute kind {}\n@data\nred\n", encoded), "arff.category", 3, 1);
}

TEST_F(Arff, AQuestionMarkIsMissingAndSoIsWhatOneSays) {
  EXPECT_EQ(read(two("?,2\n1, ? \n")).missing_cells(), 2);
  EXPECT_EQ(read(two("-999,2\n1,n/a\n"), {.missing_tokens = {"-999", "n/a"}}).missing_cells(), 2);
  EXPECT_EQ(read(kinds("1,?\n2,red\n"), encoded).missing_cells(), 1);
  for (const char* rows : {"1,\n", ",1\n", "1,'?'\n", "1,NA\n", "1,NaN\n"})
    EXPECT_EQ(refused(two(rows)).code(), "arff.value") << rows;
  expect_at(refused("@attribute s string\n@attribute b real\n@data\n,1\n", {.exclude = {"s"}}), "arff.value", 4, 1);
}

TEST_F(Arff, NamesThePlaceOfAValueThatIsNoNumber) {
  const Error error = refused(two("1,2\n\n% comment\n3,oops\n"));
  expect_at(error, "arff.value", 8, 2);
  EXPECT_EQ(error.message(), "expected a number in column \"b\", got \"oops\"");
  EXPECT_EQ(error.hint(), "write ? for a missing value");
  expect_at(refused(two("1e999,2\n")), "arff.value", 5, 1);
  expect_at(refused(two("1,-inf\n")), "arff.value", 5, 2);
  expect_at(refused(two("1,0x10\n")), "arff.value", 5, 2);
  expect_at(refused(two("1,2 3\n")), "arff.value", 5, 2);
  expect_at(refused(two("1," + std::string(5000, '1') + "\n")), "arff.value", 5, 2);
}

TEST_F(Arff, RefusesRowsThatAreLongerOrShorterThanTheAttributes) {
  const Error shorter = refused(two("1,2\n3\n")), longer = refused(two("1,2\n3,4,5\n"));
  expect_at(shorter, "arff.ragged", 6, 0);
  expect_at(longer, "arff.ragged", 6, 0);
  EXPECT_EQ(shorter.message(), "row has 1 values, there are 2 attributes");
  expect_at(refused(two("1,2,\n")), "arff.ragged", 5, 0);
}

TEST_F(Arff, ReadsSparseRows) {
  const Table table = read(two("{0 1.5, 1 -2}\n{1 3}\n{}\n{ 0 ? }\n{0\t7,}\n1,2\n"));
  ASSERT_EQ(table.rows(), 6);
  EXPECT_EQ(table.values.row(0), Eigen::RowVectorXd({{1.5, -2}}));
  EXPECT_EQ(table.values.row(1), Eigen::RowVectorXd({{0, 3}}));
  EXPECT_EQ(table.values.row(2), Eigen::RowVectorXd({{0, 0}}));
  EXPECT_TRUE(std::isnan(table.values(3, 0)));
  EXPECT_EQ(table.values.row(4), Eigen::RowVectorXd({{7, 0}}));
  EXPECT_EQ(table.values.row(5), Eigen::RowVectorXd({{1, 2}}));
}

// As in Weka: the first category has the number 0, and zeros are what a sparse row leaves out.
TEST_F(Arff, ASparseRowLeavesOutTheFirstCategory) {
  const Table table = read(kinds("{0 5}\n{0 6, 1 blue}\n{1 'red'}\n"), encoded);
  EXPECT_EQ(table.names, (Names{"a", "kind=blue", "kind=red"}));
  EXPECT_EQ(table.values.col(1), Eigen::Vector3d(0, 1, 0));
  EXPECT_EQ(table.values.col(2), Eigen::Vector3d(1, 0, 1));
}

TEST_F(Arff, RefusesSparseRowsThatAreNot) {
  for (const char* row : {"{2 1}", "{-1 1}", "{0.5 1}", "{1 1, 0 1}", "{0 1, 0 2}", "{x 1}", "{1}", "{0 1", "{0 1} 2",
                          "{0 1}}", "{-1e300 1}", "{1e300 1}", "{nan 1}", "{0 1,, 1 2}", "{0 1},2", "{0 1}{2}", "{"})
    expect_at(refused(two(std::string("{0 1}\n") + row + "\n")), "arff.row", 6, 0);
  expect_at(refused(two("{0 1, 1 oops}\n")), "arff.value", 5, 2);
}

TEST_F(Arff, SaysThatWeightsOfRowsAreNotUsed) {
  const Table plain = read(two("1,2\n3,0\n"));
  EXPECT_TRUE(same_table(read(two("1,2,{2.5}\n{0 3}, {7}\n")), plain));
  EXPECT_EQ(warnings, Names{folder / "x.arff" + ": 2 rows have a weight, which is not used: all rows count alike"});
  EXPECT_TRUE(same_table(read(two("1,2, { 1 } % none\n3,0,{1.0}\n")), plain));
  EXPECT_TRUE(warnings.empty());
  for (const char* row : {"1,2,{2", "1,2,{}", "1,2,{x}", "1,2,{2} 3", "{0 1},{x}"})
    expect_at(refused(two(std::string(row) + "\n")), "arff.row", 5, 0);
}

TEST_F(Arff, RefusesHeadersThatAreNotWhole) {
  EXPECT_EQ(refused("@relation r\n@attribute a numeric\n").message(), "the file ends before @data");
  EXPECT_EQ(refused("").code(), "arff.header");
  expect_at(refused("@relation r\n@data\n1\n"), "arff.header", 2, 0);
  expect_at(refused("@relation r\n1,2\n"), "arff.header", 2, 0);
  expect_at(refused("@attribute a\n@data\n1\n"), "arff.type", 1, 0);
  expect_at(refused("@attribute a relational\n@data\n1\n"), "arff.type", 1, 0);
  EXPECT_EQ(refused(two("")).code(), "table.no-rows");
  EXPECT_EQ(refused(kinds("% nothing\n")).code(), "table.no-rows");
  EXPECT_EQ(refused("@attribute a real\n@attribute a real\n@data\n1,2\n").code(), "columns.duplicate-name");
}

TEST_F(Arff, ReadsOtherEncodingsWhenToldSo) {
  const std::string content = "@attribute \xe9t\xe9 numeric\n@data\n1\n";
  expect_at(refused(content), "text.encoding", 1, 0);
  EXPECT_EQ(read(content, {.encoding = "latin1"}).names, Names{"été"});
}

TEST_F(Arff, IsFoundByNameOrAskedFor) {
  const std::string path = folder.write("x.data", two("1,2\n"));
  EXPECT_EQ(read_table(path, {.format = "arff"}).columns(), 2);
  EXPECT_EQ(read(gzip_of(two("1,2\n"))).columns(), 2);
}

}  // namespace
