// Reading on several threads: whatever the blocks and the threads, the same table or the same complaint.
#include "files/csv_rows.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstring>

#include "cda/extend/random.hpp"
#include "files/csv_reader.hpp"
#include "support.hpp"

namespace {

using namespace cda;
using data_tests::error_of;
using data_tests::Names;

constexpr std::size_t whole = std::size_t{1} << 40;  // bytes of a block: one block

RawTable read(const std::string& text, const ReadOptions& options, int threads, std::size_t block_bytes) {
  return read_csv(text, "x.csv", options, {threads, block_bytes});
}

void expect_same(const RawTable& a, const RawTable& b) {
  EXPECT_EQ(a.rows, b.rows);
  EXPECT_EQ(a.warnings, b.warnings);
  ASSERT_EQ(a.numbers.rows(), b.numbers.rows());
  ASSERT_EQ(a.numbers.cols(), b.numbers.cols());
  const auto bytes = sizeof(double) * static_cast<std::size_t>(a.numbers.size());
  EXPECT_EQ(std::memcmp(a.numbers.data(), b.numbers.data(), bytes), 0);
  ASSERT_EQ(a.columns.size(), b.columns.size());
  for (std::size_t j = 0; j < a.columns.size(); ++j) {
    EXPECT_EQ(a.columns[j].name, b.columns[j].name);
    EXPECT_EQ(a.columns[j].texts, b.columns[j].texts);
    EXPECT_EQ(a.columns[j].use, b.columns[j].use);
  }
}

void expect_same_in_any_blocks(const std::string& text, const ReadOptions& options = {}) {
  const RawTable expected = read(text, options, 1, whole);
  for (const int threads : {2, 3, 7})
    for (const std::size_t bytes : {std::size_t{1}, std::size_t{2}, std::size_t{5}, std::size_t{17}, std::size_t{64}})
      expect_same(read(text, options, threads, bytes), expected);
}

void expect_same_complaint_in_any_blocks(const std::string& text, const std::string& code, long line,
                                         const ReadOptions& options = {}) {
  const Error expected = error_of([&] { read(text, options, 1, whole); });
  EXPECT_EQ(expected.code(), code) << expected.what();
  EXPECT_EQ(expected.place().line, line) << expected.what();
  for (const int threads : {2, 5})
    for (const std::size_t bytes : {std::size_t{1}, std::size_t{3}, std::size_t{10}, std::size_t{40}}) {
      const Error error = error_of([&] { read(text, options, threads, bytes); });
      EXPECT_STREQ(error.what(), expected.what()) << threads << " threads, blocks of " << bytes;
      EXPECT_EQ(error.hint(), expected.hint());
      EXPECT_EQ(error.place().line, expected.place().line);
      EXPECT_EQ(error.place().column, expected.place().column);
    }
}

// Numbers of all lengths, short, long, signed, with exponents.
std::string many_rows(const char* line_end, int rows = 60) {
  Random random(3, "csv rows");
  std::string text = "a,b,c" + std::string(line_end);
  for (int i = 0; i < rows; ++i)
    text += fmt::format("{},{:.{}f},{:e}{}", i, random.normal(), i % 20, random.normal() * 1e20, line_end);
  return text;
}

TEST(CsvRows, EveryKindOfLineEndAcrossTheBordersOfBlocks) {
  for (const char* line_end : {"\n", "\r\n", "\r"}) {
    expect_same_in_any_blocks(many_rows(line_end));
    const std::string text = many_rows(line_end);
    expect_same_in_any_blocks(text.substr(0, text.size() - std::strlen(line_end)));
    expect_same_in_any_blocks(many_rows(line_end) + line_end + line_end);
  }
}

TEST(CsvRows, QuotedLineEndsAndDelimitersAcrossTheBordersOfBlocks) {
  std::string text = "name,value\n";
  for (int i = 0; i < 40; ++i) text += fmt::format("\"a \"\"{}\"\",\r\n\n, b\",\"{}\"\r\n", i, 0.1 * i);
  expect_same_in_any_blocks(text, {.index_column = "name"});
  expect_same_in_any_blocks(text, {.exclude = {"name"}});
  expect_same_in_any_blocks(text, {.encode = {{"name"}}});
}

TEST(CsvRows, BlankLinesAndCommentsTakeNoRows) {
  std::string text = "a,b\n";
  for (int i = 0; i < 30; ++i)
    text += fmt::format("{},{}\n{}{}", i, 2 * i, i % 3 == 0 ? "\n\r\n" : "", i % 4 ? "" : "# \"x\n");
  expect_same_in_any_blocks(text, {.comment = '#'});
  EXPECT_EQ(read(text, {.comment = '#'}, 3, 8).rows, 30);
}

TEST(CsvRows, BlankLinesOfOneColumnAreMissingValues) {
  expect_same_in_any_blocks("a\n\n1\n\n\n2\n3\n\n");
  EXPECT_EQ(read("a\n\n1\n\n\n2\n3\n\n", {}, 3, 2).rows, 6);
}

TEST(CsvRows, MissingTokensAndOtherNotations) {
  expect_same_in_any_blocks("a;b\n1,5;-999\n 2 ;NA\n;3\n1.234,5;4\n",
                            {.delimiter = ';', .decimal = ',', .thousands = '.', .missing_tokens = {"-999"}});
  expect_same_in_any_blocks("a,b,\n1,2,\n3,4,\n", {.ignore_trailing_delimiter = true});
}

TEST(CsvRows, TheFirstFaultIsToldWhereverItIs) {
  const std::string fine = many_rows("\n", 10);  // 11 lines
  expect_same_complaint_in_any_blocks(fine + "1,2\n3,4,5,6\n" + fine, "csv.ragged", 12);
  expect_same_complaint_in_any_blocks(fine + "1,2,3,4\n1,x\"y,3\n", "csv.ragged", 12);
  expect_same_complaint_in_any_blocks(fine + "1,x\"y,3\n1,2\n", "csv.quote", 12);
  expect_same_complaint_in_any_blocks(fine + "1,\"x\ny\"z,3\n1,2\n", "csv.quote", 13);
  expect_same_complaint_in_any_blocks(fine + "1,2,3\n1,\"2,3\n1,2\n4,5,6\n", "csv.unterminated-quote", 13);
  expect_same_complaint_in_any_blocks(fine + "1,\"2\n\",3\n1,2\n4,5,6\n", "csv.ragged", 14);
}

TEST(CsvRows, CellsAtFaultAreCountedOverAllBlocks) {
  const std::string fine = many_rows("\r\n", 10);
  expect_same_complaint_in_any_blocks(fine + "1,2,3\r\n1,oops,3\r\noh,2,no\r\n1,2,3\r\n", "csv.number", 13);
  expect_same_complaint_in_any_blocks(fine + "1,1e999,3\r\noh,2,no\r\n", "csv.number-range", 12);
  expect_same_complaint_in_any_blocks("a,b\nx,1\ny,2\nz,3\n", "columns.text", 2);
  expect_same_in_any_blocks("a,b\n1,1\n2,2\nz,3\n4,4\n", {.only_numeric = true});
}

TEST(CsvRows, TheHintForTheFirstRowIsGivenForTheFirstRowOnly) {
  expect_same_complaint_in_any_blocks("a,b\n\n\n\n\n\nx,1,2\n", "csv.ragged", 7);
  expect_same_complaint_in_any_blocks("a,b\n1,2\nx,1,2\n", "csv.ragged", 3);
}

TEST(CsvRows, CutsAreAfterLineEndsOutsideQuotes) {
  const std::string text = "1,2\r\n3,\"4\n\"\"5\"\n6,7\r8,9\n";
  for (std::size_t pieces = 1; pieces < 30; ++pieces) {
    std::string joined;
    for (const std::string_view piece : cut_at_line_ends(text, pieces, 0)) {
      EXPECT_TRUE(piece.front() == '1' || piece.front() == '3' || piece.front() == '6' || piece.front() == '8')
          << piece;
      joined += piece;
    }
    EXPECT_EQ(joined, text);
  }
  EXPECT_EQ(cut_at_line_ends(text, 20, 0).size(), 4u);
  EXPECT_EQ(cut_at_line_ends(text, 20, '#').size(), 1u);
}

TEST(CsvRows, CountsLinesByAllTheirEnds) {
  EXPECT_EQ(lines_in(""), 0);
  EXPECT_EQ(lines_in("a"), 1);
  EXPECT_EQ(lines_in("a\nb\r\nc\rd"), 4);
  EXPECT_EQ(lines_in("a\n\n\r\r\n"), 4);
}

}  // namespace
