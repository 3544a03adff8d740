#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

#include "cda/extend/random.hpp"
#include "cda/files.hpp"
#include "files/support.hpp"

namespace {

using namespace cda;
using data_tests::error_of;
using data_tests::Folder;

constexpr double missing = std::numeric_limits<double>::quiet_NaN();

Table with_holes() {
  Matrix values(3, 3);
  values << 1, missing, 3,  //
      4, 5, 6,              //
      7, missing, missing;
  Table table = make_table(values, {"a", "b", "c"});
  table.index_name = "id";
  table.index = {"r1", "r2", "r3"};
  return table;
}

TEST(SpreadsheetSafe, DisarmsFormulasAndLeavesNumbersAndOtherTextAlone) {
  for (const char* formula : {"=1+2", "+1", "-x", "@sum", "\tx", "\rx"})
    EXPECT_EQ(spreadsheet_safe(formula), std::string("'") + formula);
  for (const char* plain : {"", "a", "-1.5", "-2e3", "1=2", "'=1"}) EXPECT_EQ(spreadsheet_safe(plain), plain);
}

TEST(Table, IsNamedByPrefixUnlessNamesAreGiven) {
  EXPECT_EQ(make_table(Matrix::Zero(1, 2), {}, "y").names, (std::vector<std::string>{"y1", "y2"}));
  EXPECT_EQ(error_of([] { make_table(Matrix::Zero(1, 2), {"a"}); }).fault(), Fault::usage);
  EXPECT_EQ(error_of([] { make_table(Matrix::Zero(1, 2), {"a", "a"}); }).fault(), Fault::usage);
  EXPECT_EQ(error_of([] { make_table(Matrix::Constant(1, 1, HUGE_VAL)); }).fault(), Fault::input);
}

TEST(Table, KeepsTheSelectedColumnsInTheOrderAskedFor) {
  Table table = with_holes();
  table.select_columns({2, 0});
  EXPECT_EQ(table.names, (std::vector<std::string>{"c", "a"}));
  EXPECT_EQ(table.values(1, 0), 6.0);
  EXPECT_EQ(table.values(1, 1), 4.0);
  EXPECT_EQ(error_of([&] { table.select_columns({2}); }).fault(), Fault::usage);
}

TEST(MissingCells, AreCountedPerColumnWhenRefused) {
  const Error error = error_of([] { without_missing(with_holes(), Missing::refuse); });
  EXPECT_EQ(error.fault(), Fault::input);
  EXPECT_EQ(error.message(), "3 cells are missing: 2 in \"b\", 1 in \"c\"");
  EXPECT_EQ(error.hint(), "--missing drop-rows");
}

TEST(MissingCells, GoWithTheirRowsAndTheRowsNames) {
  std::vector<std::string> remarks;
  const Table table = without_missing(with_holes(), Missing::drop_rows, &remarks);
  ASSERT_EQ(table.rows(), 1);
  EXPECT_EQ(table.values(0, 1), 5.0);
  EXPECT_EQ(table.index, std::vector<std::string>{"r2"});
  EXPECT_EQ(remarks, std::vector<std::string>{"left out 2 of 3 rows, which have missing cells"});
}

TEST(MissingCells, GoWithTheirColumns) {
  std::vector<std::string> remarks;
  const Table table = without_missing(with_holes(), Missing::drop_columns, &remarks);
  EXPECT_EQ(table.names, std::vector<std::string>{"a"});
  EXPECT_EQ(table.rows(), 3);
  EXPECT_EQ(remarks.size(), 2u);
}

TEST(MissingCells, AreFilledWithTheMeanOfWhatIsThere) {
  const Table table = without_missing(with_holes(), Missing::mean);
  EXPECT_EQ(table.values(0, 1), 5.0);
  EXPECT_EQ(table.values(2, 2), 4.5);
  EXPECT_EQ(table.values(2, 0), 7.0);
  // The sum of these overflows, their mean does not.
  Matrix large(3, 1);
  large << 1.5e308, 1.5e308, missing;
  EXPECT_DOUBLE_EQ(without_missing(make_table(large), Missing::mean).values(2, 0), 1.5e308);
}

TEST(MissingCells, AreFilledWithOneMeanInAnyOrderOfRows) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  Vector values(8);
  values << 0.1, 1e16, 0.3, -1e16, 0.7, 1e-3, 3.0, nan;
  const double mean = without_missing(make_table(Matrix(values)), Missing::mean).values(7, 0);
  std::sort(values.data(), values.data() + 7);
  do EXPECT_EQ(without_missing(make_table(Matrix(values)), Missing::mean).values(7, 0), mean);
  while (std::next_permutation(values.data(), values.data() + 4));
}

