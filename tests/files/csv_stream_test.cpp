// Reading in blocks against reading whole: the same rows or the same complaint, whatever the size of the blocks.
#include "files/csv_stream.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstring>

#include "cda/extend/random.hpp"
#include "support.hpp"

namespace {

using namespace cda;
using data_tests::error_of;
using data_tests::Names;

class Streaming : public testing::Test {
 protected:
  struct Streamed {
    Matrix rows;
    Names names, warnings;
    int blocks = 0;
  };

  Streamed stream(const std::string& content, std::size_t block_bytes, const ReadOptions& options = {}) const {
    InputFile file(folder.write("x.csv", content));
    CsvStream blocks(file, options, {.threads = 2, .least_bytes = 16}, block_bytes);
    Streamed all{Matrix(0, static_cast<Index>(blocks.names().size())), blocks.names(), {}, 0};
    for (Matrix rows; blocks.next(rows); ++all.blocks) {
      Matrix joined(all.rows.rows() + rows.rows(), rows.cols());
      joined << all.rows, rows;
      all.rows = joined;
    }
    all.warnings = blocks.warnings();
    return all;
  }

  void expect_as_whole(const std::string& content, const ReadOptions& options = {}) const {
    std::vector<std::string> warnings;
    const Table whole = read_table(folder.write("x.csv", content), options, &warnings);
    for (const std::size_t bytes : {1, 2, 3, 7, 20, 100, 100'000}) {
      const Streamed found = stream(content, bytes, options);
      EXPECT_EQ(found.names, whole.names);
      EXPECT_EQ(found.warnings, warnings) << bytes;
      ASSERT_EQ(found.rows.rows(), whole.rows()) << "blocks of " << bytes;
      const auto size = sizeof(double) * static_cast<std::size_t>(whole.values.size());
      EXPECT_EQ(std::memcmp(found.rows.data(), whole.values.data(), size), 0) << "blocks of " << bytes;
    }
  }

  void expect_refused_as_whole(const std::string& content, const ReadOptions& options = {}) const {
    const Error whole = error_of([&] { read_table(folder.write("x.csv", content), options); });
    for (const std::size_t bytes : {1, 2, 5, 30, 100'000}) {
      const Error error = error_of([&] { stream(content, bytes, options); });
      EXPECT_STREQ(error.what(), whole.what()) << "blocks of " << bytes;
      EXPECT_EQ(error.hint(), whole.hint());
      EXPECT_EQ(error.code(), whole.code());
      EXPECT_EQ(error.place().line, whole.place().line) << "blocks of " << bytes;
      EXPECT_EQ(error.place().column, whole.place().column);
    }
  }

  data_tests::Folder folder;
};

std::string many_rows(const char* line_end, int rows = 40) {
  Random random(4, "csv stream");
  std::string text = "a,b,c" + std::string(line_end);
  for (int i = 0; i < rows; ++i) text += fmt::format("{},{},{:.3f}{}", i, random.normal(), random.normal(), line_end);
  return text;
}

TEST_F(Streaming, GivesTheRowsOfTheWholeFile) {
  for (const char* line_end : {"\n", "\r\n", "\r"}) {
    expect_as_whole(many_rows(line_end));
    expect_as_whole(many_rows(line_end) + "7,8,9");
    expect_as_whole(many_rows(line_end) + line_end + line_end);
  }
  expect_as_whole("\xef\xbb\xbf" + many_rows("\n"));
  EXPECT_GT(stream(many_rows("\n"), 50).blocks, 10);
}

TEST_F(Streaming, FollowsQuotesAcrossBlocks) {
  std::string text = "name,value\n";
  for (int i = 0; i < 20; ++i) text += fmt::format("\"a \"\"{}\"\",\r\n\n, b\",\"{}\"\r\n", i, 0.1 * i);
  expect_as_whole(text, {.exclude = {"name"}});
  expect_as_whole("# \"\na,b\n1,2\n# it's \"\n3,4\n\n5,6\n", {.comment = '#'});
}

TEST_F(Streaming, TakesBlankLinesOfOneColumnForMissingValues) {
  expect_as_whole("a\n\n1\n\n\n2\n3\n\n");
  expect_as_whole("\n\na\r\n1\r\n\r\n2\r\n\r\n");
}

TEST_F(Streaming, ReadsOtherNotationsAndEncodings) {
  expect_as_whole("a;b\n1,5;-999\n 2 ;NA\n;3\n", {.delimiter = ';', .decimal = ',', .missing_tokens = {"-999"}});
  expect_as_whole("gr\xf6\xdf\x65,b\n1,2\n3,4\n", {.encoding = "latin1"});
}

TEST_F(Streaming, RefusesInTheSameWords) {
  expect_refused_as_whole(many_rows("\n") + "1,2\n" + many_rows("\n"));
  expect_refused_as_whole(many_rows("\n") + "1,x\"y,3\n1,2\n");
  expect_refused_as_whole(many_rows("\r\n") + "1,\"2,3\r\n1,2\r\n");
  expect_refused_as_whole(many_rows("\n") + "1,oops,3\n4,5,6\nno,5,1e999\n");
  expect_refused_as_whole("");
  expect_refused_as_whole("a,b\n");
  expect_refused_as_whole("a,b\n\n\n");
  expect_refused_as_whole("a,b\n1,2\n3" + std::string(1, '\0') + ",4\n");
  expect_refused_as_whole("a,b\n1,2\n", {.encoding = "klingon"});
}

TEST_F(Streaming, TellsByTheFirstBlockWhetherTextCouldNameRows) {
  const std::string text = "a,b\nx,1\ny,2\n";
  const Error whole = error_of([&] { read_table(folder.write("x.csv", text)); });
  EXPECT_STREQ(error_of([&] { stream(text, 100'000); }).what(), whole.what());
  EXPECT_EQ(error_of([&] { stream(text, 1); }).message(), whole.message());
}

TEST_F(Streaming, DecidesByTheFirstBlockWhichColumnsHoldText) {
  const std::string text = "a,b,c\n1,x,2\n3,y,4\n5,z,6\n";
  const Streamed found = stream(text, 100'000, {.only_numeric = true});
  EXPECT_EQ(found.names, (Names{"a", "c"}));
  Matrix expected(3, 2);
  expected << 1, 2, 3, 4, 5, 6;
  EXPECT_EQ(found.rows, expected);
  EXPECT_EQ(found.warnings.size(), 1u);
  const Error late = error_of([&] { stream("a,b\n1,2\n3,4\n5,x\n", 8, {.only_numeric = true}); });
  EXPECT_EQ(late.code(), "csv.number");
  EXPECT_EQ(late.place().line, 4);
}

TEST_F(Streaming, LeavesOutTheNamesOfRowsAndRefusesTextAsNumbers) {
  EXPECT_EQ(stream("id,a\nx,1\ny,2\n", 8, {.index_column = "id"}).names, (Names{"a"}));
  EXPECT_EQ(error_of([&] { stream("id,a\nx,1\n", 8, {.encode = {{"id"}}}); }).code(), "stream.encode");
}

TEST_F(Streaming, FindsTheLastRowEnd) {
  EXPECT_EQ(last_row_end("1,2\n3", 0), 4u);
  EXPECT_EQ(last_row_end("1,2\r\n3", 0), 5u);
  EXPECT_EQ(last_row_end("1,2\r", 0), 0u);
  EXPECT_EQ(last_row_end("1\r2\r", 0), 2u);
  EXPECT_EQ(last_row_end("1,2", 0), 0u);
  EXPECT_EQ(last_row_end("1,\"\n\"\n\"\n", 0), 6u);
  EXPECT_EQ(last_row_end("\"a\"\r\n\"b\"\r", 0), 5u);
  EXPECT_EQ(last_row_end("# \"\n1,2\n", '#'), 8u);
  EXPECT_EQ(last_row_end("# \"\n1,2\n", 0), 0u);
}

}  // namespace
