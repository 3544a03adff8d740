// What holds for every method that CDA is compared with: the same model as any other, whatever the order of rows and
// columns and the number of threads, and a clear word where tables are not what it needs.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <numeric>

#include "support/samples.hpp"

using namespace cda;
using cda::test::skewed_rows;

namespace {

// Two tables that every method takes: 60 rows that may be taken for pairs, the same four columns.
struct Tables {
  Table x = make_table(skewed_rows(60, 4, "x"), {"a", "b", "c", "d"});
  Table y = make_table(related(), {"a", "b", "c", "d"});

  Matrix related() const { return 0.5 * x.values + skewed_rows(60, 4, "y"); }
};

Table reordered(const Table& table, const std::vector<Index>& rows, const std::vector<Index>& columns) {
  Table other = table;
  other.values = table.values(rows, Eigen::all);
  other.select_columns(columns);
  return other;
}

std::string message(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& error) {
    return fmt::format("{}: {}", static_cast<int>(error.fault()), error.what());
  }
  return "no error";
}

class EveryBaseline : public testing::TestWithParam<std::string> {
 protected:
  Model fitted(const Table& x, const Table& y, int threads = 1) const {
    return fit(x, y, {.method = GetParam(), .components = 2, .threads = threads});
  }
  std::unique_ptr<Baseline> baseline() const { return baselines().make(PartSpec(complete_method(GetParam()))); }
};

TEST_P(EveryBaseline, LeavesAModelThatReadsBackToTheByteAndMapsRows) {
  const Tables tables;
  const Model model = fitted(tables.x, tables.y);
  ASSERT_EQ(model.pairs.size(), 2U);
  const std::string bytes = model.to_json();
  std::vector<std::string> remarks;
  const Model again = Model::from_json(bytes, "model", &remarks);
  EXPECT_TRUE(remarks.empty()) << remarks.front();
  EXPECT_EQ(again.to_json(), bytes);
  const Matrix values = model.transform(Side::y, tables.y);
  EXPECT_EQ(again.transform(Side::y, tables.y), values);
  EXPECT_TRUE(values.allFinite());
  EXPECT_GT(values.col(1).maxCoeff() - values.col(1).minCoeff(), 0.0);
}

TEST_P(EveryBaseline, HasWeightsThatGiveTheSameValuesUnlessItIsAKernel) {
  const Tables tables;
  const Model model = fitted(tables.x, tables.y);
  for (std::size_t i = 0; i < model.pairs.size(); ++i) {
    const Pair& pair = model.pairs[i];
    if (!model.x_preparation.linear()) {
      EXPECT_EQ(pair.x_weights.size(), 0);
      continue;
    }
    const Vector by_hand = (tables.y.values * pair.y_weights).array() + pair.y_intercept;
    const Vector mapped = model.transform(Side::y, tables.y).col(static_cast<Index>(i));
    EXPECT_LT((by_hand - mapped).cwiseAbs().maxCoeff(), 1e-10 * mapped.cwiseAbs().maxCoeff());
  }
}

TEST_P(EveryBaseline, DoesNotDependOnThreadsNorOnTheOrderOfRowsAndColumns) {
  const Tables tables;
  const Model model = fitted(tables.x, tables.y, 1);
  EXPECT_EQ(fitted(tables.x, tables.y, 3).to_json(), model.to_json());
  Random random(7);
  const std::vector<Index> x_rows = random.permutation(60);
  const std::vector<Index> y_rows = baseline()->paired_rows() ? x_rows : random.permutation(60);
  const std::vector<Index> columns{2, 0, 3, 1};
  const Model other = fitted(reordered(tables.x, x_rows, columns), reordered(tables.y, y_rows, columns));
  EXPECT_EQ(other.transform(Side::x, tables.x), model.transform(Side::x, tables.x));
  EXPECT_EQ(other.transform(Side::y, tables.y), model.transform(Side::y, tables.y));
}

TEST_P(EveryBaseline, SetsAsideAColumnThatDoesNotVary) {
  Tables tables;
  tables.x.values.col(1).setConstant(3.0);
  tables.y.values.col(1).setConstant(3.0);
  const Model model = fitted(tables.x, tables.y);
  EXPECT_FALSE(model.warnings.empty());
  if (model.x_preparation.linear()) {
    EXPECT_EQ(model.pairs[0].x_weights[1], 0.0);
  }
  EXPECT_EQ(model.pairs[0].x_loadings[1], 0.0);
  EXPECT_TRUE(model.transform(Side::x, tables.x).allFinite());
}

