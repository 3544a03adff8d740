#include "cda/extend/table_moments.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "cda/extend/random.hpp"
#include "files/support.hpp"
#include "table/moment_sums.hpp"

namespace {

using namespace cda;
using data_tests::error_of;
using data_tests::Names;

// Skewed and mixed, with offsets and units of all kinds.
Table long_table(Index rows, std::uint64_t seed = 1) {
  Random random(seed, "long table");
  Matrix values = random.normals(rows, 4);
  values.col(1) = (values.col(1) + 0.5 * values.col(0)).array().exp();
  values.col(2) = 1e9 + values.col(2).array() + 0.3 * values.col(0).array();
  values.col(3) = 1e-150 * values.col(3);
  return make_table(values, {"a", "b", "far", "small"});
}

Matrix plain_covariance(const Matrix& values, const Vector& scale) {
  const Matrix scaled = values * scale.asDiagonal();
  const Matrix centred = scaled.rowwise() - scaled.colwise().mean();
  return centred.transpose() * centred / static_cast<double>(values.rows());
}

void expect_same_bits(const TableMoments& a, const TableMoments& b) {
  EXPECT_EQ(a.rows, b.rows);
  EXPECT_EQ(a.columns.lowest, b.columns.lowest);
  EXPECT_EQ(a.columns.highest, b.columns.highest);
  EXPECT_EQ(a.columns.mean, b.columns.mean);
  EXPECT_EQ(a.columns.covariance, b.columns.covariance);
  EXPECT_EQ(a.some_rows.values, b.some_rows.values);
  EXPECT_EQ(a.some_rows.names, b.some_rows.names);
}

TEST(TableMoments, AreThoseOfTheRows) {
  const Table table = long_table(10'000);
  const TableMoments found = moments_of(table, Executor(2));
  Vector scale(4);
  scale << 1.0, 1.0, 1.0, 1e150;
  const Matrix expected = plain_covariance(table.values, scale);
  EXPECT_EQ(found.rows, 10'000);
  EXPECT_EQ(found.columns.lowest, Vector(table.values.colwise().minCoeff().transpose()));
  EXPECT_EQ(found.columns.highest, Vector(table.values.colwise().maxCoeff().transpose()));
  const Vector mean = (table.values.rowwise() - table.values.row(0)).colwise().mean().transpose();
  EXPECT_LT(((found.columns.mean - table.values.row(0).transpose() - mean).cwiseProduct(scale)).cwiseAbs().maxCoeff(),
            1e-6);  // of a column near 1e9 a double holds no more
  const Matrix covariance = scale.asDiagonal() * found.columns.covariance * scale.asDiagonal();
  // The plain sums round at 1e9, ours do not.
  EXPECT_LT((covariance - expected).cwiseAbs().maxCoeff(), 1e-6 * expected.cwiseAbs().maxCoeff());
}

TEST(TableMoments, DoNotDependOnThreadsOrBlocks) {
  const Table table = long_table(30'000);
  const TableMoments expected = moments_of(table, Executor(1));
  expect_same_bits(moments_of(table, Executor(3)), expected);
  for (const Index block : {1000, 4096, 5000, 12'345}) {
    MomentSums sums(table.names, Executor(2));
    for (Index begin = 0; begin < table.rows(); begin += block)
      sums.add(table.values.middleRows(begin, std::min(block, table.rows() - begin)));
    TableMoments found{sums.rows(), sums.finished(), table};
    found.some_rows.values = sums.some_rows();
    expect_same_bits(found, expected);
  }
}

TEST(TableMoments, KeepTheSameRowsInWhateverOrderTheyCome) {
  const Table table = long_table(60'000);
  Table turned = table;
  turned.values = table.values(Random(2, "order").permutation(table.rows()), Eigen::all);
  const TableMoments a = moments_of(table), b = moments_of(turned);
  EXPECT_EQ(a.some_rows.rows(), TableMoments::kept_rows);
  EXPECT_EQ(a.some_rows.values, b.some_rows.values);
  EXPECT_LT((a.columns.covariance - b.columns.covariance).norm(), 1e-12 * a.columns.covariance.norm());
  turned = table;
  turned.select_columns({2, 0, 3, 1});
  Matrix back = moments_of(turned).some_rows.values;
  EXPECT_EQ(Matrix(back(Eigen::all, std::vector<Index>{1, 3, 0, 2})), a.some_rows.values);
}

TEST(TableMoments, KeepsEveryRowOfAShortTable) {
  const Table table = long_table(5'000);
  Matrix kept = moments_of(table).some_rows.values, all = table.values;
  std::sort(kept.col(0).begin(), kept.col(0).end());
  std::sort(all.col(0).begin(), all.col(0).end());
  EXPECT_EQ(Vector(kept.col(0)), Vector(all.col(0)));
}

TEST(TableMoments, KeepRepeatedRowsByTheirShare) {
  Matrix values(100'000, 1);
  for (Index i = 0; i < values.rows(); ++i) values(i, 0) = i % 10 == 0 ? 7.0 : i % 10 < 4 ? 1.0 : -3.0;
  const Matrix kept = moments_of(make_table(values)).some_rows.values;
  EXPECT_EQ(kept.rows(), TableMoments::kept_rows);
  const auto share = [&](double value) { return static_cast<double>((kept.array() == value).count()) / 20'000.0; };
  EXPECT_NEAR(share(7.0), 0.1, 1e-4);
  EXPECT_NEAR(share(1.0), 0.3, 1e-4);
  EXPECT_NEAR(share(-3.0), 0.6, 1e-4);
}

TEST(TableMoments, OfRowsThatAreKeptAreNearThoseOfAll) {
  const TableMoments found = moments_of(long_table(100'000));
  const Vector column = found.some_rows.values.col(1);
  // A share of rows chosen at random: four standard errors of the mean.
  EXPECT_NEAR(column.mean(), found.columns.mean[1], 4.0 * std::sqrt(found.columns.covariance(1, 1) / 20'000.0));
}

TEST(TableMoments, AreNotFiniteWhereACellIsNot) {
  Table table = long_table(9'000);
  table.values(8'000, 0) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(moments_of(table).columns.covariance.allFinite());
}

class MomentsOfFiles : public testing::Test {
 protected:
  std::string file(const Table& table, const std::string& name = "x.csv") { return folder.write(name, to_csv(table)); }
  data_tests::Folder folder;
};

TEST_F(MomentsOfFiles, AreThoseOfTheTable) {
  const Table table = long_table(9'000);
  const TableMoments expected = moments_of(table);
  expect_same_bits(read_moments({file(table)}), expected);
  expect_same_bits(read_moments({folder.write("x.csv.gz", data_tests::gzip_of(to_csv(table)))}), expected);
  EXPECT_EQ(read_moments({file(table)}).some_rows.source, folder / "x.csv");
}

TEST_F(MomentsOfFiles, JoinPartsByTheNamesOfTheirColumns) {
  const Table table = long_table(9'000);
  Table first = table, second = table;
  first.values = table.values.topRows(5'000);
  second.values = table.values.bottomRows(4'000);
  second.select_columns({3, 2, 1, 0});
  expect_same_bits(read_moments({file(first), file(second, "y.csv")}), moments_of(table));
  second.select_columns({0, 1});
  EXPECT_EQ(error_of([&] { read_moments({file(first), file(second, "y.csv")}); }).code(), "parts.columns");
}

TEST_F(MomentsOfFiles, TellOfFurtherColumnsInAPartAsTablesDo) {
  const std::vector<std::string> parts{folder.write("1.csv", "a,b\n1,2\n3,4\n"),
                                       folder.write("2.csv", "z,b,a\n9,6,5\n9,8,7\n")};
  std::vector<std::string> of_moments, of_table;
  EXPECT_EQ(read_moments(parts, {}, Missing::refuse, &of_moments).rows, 4);
  read_table(parts, {}, &of_table);
  EXPECT_EQ(of_moments.size(), 1u);
  EXPECT_EQ(of_moments, of_table);
}

TEST_F(MomentsOfFiles, RefuseOrDropRowsWithMissingCells) {
  const std::string path = folder.write("x.csv", "a,b\n1,2\n,3\n4,NA\n5,6\n");
  const Error error = error_of([&] { read_moments({path}); });
  EXPECT_EQ(error.code(), "table.missing");
  EXPECT_NE(error.message().find("1 in \"a\", 1 in \"b\""), std::string::npos) << error.what();
  std::vector<std::string> remarks;
  const TableMoments found = read_moments({path}, {}, Missing::drop_rows, nullptr, &remarks);
  EXPECT_EQ(found.rows, 2);
  EXPECT_EQ(remarks, (Names{path + ": left out 2 of 4 rows, which have missing cells"}));
  EXPECT_EQ(error_of([&] { read_moments({path}, {}, Missing::mean); }).code(), "stream.missing");
}

TEST_F(MomentsOfFiles, SizeIsToldByTheBeginning) {
  const Table table = long_table(40'000);
  const std::string path = file(table), text = folder.read("x.csv");
  const auto size = likely_size({path});
  ASSERT_TRUE(size);
  EXPECT_EQ(size->columns, 4);
  EXPECT_NEAR(static_cast<double>(size->rows), 40'000.0, 2'000.0);
  EXPECT_EQ(size->text_bytes, text.size());
  EXPECT_EQ(likely_size({file(long_table(10))})->rows, 10);
  EXPECT_FALSE(likely_size({folder.write("x.csv.gz", data_tests::gzip_of(text))}));
  EXPECT_FALSE(likely_size({folder.write("bad.csv", "a,b\n1\n")}));
  EXPECT_FALSE(likely_size({"-"}));
}

TEST_F(MomentsOfFiles, StopWhenAskedTo) {
  const std::string path = file(long_table(100));
  EXPECT_EQ(error_of([&] {
              read_moments({path}, {}, Missing::refuse, nullptr, nullptr, [](Index) { return false; });
            }).code(),
            "interrupted");
}

}  // namespace
