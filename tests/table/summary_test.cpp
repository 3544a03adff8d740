// What is said of a table's columns.
#include "cda/extend/summary.hpp"

#include <cmath>
#include <limits>
#include <numeric>

#include "cda/extend/format.hpp"
#include "files/support.hpp"

namespace cda {
namespace {

using data_tests::Folder;

std::vector<ColumnSummary> summary_of(const std::string& csv, const ReadOptions& options = {}) {
  const Folder folder;
  return summarise(read_columns({folder.write("x.csv", csv)}, options));
}

TEST(Summary, CountsMissingAndDistinctValues) {
  const auto columns = summary_of("a,b\n1,5\n,5\n3,5\n1,5\n");
  ASSERT_EQ(columns.size(), 2U);
  EXPECT_EQ(columns[0].missing, 1);
  EXPECT_EQ(columns[0].distinct, 2);
  EXPECT_EQ(columns[1].distinct, 1);
}

TEST(Summary, GivesRangeMedianMeanAndDeviation) {
  const auto columns = summary_of("a\n1\n2\n3\n10\n");
  EXPECT_DOUBLE_EQ(columns[0].lowest, 1.0);
  EXPECT_DOUBLE_EQ(columns[0].median, 2.5);
  EXPECT_DOUBLE_EQ(columns[0].mean, 4.0);
  EXPECT_DOUBLE_EQ(columns[0].highest, 10.0);
  EXPECT_NEAR(columns[0].deviation, std::sqrt(50.0 / 3.0), 1e-14);
}

TEST(Summary, HistogramHoldsEveryValueOnceAndTheEndsInTheOutermostBins) {
  const auto columns = summary_of("a\n0\n1\n2\n16\n\n");
  EXPECT_EQ(columns[0].histogram[0], 1);
  EXPECT_EQ(columns[0].histogram[1], 1);
  EXPECT_EQ(columns[0].histogram[2], 1);
  EXPECT_EQ(columns[0].histogram[15], 1);
  EXPECT_EQ(std::accumulate(columns[0].histogram.begin(), columns[0].histogram.end(), Index{0}), 4);
}

TEST(Summary, StaysFiniteAtTheEdgeOfWhatADoubleHolds) {
  const auto columns = summary_of("a\n-1.7e308\n1.7e308\n1.7e308\n");
  EXPECT_TRUE(std::isfinite(columns[0].median) && std::isfinite(columns[0].mean) &&
              std::isfinite(columns[0].deviation));
  EXPECT_NEAR(columns[0].mean / 1.7e308, 1.0 / 3.0, 1e-12);
  EXPECT_EQ(columns[0].histogram[15], 2);
}

TEST(Summary, AColumnWithoutValuesHasNoRange) {
  const auto columns = summary_of("a,b\n,1\n,2\n");
  EXPECT_EQ(columns[0].missing, 2);
  EXPECT_EQ(columns[0].distinct, 0);
}

TEST(Summary, ListsTheMostFrequentTexts) {
  const auto columns = summary_of("a,c\n1,red\n2,blue\n3,red\n4,\n", {.encode = {{"c"}}});
  ASSERT_EQ(columns.size(), 2U);
  EXPECT_TRUE(columns[1].text);
  EXPECT_EQ(columns[1].missing, 1);
  EXPECT_EQ(columns[1].distinct, 2);
  EXPECT_EQ(columns[1].categories.front(), (std::pair<std::string, Index>{"red", 2}));
}

}  // namespace
}  // namespace cda
