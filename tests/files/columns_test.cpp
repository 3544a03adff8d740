#include "files/columns.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "cda/files.hpp"
#include "support.hpp"

namespace {

using namespace cda;
using namespace cda::data_tests;
using RowVector = Eigen::RowVectorXd;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

RawColumn text(const std::string& name, const Names& texts) { return {.name = name, .texts = texts}; }

// Columns of numbers are added to the matrix as they come.
RawTable raw(const std::string& file, std::vector<std::pair<std::string, std::vector<double>>> numbers,
             std::vector<RawColumn> texts = {}) {
  RawTable table{.file = file};
  table.rows = static_cast<Index>(texts.empty() ? numbers.front().second.size() : texts.front().texts.size());
  table.numbers.resize(table.rows, static_cast<Index>(numbers.size()));
  table.columns = std::move(texts);
  Index j = 0;
  for (auto& [name, values] : numbers) {
    table.numbers.col(j) = Eigen::Map<const Vector>(values.data(), table.rows);
    table.columns.push_back({.name = name, .numbers = j++});
  }
  return table;
}

class Columns : public testing::Test {
 protected:
  Table assembled(std::vector<RawTable> parts, const ReadOptions& options = {}) {
    warnings.clear();
    for (RawTable& part : parts) choose_columns(part, options);
    return assembled_table(stacked(std::move(parts)), options, warnings);
  }
  Table assembled(RawTable table, const ReadOptions& options = {}) {
    std::vector<RawTable> parts;
    parts.push_back(std::move(table));
    return assembled(std::move(parts), options);
  }
  template <class Tables>
  Error refused(Tables tables, const ReadOptions& options = {}) {
    return error_of([&] { assembled(std::move(tables), options); });
  }
  std::vector<std::string> warnings;
};

TEST_F(Columns, AreTakenAsTheyAreUnlessSomethingIsAsked) {
  const Table table = assembled(raw("f", {{"a", {1, 2}}, {"b", {3, nan}}}));
  EXPECT_EQ(table.names, (Names{"a", "b"}));
  EXPECT_EQ(table.values(1, 0), 2.0);
  EXPECT_TRUE(std::isnan(table.values(1, 1)));
  EXPECT_EQ(table.source, "f");
  EXPECT_TRUE(warnings.empty());
}

TEST_F(Columns, WithoutNameAreNumberedAndToldOf) {
  EXPECT_EQ(assembled(raw("f", {{"a", {1}}, {"", {2}}})).names, (Names{"a", "col_2"}));
  EXPECT_EQ(warnings, Names{"f: column 2 has no name and is called col_2"});
}

TEST_F(Columns, OfOneNameAreRefusedOrToldApart) {
  const auto table = [] { return raw("f", {{"a", {1}}, {"a", {2}}, {"a_2", {3}}, {"a", {4}}}); };
  const Error error = refused(table());
  EXPECT_EQ(error.code(), "columns.duplicate-name");
  EXPECT_EQ(error.message(), "columns 1 and 2 are both named \"a\"");
  EXPECT_EQ(error.place().column, 2);
  EXPECT_EQ(assembled(table(), {.dedupe_names = true}).names, (Names{"a", "a_3", "a_2", "a_4"}));
}

TEST_F(Columns, HaveNamesOfText) {
  EXPECT_EQ(refused(raw("f", {{"a\xff", {1}}})).code(), "text.encoding");
  EXPECT_EQ(refused(raw("f", {{std::string(5000, 'a'), {1}}})).code(), "columns.name-too-long");
}

TEST_F(Columns, AreChosenByName) {
  const auto table = [] { return raw("f", {{"a", {1}}, {"b", {2}}, {"c", {3}}}); };
  EXPECT_EQ(assembled(table(), {.only = {"c", "a"}}).names, (Names{"a", "c"}));
  EXPECT_EQ(assembled(table(), {.only = {"c", "a"}}).values(0, 1), 3.0);
  EXPECT_EQ(assembled(table(), {.exclude = {"b"}}).names, (Names{"a", "c"}));
  EXPECT_EQ(assembled(table(), {.only = {"a", "b"}, .exclude = {"b"}}).names, (Names{"a"}));
  EXPECT_EQ(refused(table(), {.exclude = {"a", "b", "c"}}).code(), "columns.none-left");
}

TEST_F(Columns, ThatAreAskedForHaveToBeThere) {
  const auto table = [] { return raw("f", {{"alpha", {1}}, {"beta", {2}}}); };
  const Error near = refused(table(), {.only = {"alhpa"}}), far = refused(table(), {.exclude = {"temperature"}});
  EXPECT_EQ(near.code(), "columns.unknown");
  EXPECT_EQ(near.fault(), Fault::usage);
  EXPECT_EQ(near.hint(), "did you mean \"alpha\"?");
  EXPECT_EQ(far.hint(), "it has \"alpha\", \"beta\"");
  EXPECT_EQ(refused(table(), {.index_column = "day"}).code(), "columns.unknown");
  EXPECT_EQ(refused(table(), {.encode = {{"day"}}}).code(), "columns.unknown");
}

TEST_F(Columns, AModelDoesNotKnowAreIgnoredWithOneWarning) {
  RawTable table = raw("f", {{"a", {1}}, {"more", {2}}}, {text("note", {"hello"})});
  EXPECT_EQ(assembled(std::move(table), {.known = {"a", "gone"}}).names, Names{"a"});
  EXPECT_EQ(warnings, Names{"f: ignored 2 columns the model does not know: \"note\", \"more\""});
  assembled(raw("f", {{"a", {1}}, {"more", {2}}}), {.known = {"a"}});
  EXPECT_EQ(warnings, Names{"f: ignored a column the model does not know: \"more\""});
}

TEST_F(Columns, AModelDoesNotKnowAreListedUpToTen) {
  std::vector<std::pair<std::string, std::vector<double>>> numbers{{"a", {1}}};
  for (int i = 0; i < 20; ++i) numbers.push_back({fmt::format("more{}", i), {1}});
  assembled(raw("f", numbers), {.known = {"a"}});
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_TRUE(holds(warnings[0], "ignored 20 columns"));
  EXPECT_TRUE(holds(warnings[0], "\"more9\", ..."));
}

TEST_F(Columns, OfTextAreRefusedAllAtOnce) {
  const auto table = [] { return raw("f", {{"a", {1, 2}}}, {text("id", {"x", "y"}), text("kind", {"", "k"})}); };
  const Error error = refused(table());
  EXPECT_EQ(error.code(), "columns.text");
  EXPECT_EQ(error.message(), "2 columns hold text, no numbers: \"id\", \"kind\"");
  EXPECT_EQ(error.hint(), "--exclude id,kind or --only-numeric; if \"id\" names the rows: --index-column id");
  EXPECT_EQ(error.place().column, 1);
  EXPECT_EQ(refused(table(), {.exclude = {"id"}}).message(),
            "column \"kind\" holds text, no numbers (the first is \"k\")");
}

TEST_F(Columns, OfTextDoNotNameTheRowsWhenTheyRepeat) {
  EXPECT_EQ(refused(raw("f", {{"a", {1, 2}}}, {text("id", {"x", "x"})})).hint(), "--exclude id or --only-numeric");
}

TEST_F(Columns, WithNamesAShellWouldReadOtherwiseAreNotPutIntoAHint) {
  EXPECT_EQ(refused(raw("f", {{"a", {1, 2}}}, {text("x; rm", {"p", "p"})})).hint(), "--only-numeric");
}

TEST_F(Columns, OfTextAreLeftOutWhenAsked) {
  const Table table = assembled(raw("f", {{"a", {1}}}, {text("id", {"x"})}), {.only_numeric = true});
  EXPECT_EQ(table.names, Names{"a"});
  EXPECT_EQ(warnings, Names{"f: left out column \"id\": it holds text (the first is \"x\")"});
  EXPECT_EQ(refused(raw("f", {}, {text("id", {"x"})}), {.only_numeric = true}).code(), "columns.none-left");
}

TEST_F(Columns, WithoutRowsAreCalledThatAlsoWhenTheyHoldText) {
  EXPECT_EQ(refused(raw("f", {{"a", {}}})).code(), "table.no-rows");
  EXPECT_EQ(refused(raw("f", {}, {text("id", {})})).code(), "table.no-rows");
}

TEST_F(Columns, MayNameTheRows) {
  const Table texts = assembled(raw("f", {{"a", {1, 2}}}, {text("id", {"x", ""})}), {.index_column = "id"});
  EXPECT_EQ(texts.index_name, "id");
  EXPECT_EQ(texts.index, (Names{"x", ""}));
  EXPECT_EQ(texts.names, Names{"a"});
  const Table numbers = assembled(raw("f", {{"year", {1990, 0.5}}, {"a", {1, 2}}}), {.index_column = "year"});
  EXPECT_EQ(numbers.index, (Names{"1990", "0.5"}));
  EXPECT_EQ(numbers.values(1, 0), 2.0);
}

TEST_F(Columns, ThatTheFileSaysNameTheRowsDoSoUnlessAnotherDoes) {
  const auto table = [] {
    RawTable made = raw("f", {{"a", {1, 2}}}, {text("index", {"r1", "r2"}), text("id", {"x", "y"})});
    made.columns[0].names_rows = true;
    return made;
  };
  EXPECT_EQ(assembled(table(), {.exclude = {"id"}}).index, (Names{"r1", "r2"}));
  EXPECT_EQ(assembled(table(), {.index_column = "id"}).index, (Names{"x", "y"}));
  EXPECT_TRUE(assembled(table(), {.only = {"a"}}).index.empty());
  EXPECT_TRUE(assembled(table(), {.exclude = {"index", "id"}}).index.empty());
  EXPECT_EQ(assembled(table(), {.exclude = {"id"}, .encode = {{"index"}}}).names, (Names{"index=r1", "index=r2", "a"}));
}

// They were left out with a warning, as all that a model does not know.
TEST_F(Columns, ThatNameTheRowsStayWhenOnlyKnownOnesAreTaken) {
  RawTable table = raw("f", {{"a", {1, 2}}}, {text("index", {"r1", "r2"})});
  table.columns[0].names_rows = true;
  EXPECT_EQ(assembled(std::move(table), {.known = {"a"}}).index, (Names{"r1", "r2"}));
  EXPECT_TRUE(warnings.empty());
}

TEST_F(Columns, OfTextBecomeOneOfZeroAndOnePerCategory) {
  const Table table =
      assembled(raw("f", {{"a", {1, 2, 3, 4}}}, {text("kind", {"red", "", "blue", "red"})}), {.encode = {{"kind"}}});
  EXPECT_EQ(table.names, (Names{"kind=blue", "kind=red", "a"}));
  EXPECT_EQ(table.encodings, (std::vector<Encoding>{{"kind", {"blue", "red"}}}));
  EXPECT_EQ(table.values.row(0), RowVector({{0, 1, 1}}));
  EXPECT_EQ(table.values.row(2), RowVector({{1, 0, 3}}));
  EXPECT_TRUE(std::isnan(table.values(1, 0)) && std::isnan(table.values(1, 1)));
  EXPECT_EQ(table.values(1, 2), 2.0);
  EXPECT_TRUE(warnings.empty());
}

TEST_F(Columns, HaveTheCategoriesThatAreGivenInTheirOrder) {
  const Table table = assembled(raw("f", {}, {text("kind", {"red", "green", "blue"})}),
                                {.encode = {{"kind", {"red", "blue", "white"}}}});
  EXPECT_EQ(table.names, (Names{"kind=red", "kind=blue", "kind=white"}));
  EXPECT_EQ(table.values.row(2), RowVector({{0, 1, 0}}));
  EXPECT_EQ(table.values.row(1).array().isNaN().count(), 3);
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_EQ(
      warnings[0],
      "f: column \"kind\": one text in 1 row is not among the categories of the model and counts as missing there "
      "(the first is \"green\")");
}

TEST_F(Columns, OfNumbersCanBeCategoriesToo) {
  const Table table = assembled(raw("f", {{"floor", {2, 1, nan, 2.5}}}), {.encode = {{"floor"}}});
  EXPECT_EQ(table.names, (Names{"floor=1", "floor=2", "floor=2.5"}));
  EXPECT_EQ(table.values.row(0), RowVector({{0, 1, 0}}));
  EXPECT_TRUE(std::isnan(table.values(2, 0)));
}

// In files whose format has no word for it, too.
TEST_F(Columns, CellsThatStandForMissingOnesAreTakenOut) {
  const auto table = [] {
    return raw("f", {{"a", {1, -999, 3, 1.5}}, {"b", {-999, 2, 3, 4}}},
               {text("kind", {"NA", "unknown", "x", ""}), text("id", {"NA", "-999", "c", "d"})});
  };
  const Table found =
      assembled(table(), {.missing_tokens = {"-999", "1.50", "unknown"}, .index_column = "id", .encode = {{"kind"}}});
  EXPECT_EQ(found.names, (Names{"kind=x", "a", "b"}));
  EXPECT_EQ(found.missing_cells(), 3 + 2 + 1);
  EXPECT_TRUE(std::isnan(found.values(1, 1)) && std::isnan(found.values(3, 1)) && std::isnan(found.values(0, 2)));
  EXPECT_EQ(found.index, (Names{"NA", "-999", "c", "d"}));  // names are names
}

TEST_F(Columns, InSinglePrecisionHoldMissingOnesToo) {
  const double single = static_cast<double>(-99.9F);
  EXPECT_EQ(assembled(raw("f", {{"a", {1, single, -99.9}}}), {.missing_tokens = {"-99.9"}}).missing_cells(), 2);
}

TEST_F(Columns, ThatNameTheRowsAreNotEncodedToo) {
  const Error error =
      refused(raw("f", {{"a", {1, 2}}}, {text("id", {"x", "y"})}), {.index_column = "id", .encode = {{"id"}}});
  EXPECT_EQ(error.code(), "columns.uses");
  EXPECT_EQ(error.fault(), Fault::usage);
}

TEST_F(Columns, MayHoldAnythingWhereTheyAreNotUsed) {
  const auto table = [] {
    RawTable made = raw("f", {{"a", {1, 2}}, {"b", {1, std::numeric_limits<double>::infinity()}}});
    made.columns.push_back({.name = "day", .fault = Error(Fault::input, "x.type", "it holds dates")});
    return made;
  };
  EXPECT_EQ(refused(table()).code(), "x.type");
  EXPECT_EQ(refused(table()).hint(), "--exclude day leaves it out");
  EXPECT_EQ(refused(table(), {.exclude = {"day"}}).message(), "row 2 of column \"b\" is infinite");
  EXPECT_EQ(assembled(table(), {.exclude = {"day", "b"}}).names, Names{"a"});
  EXPECT_EQ(assembled(table(), {.exclude = {"b"}, .only_numeric = true}).names, Names{"a"});
  EXPECT_EQ(warnings, Names{"f: left out column \"day\": it holds dates"});
}

TEST_F(Columns, AModelTakesNumbersFromAreNotSaidToBeLeftOut) {
  const Error error = refused(raw("f", {{"b", {1, 2}}}, {text("a", {"x", "y"})}), {.known = {"a", "b"}});
  EXPECT_EQ(error.code(), "columns.text");
  EXPECT_EQ(error.hint(), "--na TOKEN, if that text means missing");
}

TEST(Typed, IsWhatAShellTakesForTheName) {
  EXPECT_EQ(typed("/group/data"), "/group/data");
  EXPECT_EQ(typed("temp °C"), "'temp °C'");
  EXPECT_EQ(typed("a;b"), "'a;b'");
  for (const char* name : {"", "it's", "a\nb", "a\"b", "a\xff", "a\x1b[2J"}) EXPECT_EQ(typed(name), "NAME") << name;
  EXPECT_EQ(typed(std::string(200, 'a')), "NAME");
}

TEST_F(Columns, OfTooManyCategoriesAreRefused) {
  Names texts;
  for (int i = 0; i < 1001; ++i) texts.push_back(std::to_string(i));
  const Error error = refused(raw("f", {}, {text("id", texts)}), {.encode = {{"id"}}});
  EXPECT_EQ(error.code(), "columns.categories");
  EXPECT_TRUE(holds(error.message(), "1001 different texts"));
  texts.pop_back();
  EXPECT_EQ(assembled(raw("f", {}, {text("id", texts)}), {.encode = {{"id"}}}).columns(), 1000);
}

// A model would have been saved with no categories, and have learnt new ones from the rows it is given later.
TEST_F(Columns, WithoutAnyCategoryAreRefused) {
  const Error error = refused(raw("f", {{"a", {1, 2}}}, {text("kind", {"", ""})}), {.encode = {{"kind"}}});
  EXPECT_EQ(error.code(), "columns.categories");
  EXPECT_EQ(error.message(), "column \"kind\" holds no text to encode");
}

TEST_F(Columns, EncodedMustNotMeetOthersOfTheirName) {
  const auto table = [] { return raw("f", {{"kind=red", {1}}}, {text("kind", {"red"})}); };
  EXPECT_EQ(refused(table(), {.encode = {{"kind"}}}).code(), "columns.duplicate-name");
}

TEST_F(Columns, UsedAsTextHaveToBeText) {
  const auto table = [] { return raw("f", {{"a", {1}}}, {text("id", {"\xe9t\xe9"})}); };
  EXPECT_EQ(refused(table(), {.index_column = "id"}).code(), "text.encoding");
  EXPECT_EQ(refused(table(), {.encode = {{"id"}}}).code(), "text.encoding");
  EXPECT_EQ(assembled(table(), {.exclude = {"id"}}).names, Names{"a"});
}

TEST_F(Columns, OfSeveralPartsStandBelowEachOtherByName) {
  std::vector<RawTable> parts;
  parts.push_back(raw("f", {{"a", {1, 2}}, {"b", {3, 4}}}, {text("id", {"x", "y"}), text("kind", {"p", "q"})}));
  parts.push_back(raw("g", {{"b", {5}}, {"a", {6}}}, {text("kind", {"r"}), text("id", {"z"})}));
  const Table table = assembled(std::move(parts), {.index_column = "id", .encode = {{"kind"}}});
  EXPECT_EQ(table.names, (Names{"kind=p", "kind=q", "kind=r", "a", "b"}));
  EXPECT_EQ(table.index, (Names{"x", "y", "z"}));
  EXPECT_EQ(table.values.row(0), RowVector({{1, 0, 0, 1, 3}}));
  EXPECT_EQ(table.values.row(2), RowVector({{0, 0, 1, 6, 5}}));
  EXPECT_TRUE(warnings.empty());
}

TEST_F(Columns, OfCategoriesMayBeNumbersInOnePartAndTextInAnother) {
  std::vector<RawTable> parts;
  parts.push_back(raw("f", {{"floor", {1, 2}}}));
  parts.push_back(raw("g", {}, {text("floor", {"2", "roof"})}));
  const Table table = assembled(std::move(parts), {.encode = {{"floor"}}});
  EXPECT_EQ(table.names, (Names{"floor=1", "floor=2", "floor=roof"}));
  EXPECT_EQ(table.values.row(2), RowVector({{0, 1, 0}}));
}

TEST_F(Columns, MissingInAPartAreRefusedAndFurtherOnesLeftOut) {
  std::vector<RawTable> less, more, several;
  for (auto* parts : {&less, &more, &several}) parts->push_back(raw("f", {{"a", {1}}, {"b", {2}}}));
  less.push_back(raw("g", {{"a", {3}}}));
  const Error error = refused(std::move(less));
  EXPECT_EQ(error.code(), "parts.columns");
  EXPECT_EQ(error.place().file, "g");
  EXPECT_EQ(error.message(), "there is no column \"b\" as in f, the first part of the table");
  more.push_back(raw("g", {{"c", {5}}, {"b", {4}}, {"a", {3}}}));
  EXPECT_EQ(assembled(std::move(more)).values.row(1), RowVector({{3, 4}}));
  EXPECT_EQ(warnings, Names{"g: 1 column is not in f, the first part, and is left out"});
  several.push_back(raw("g", {{"c", {5}}, {"b", {4}}, {"a", {3}}, {"d", {6}}}));
  assembled(std::move(several));
  EXPECT_EQ(warnings, Names{"g: 2 columns are not in f, the first part, and are left out"});
}

TEST_F(Columns, TheUsualTokensForMissingCells) {
  for (const char* token : {"", "NA", "N/A", "NaN", "null", "."}) EXPECT_TRUE(usual_missing_token(token)) << token;
  for (const char* token : {"n/a", "-", "?", "na", " "}) EXPECT_FALSE(usual_missing_token(token)) << token;
}

}  // namespace
