// A fit whose rows are spread over ranks is the fit of one process. What is searched for is the same to the last bit;
// what is said of it afterwards (loadings, shapes, the summary) may differ by rounding.
#include <gtest/gtest.h>

#include <cmath>

#include "support/samples.hpp"
#include "support/thread_ranks.hpp"

using namespace cda;
using cda::test::on_ranks;
using cda::test::own_rows;
using cda::test::skewed_rows;
using cda::test::Spread;

namespace {

// Columns of their own units, one that does not vary, one of few values, some rows twice.
Table table_of(Index rows, Index columns, const std::string& name) {
  Matrix values = skewed_rows(rows, columns + 2, name);
  values.col(0) *= 1000.0;
  values.col(1).setConstant(7.0);
  values.col(2) = (values.col(2).array() > 0.0).select(Vector::Ones(rows), Vector::Zero(rows));
  for (Index i = 0; i + 10 < rows; i += 10) values.row(i + 1) = values.row(i);
  return make_table(values, {}, name);
}

Table own_part(Table table, const Communicator& ranks, Spread spread = Spread::evenly) {
  table.values = own_rows(table.values, ranks, spread);
  return table;
}

void expect_same(const Model& spread, const Model& whole) {
  ASSERT_EQ(spread.pairs.size(), whole.pairs.size());
  EXPECT_EQ(spread.warnings, whole.warnings);
  EXPECT_EQ(spread.x.rows, whole.x.rows);
  EXPECT_EQ(spread.directions.x, whole.directions.x);
  EXPECT_EQ(spread.directions.y, whole.directions.y);
  for (std::size_t i = 0; i < whole.pairs.size(); ++i) {
    const Pair &a = spread.pairs[i], &b = whole.pairs[i];
    EXPECT_EQ(a.objective, b.objective) << "pair " << i + 1;
    EXPECT_EQ(a.divergence, b.divergence) << "pair " << i + 1;
    EXPECT_EQ(a.stopped, b.stopped);
    EXPECT_LT((a.x_loadings - b.x_loadings).cwiseAbs().maxCoeff(), 1e-12);
    EXPECT_LT((a.y_loadings - b.y_loadings).cwiseAbs().maxCoeff(), 1e-12);
    EXPECT_NEAR(a.agreement, b.agreement, 1e-9);
    EXPECT_NEAR(a.x_contrast, b.x_contrast, 1e-12);
  }
  ASSERT_EQ(spread.summary.has_value(), whole.summary.has_value());
  if (!whole.summary) return;
  for (std::size_t i = 0; i < whole.summary->pairs.size(); ++i) {
    const PairSummary &a = spread.summary->pairs[i], &b = whole.summary->pairs[i];
    EXPECT_LT((a.x_quantiles - b.x_quantiles).norm(), 1e-5 * b.x_quantiles.norm());
    EXPECT_LT((a.y_density - b.y_density).norm(), 1e-4 * b.y_density.norm());
  }
  ASSERT_EQ(spread.summary->joint.size(), whole.summary->joint.size());
}

FitOptions quick(const std::string& method) {
  FitOptions options;
  options.method = method;
  options.components = 2;
  options.starts = 3;
  options.refined = 1;
  options.stopping.iterations = 6;  // the numbers are the same at each
  options.scouting_rows = 80;       // the tables are longer: they are spread
  options.threads = 2;
  options.summarise = true;
  return options;
}

void compare(const Table& x, const Table& y, FitOptions options, int ranks, Spread spread = Spread::evenly) {
  const Model whole = fit(x, y, options);
  on_ranks(ranks, [&](const Communicator& talk) {
    FitOptions own = options;
    own.ranks = &talk;
    expect_same(fit(own_part(x, talk, spread), own_part(y, talk, spread), own), whole);
  });
}

struct Asked {
  const char *name, *method, *divergence;
};

class FitOnRanks : public testing::TestWithParam<std::tuple<Asked, int>> {};

TEST_P(FitOnRanks, IsThatOfOneProcess) {
  const auto [asked, ranks] = GetParam();
  FitOptions options = quick(asked.method);
  if (*asked.divergence != '\0') options.divergence = PartSpec(asked.divergence);
  if (options.method == "CDA_P") {  // its steps take long, and each is the same
    options.components = options.starts.emplace(1);
    options.stopping.iterations = 4;
  }
  compare(table_of(9500, 3, "x"), table_of(5000, 3, "y"), options, ranks);
}

INSTANTIATE_TEST_SUITE_P(Methods, FitOnRanks,
                         testing::Combine(testing::Values(Asked{"CDA_M", "CDA_M", ""}, Asked{"CDA_Q", "CDA_Q", ""},
                                                          Asked{"CDA_P", "CDA_P", ""}, Asked{"iCDA", "iCDA", ""},
                                                          Asked{"rCDA_M", "rCDA_M", ""}, Asked{"rCDA_Q", "rCDA_Q", ""},
                                                          Asked{"mmd", "CDA_Q", "mmd"},
                                                          Asked{"energy", "CDA_Q", "energy"},
                                                          Asked{"wasserstein", "CDA_Q", "wasserstein"}),
                                          testing::Values(2, 3, 4)),
                         [](const auto& tested) {
                           return std::string(std::get<0>(tested.param).name) + "_" +
                                  std::to_string(std::get<1>(tested.param));
                         });

TEST(FitOnRanks, IsThatOfOneProcessWhereARankHasNoRows) {
  compare(table_of(9000, 3, "x"), table_of(120, 3, "y"), quick("CDA_Q"), 3, Spread::badly);
}

TEST(FitOnRanks, IsThatOfOneProcessWhereMostRowsAreEqual) {
  Table x = table_of(9000, 2, "x");
  x.values.bottomRows(6000) = x.values.row(0).replicate(6000, 1);  // they are in more than one block
  compare(x, table_of(5000, 2, "y"), quick("CDA_Q"), 3);
}

TEST(FitOnRanks, IsThatOfOneProcessWithMoreRanksThanRows) {
  compare(table_of(5, 1, "x"), table_of(4, 1, "y"), quick("CDA_M"), 7);
}

TEST(FitOnRanks, SearchesOnAllRowsWhereItIsAskedTo) {
  FitOptions options = quick("iCDA");
  options.scouting_rows = 0;
  compare(table_of(90, 3, "x"), table_of(70, 3, "y"), options, 2);
}

TEST(FitOnRanks, IsTheSameToTheBitForShortTables) {
  const Table x = table_of(70, 3, "x"), y = table_of(60, 3, "y");
  FitOptions options = quick("CDA_Q");
  const Model whole = fit(x, y, options);
  on_ranks(3, [&](const Communicator& talk) {
    FitOptions own = options;
    own.ranks = &talk;
    const Model spread = fit(own_part(x, talk), own_part(y, talk), own);
    EXPECT_EQ(spread.directions.x, whole.directions.x);
    EXPECT_EQ(spread.pairs[0].x_weights, whole.pairs[0].x_weights);
  });
}

TEST(FitOnRanks, EndsEverywhereWhenTheFirstSaysItIsEnough) {
  const Table x = table_of(5000, 3, "x"), y = table_of(5000, 3, "y");
  on_ranks(3, [&](const Communicator& talk) {
    FitOptions own = quick("CDA_Q");
    own.ranks = &talk;
    int asked = 0;
    own.stopping.enough = [&asked, first = talk.rank() == 0]() -> std::string {
      return first && ++asked > 5 ? "time limit" : "";
    };
    const Model model = fit(own_part(x, talk), own_part(y, talk), own);
    EXPECT_EQ(model.stopped, "time limit");
  });
}

void expect_refused(const Table& x, const Table& y, const FitOptions& options, const std::string& code) {
  try {
    on_ranks(2, [&](const Communicator& talk) {
      FitOptions own = options;
      own.ranks = &talk;
      Table own_x = own_part(x, talk);
      if (code == "ranks.columns" && talk.rank() == 1) own_x.names[0] = "another";
      fit(own_x, own_part(y, talk), own);
    });
    FAIL() << "it was not refused";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code) << error.message();
  }
}

