// What a report shows of the tables, compared with the plain sums over their rows.
#include "cda/extend/fit_summary.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>

#include "cda/fit.hpp"
#include "model/seal.hpp"
#include "support/samples.hpp"

using namespace cda;
using cda::test::skewed_rows;

namespace {

struct Fitted {
  Table x = make_table(skewed_rows(211, 4, "x")), y = make_table(skewed_rows(180, 3, "y"), {}, "y");
  Model model = fit(x, y, {.method = "rCDA_M", .components = 3});
};

std::vector<double> sorted(const Eigen::Ref<const Vector>& values) {
  std::vector<double> increasing(values.begin(), values.end());
  std::sort(increasing.begin(), increasing.end());
  return increasing;
}

TEST(FitSummary, QuantilesAreThoseOfTheMappedRows) {
  const Fitted fitted;
  const FitSummary summary = summarise_fit(fitted.model, fitted.x, fitted.y);
  ASSERT_EQ(summary.pairs.size(), 3U);
  const Matrix values = fitted.model.transform(Side::x, fitted.x);
  for (Index j = 0; j < 3; ++j) {
    const std::vector<double> increasing = sorted(values.col(j));  // 211 of them: every level of 1/2 % is a value
    const Vector& quantiles = summary.pairs[static_cast<std::size_t>(j)].x_quantiles;
    for (Index level = 0; level <= 100; level += 10)
      EXPECT_NEAR(quantiles[level], increasing[static_cast<std::size_t>(level * 210 / 100)],
                  1e-5 * (1.0 + std::abs(quantiles[level])));
  }
}

TEST(FitSummary, DensitiesAreKernelSumsOverTheRows) {
  const Fitted fitted;
  const FitSummary summary = summarise_fit(fitted.model, fitted.x, fitted.y);
  const Matrix values = fitted.model.transform(Side::y, fitted.y);
  const PairSummary& pair = summary.pairs[1];
  const std::vector<double> rows = sorted(values.col(1));
  const double count = static_cast<double>(rows.size());
  double mean = 0.0, squares = 0.0;
  for (const double value : rows) mean += value / count;
  for (const double value : rows) squares += (value - mean) * (value - mean) / count;
  const auto quantile = [&](double level) {
    const double place = level * (count - 1.0);
    const auto below = static_cast<std::size_t>(place);
    return rows[below] + (place - std::floor(place)) * (rows[std::min(below + 1, rows.size() - 1)] - rows[below]);
  };
  const double width =
      0.45 * std::min(std::sqrt(squares), (quantile(0.75) - quantile(0.25)) / 1.349) * std::pow(count, -0.2);
  double mass = 0.0, highest = pair.y_density.maxCoeff();
  for (Index i = 0; i < PairSummary::points; ++i) {
    double sum = 0.0;
    for (const double value : rows) sum += std::exp(-0.5 * std::pow((pair.grid[i] - value) / width, 2));
    EXPECT_NEAR(pair.y_density[i], sum / (count * width * std::sqrt(2.0 * M_PI)), 0.02 * highest);  // bins are not rows
    mass += pair.y_density[i] * (pair.grid[1] - pair.grid[0]);
  }
  EXPECT_GT(mass, 0.97);
  EXPECT_LT(mass, 1.01);
}

TEST(FitSummary, JointCellsCountTheRowsInThem) {
  const Fitted fitted;
  const FitSummary summary = summarise_fit(fitted.model, fitted.x, fitted.y);
  ASSERT_EQ(summary.joint.size(), 3U);
  const JointBins& bins = summary.joint[2];
  EXPECT_EQ(bins.pairs, (std::array<Index, 2>{2, 3}));
  const Matrix values = fitted.model.transform(Side::x, fitted.x);
  Index inside = 0, counted = 0;
  for (Index i = 0; i < values.rows(); ++i)
    inside += values(i, 1) >= bins.first[0] && values(i, 1) <= bins.first[1] && values(i, 2) >= bins.second[0] &&
                      values(i, 2) <= bins.second[1]
                  ? 1
                  : 0;
  for (const auto& [cell, count] : bins.x) counted += count;
  EXPECT_EQ(counted, inside);
  EXPECT_GT(inside, 200);
}

TEST(FitSummary, DoesNotDependOnTheOrderOfRows) {
  Fitted fitted;
  fitted.model.summary = summarise_fit(fitted.model, fitted.x, fitted.y);
  const std::string before = fitted.model.to_json();
  fitted.x.values = fitted.x.values.colwise().reverse().eval();
  fitted.y.values = fitted.y.values.colwise().reverse().eval();
  fitted.model.summary = summarise_fit(fitted.model, fitted.x, fitted.y);
  EXPECT_EQ(fitted.model.to_json(), before);
}

TEST(FitSummary, IsReadBackToTheByteAndBelievedOnlyWhereItFits) {
  Fitted fitted;
  fitted.model.summary = summarise_fit(fitted.model, fitted.x, fitted.y);
  fitted.model.summary->x.remarks = {"2 rows were dropped"};
  const std::string bytes = fitted.model.to_json();
  std::vector<std::string> remarks;
  EXPECT_EQ(Model::from_json(bytes, "model", &remarks).to_json(), bytes);
  EXPECT_TRUE(remarks.empty());

  const auto refused = [&](const std::string& from, const std::string& to) {
    std::string text = bytes;
    const std::size_t summary = text.find("\"summary\""), at = text.find(from, summary);
    ASSERT_NE(at, std::string::npos) << from;
    text.replace(at, from.size(), to);
    text.replace(text.find("\"sha256\": \"") + 11, 64, unsealed);
    try {
      Model::from_json(sealed(text), "model.json");
      ADD_FAILURE() << "accepted " << to;
    } catch (const Error& error) {
      EXPECT_NE(error.message().find("/summary/"), std::string::npos) << error.message();
    }
  };
  refused("\"distinct\": ", "\"distinct\": -");
  refused("\"histogram\": [", "\"histogram\": [ 1,");
  refused("\"grid\": [", "\"grid\": [ 1,");
  refused("\"x_quantiles\": [", "\"x_quantiles\": [ \"a\",");
  refused("\"remarks\": [", "\"remarks\": [ 3,");
}

TEST(FitSummary, OneValueAndHugeValuesStayFinite) {
  Fitted fitted;
  for (const double value : {0.0, 1e308, -1e308, 1e-300}) {
    Table x = fitted.x, y = fitted.y;
    x.values.setConstant(value);
    y.values.setConstant(value);
    fitted.model.summary = summarise_fit(fitted.model, x, y);
    EXPECT_NO_THROW(Model::from_json(fitted.model.to_json())) << value;
  }
}

TEST(FitSummary, FilesHaveTheSumThatOthersGive) {
  const std::string path = testing::TempDir() + "cda_sum.txt";
  std::ofstream(path) << "abc";
  EXPECT_EQ(sha256_of_files({path}), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256_of_files({path, path}), "bbb59da3af939f7af5f360f2ceb80a496e3bae1cd87dde426db0ae40677e1c2c");
  EXPECT_EQ(sha256_of_files({"-"}), "");
  EXPECT_EQ(sha256_of_files({testing::TempDir()}), "");
}

}  // namespace