TEST_P(EveryBaseline, TakesAColumnThatDoesNotVaryInOneTableOnly) {
  Tables tables;
  tables.y.values.col(2).setConstant(1.0);
  EXPECT_TRUE(fitted(tables.x, tables.y).transform(Side::y, tables.y).allFinite());
}

TEST_P(EveryBaseline, SaysWhatItNeedsOfTheTables) {
  const Tables tables;
  Table shorter = tables.y, narrower = tables.y;
  shorter.values = tables.y.values.topRows(50).eval();
  narrower.select_columns({0, 1, 2});
  const std::string rows = message([&] { fitted(tables.x, shorter); });
  const std::string columns = message([&] { fitted(tables.x, narrower); });
  const std::string name = find_method(GetParam()).name;
  EXPECT_EQ(rows, !baseline()->paired_rows()
                      ? "no error"
                      : "3: " + name +
                            " needs rows that belong together, but X has 60 rows and Y 50 (hint: methods that need no "
                            "pairs of rows: iCDA, or one of the paper's)");
  EXPECT_EQ(columns, !baseline()->equal_columns()
                         ? "no error"
                         : "3: " + name +
                               " needs the same columns in both tables; X has 4, Y 3, and 3 (\"a\", \"b\", \"c\") in "
                               "common (hint: choose the common ones with --only)");
}

TEST_P(EveryBaseline, RefusesWhatIsNotForItAndMorePairsThanDimensions) {
  const Tables tables;
  EXPECT_THROW(fit(tables.x, tables.y, {.method = GetParam(), .divergence = PartSpec("energy")}), Error);
  EXPECT_THROW(fit(tables.x, tables.y, {.method = GetParam(), .components = 5}), Error);
  EXPECT_THROW(examine(tables.x, tables.y, fitted(tables.x, tables.y)), Error);
}

TEST_P(EveryBaseline, StopsWhenItsObserverSaysSo) {
  const Tables tables;
  const FitOptions options{.method = GetParam(), .components = 1};
  try {
    fit(tables.x, tables.y, options, [](const FitProgress&) { return false; });
    FAIL() << "not stopped";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), "interrupted");
  }
}

TEST_P(EveryBaseline, CopesWithFewerRowsThanColumns) {
  const Table x = make_table(skewed_rows(12, 20, "few x")), y = make_table(skewed_rows(12, 20, "few y"));
  const Model model = fit(x, y, {.method = GetParam(), .components = 2, .threads = 1});
  EXPECT_TRUE(model.transform(Side::x, x).allFinite());
}

std::vector<std::string> names() {
  std::vector<std::string> all;
  for (const MethodInfo& method : methods())
    if (!method.baseline.empty()) all.push_back(method.name);
  all.insert(all.end(),
             {"TCA:kernel=rbf", "TCA:kernel=laplace", "TCA:cost=directions", "PCA:sign=energy", "SCL:pivots=2"});
  return all;
}
INSTANTIATE_TEST_SUITE_P(Catalogue, EveryBaseline, testing::ValuesIn(names()), [](const auto& tested) {
  std::string name = tested.param;
  for (char& letter : name)
    if (std::isalnum(static_cast<unsigned char>(letter)) == 0) letter = '_';
  return name;
});

TEST(Methods, ComparedOnesTakeOptionsOfTheirOwnAndOthersDoNot) {
  EXPECT_EQ(complete_method("tca:rbf"), "TCA:cost=coefficients,kernel=rbf,mu=1,width=median");
  EXPECT_EQ(message([] { complete_method("CDA_M:order=1"); }),
            "2: CDA_M is made of parts, which have the options (hint: cda list methods -v shows the parts of CDA_M)");
  EXPECT_THROW(complete_method("TCA:colour=red"), Error);
}

TEST(EqualColumns, AreTakenByPositionWithAWarningWhereNoNameIsCommon) {
  const Tables tables;
  Table renamed = tables.y;
  renamed.names = {"p", "q", "r", "s"};
  const Model by_name = fit(tables.x, tables.y, {.method = "TCA", .components = 1});
  const Model by_position = fit(tables.x, renamed, {.method = "TCA", .components = 1});
  const Vector a = by_position.transform(Side::y, renamed).col(0), b = by_name.transform(Side::y, tables.y).col(0);
  EXPECT_LT((a - b).cwiseAbs().maxCoeff(), 1e-10 * b.cwiseAbs().maxCoeff());  // rows are summed in another order
  EXPECT_TRUE(by_name.warnings.empty());
  EXPECT_EQ(by_position.warnings.size(), 1U);
}

}  // namespace