TEST(FitOnRanks, RefusesWhatNeedsAllRowsInOnePlace) {
  const Table x = table_of(300, 3, "x"), y = table_of(200, 3, "y");
  FitOptions few_columns = quick("CDA_Q"), power = quick("CDA_M"), compared = quick("cCDA");
  few_columns.max_columns = 2;
  power.divergence = PartSpec("extended_mallows:order=3");
  expect_refused(x, y, few_columns, "ranks.option");
  expect_refused(x, y, compared, "ranks.option");
  expect_refused(x, y, power, "ranks.divergence");
  expect_refused(x, y, quick("CDA_M"), "ranks.columns");
}

class PreparedOnRanks : public testing::TestWithParam<const char*> {};

TEST_P(PreparedOnRanks, TakesRowsTheSameWay) {
  const Table table = table_of(103, 5, "prepared");
  const std::vector<PartSpec> steps{PartSpec(GetParam())};
  for (const bool few_valued : {true, false}) {
    std::vector<std::string> remarks;
    const PreparedColumns whole =
        PreparedColumns::fit(table.values, table.names, steps, &remarks, {.few_valued = few_valued});
    const Matrix expected = whole.apply(table.values);
    for (const int ranks : {2, 3, 4}) {
      on_ranks(ranks, [&](const Communicator& talk) {
        for (const Spread spread : {Spread::evenly, Spread::badly}) {
          const Matrix own = own_rows(table.values, talk, spread);
          std::vector<std::string> said;
          const PreparedColumns::WithRows fitted = PreparedColumns::fit_rows({own, table.names, {}, Executor(2, &talk)},
                                                                             steps, &said, {.few_valued = few_valued});
          EXPECT_EQ(said, remarks);
          EXPECT_EQ(fitted.columns.kept(), whole.kept());
          EXPECT_LT((fitted.columns.constants() - whole.constants()).norm(), 1e-12);
          EXPECT_LT((fitted.columns.apply(table.values) - expected).norm(), 1e-10 * expected.norm());
          EXPECT_EQ(fitted.rows.rows(), own.rows());
        }
      });
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Preparations, PreparedOnRanks,
                         testing::Values("minmax", "standardise", "whiten", "pca:3", "centre", "log1p", "row_l2",
                                         "winsorise:0.1", "rank_gauss"));

}  // namespace