TEST(MissingCells, ThatLeaveNothingAreAnError) {
  const Table empty = make_table(Matrix::Constant(2, 1, missing));
  for (const Missing policy : {Missing::refuse, Missing::drop_rows, Missing::drop_columns, Missing::mean})
    EXPECT_EQ(error_of([&] { without_missing(empty, policy); }).code(), "table.missing");
}

TEST(MissingCells, AreTreatedByNameInAnySpelling) {
  EXPECT_EQ(missing_policy("drop-rows"), Missing::drop_rows);
  EXPECT_EQ(missing_policy("drop_columns"), Missing::drop_columns);
  EXPECT_EQ(error_of([] { missing_policy("drop-row"); }).hint(), "did you mean drop-rows?");
}

// A model fitted with drop-columns kept the encoding of a column that was gone, and could not be read back.
TEST(Table, ForgetsEncodingsWhoseColumnsAreAllGone) {
  Matrix values(1, 4);
  values << 1, 0, 0, 1;
  Table table = make_table(values, {"a=x", "a=y", "b=x", "b=y"});
  table.encodings = {{"a", {"x", "y"}}, {"b", {"x", "y"}}};
  table.select_columns({3});
  EXPECT_EQ(table.encodings, (std::vector<Encoding>{{"b", {"x", "y"}}}));
}

TEST(CsvWriter, RoundTripIsExactToTheBit) {
  Random random(5, "round trip");
  Matrix values(400, 3);
  for (Index i = 0; i < values.rows(); ++i) {
    // Any bit pattern that is a finite number: denormals, all exponents, both signs.
    double any = 0.0;
    do any = std::bit_cast<double>(random.bits());
    while (!std::isfinite(any));
    values.row(i) << any, random.normal(), static_cast<double>(i) / 7.0;
  }
  values(0, 0) = 4.9406564584124654e-324;
  values(1, 0) = -0.0;
  values(2, 0) = 1.7976931348623157e308;
  values(3, 0) = 2.2250738585072011e-308;
  const Folder folder;
  const Table table = make_table(values, {"<html>", "with \"quotes\", comma\nand line", " #; | \t"});
  const Table back = read_table(folder.write("x.csv", to_csv(table)));
  EXPECT_EQ(back.names, table.names);
  ASSERT_EQ(back.values.size(), values.size());
  EXPECT_EQ(std::memcmp(back.values.data(), values.data(), sizeof(double) * static_cast<std::size_t>(values.size())),
            0);
}

TEST(CsvWriter, KeepsMissingCellsAndRowNames) {
  const Folder folder;
  const Table table = with_holes();
  EXPECT_EQ(to_csv(table), "id,a,b,c\nr1,1,,3\nr2,4,5,6\nr3,7,,\n");
  const Table back = read_table(folder.write("x.csv", to_csv(table)), {.index_column = "id"});
  EXPECT_EQ(back.index, table.index);
  EXPECT_EQ(back.missing_cells(), 3);
}

TEST(CsvWriter, KeepsTheRowsOfASingleColumnApartFromBlankLines) {
  const Folder folder;
  Matrix values(3, 1);
  values << missing, 2, missing;
  const Table back = read_table(folder.write("x.csv", to_csv(make_table(values))));
  ASSERT_EQ(back.rows(), 3);
  EXPECT_EQ(back.missing_cells(), 2);
}

}  // namespace
