// The method as a whole: what it finds where the answer is known, what it says where there are several, and what it
// makes of tables that are hardly tables.
#include "find/clouds/couple.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "cda/extend/random.hpp"
#include "cda/fit.hpp"
#include "cda/score.hpp"

using namespace cda;

namespace {

// Items in three groups of unequal size in a plane, seen through two instruments: turned, stretched, with noise of
// their own. Row i of both is the same item.
struct Views {
  Table x, y;
};

Views two_views(Index rows, std::uint64_t seed, double noise = 0.05) {
  Random random(seed, "views");
  Matrix items(rows, 2);
  const double centres[3][2] = {{-1.5, -0.3}, {0.4, 1.2}, {1.8, -0.6}};
  for (Index i = 0; i < rows; ++i) {
    const double drawn = random.uniform();
    const int group = drawn < 0.5 ? 0 : (drawn < 0.8 ? 1 : 2);
    items(i, 0) = centres[group][0] + 0.3 * random.normal();
    items(i, 1) = centres[group][1] + 0.15 * random.normal();
  }
  const auto seen = [&](Index columns, const char* name) {
    Random own = random.stream(name);
    Matrix mixing = own.normals(2, columns);
    mixing.row(1) -= mixing.row(1).dot(mixing.row(0)) / mixing.row(0).squaredNorm() * mixing.row(0);
    mixing.rowwise().normalize();
    return Matrix(2.0 * items * mixing + noise * own.normals(rows, columns));
  };
  return {make_table(seen(5, "x")), make_table(seen(4, "y"))};
}

FitOptions coupled(const std::string& settings = "", Index components = 2) {
  FitOptions options;
  options.method = "cCDA" + settings;
  options.components = components;
  options.threads = 1;
  return options;
}

Table shuffled(Table table, const char* name) {
  table.values = Matrix(table.values(Random(9, name).permutation(table.rows()), Eigen::all));
  return table;
}

double partners_farther(const Model& model, const Views& views) {
  return 1.0 - closer_than_partner(model.transform(Side::x, views.x.values), model.transform(Side::y, views.y.values),
                                   Executor(1))
                   .mean();
}

TEST(Coupled, BringsTwoViewsOfOnePopulationTogetherWithoutPairs) {
  const Views views = two_views(400, 1);
  const Model model = fit(shuffled(views.x, "a"), shuffled(views.y, "b"), coupled());
  EXPECT_GT(partners_farther(model, views), 0.95);
  EXPECT_GT(partners_farther(model, two_views(200, 1)), 0.9);  // the same instruments, other items
  ASSERT_TRUE(model.coupling);
  EXPECT_FALSE(model.coupling->ambiguous);
  EXPECT_GT(model.coupling->halves, 0.8);
  EXPECT_EQ(model.pairs.size(), 2U);
}

TEST(Coupled, DoesNotMindWhereTheTablesLie) {
  Views views = two_views(200, 1);
  const double before = partners_farther(fit(views.x, views.y, coupled()), views);
  views.x.values.array() += 100.0;
  views.y.values.rowwise() += Random(1, "offsets").normals(1, 4).row(0) * 50.0;
  EXPECT_NEAR(partners_farther(fit(views.x, views.y, coupled()), views), before, 0.01);
}

TEST(Coupled, GivesTheSameBytesOnAnyNumberOfThreadsAndInAnyOrderOfRows) {
  const Views views = two_views(150, 2);
  FitOptions options = coupled();
  const std::string one = fit(views.x, views.y, options).to_json();
  for (const int threads : {2, 3, 8}) {
    options.threads = threads;
    EXPECT_EQ(fit(views.x, views.y, options).to_json(), one) << threads;
  }
  EXPECT_EQ(fit(shuffled(views.x, "c"), shuffled(views.y, "d"), options).to_json(), one);
}

TEST(Coupled, HasWeightsThatGiveItsValues) {
  const Views views = two_views(120, 3);
  const Model model = fit(views.x, views.y, coupled());
  const Matrix values = model.transform(Side::x, views.x.values);
  for (Index i = 0; i < 2; ++i) {
    const Pair& pair = model.pairs[static_cast<std::size_t>(i)];
    const Vector direct = (views.x.values * pair.x_weights).array() + pair.x_intercept;
    EXPECT_LT((direct - values.col(i)).norm(), 1e-9);
    EXPECT_LE(pair.x_loadings.cwiseAbs().maxCoeff(), 1.0 + 1e-12);
  }
  // The first pair has variance one, the others what the singular values leave them.
  EXPECT_NEAR((values.col(0).array() - values.col(0).mean()).square().mean(), 1.0, 1e-3);
}

TEST(Coupled, KeepsWhatItSaysInTheModelFile) {
  const Views views = two_views(120, 3);
  const Model model = fit(views.x, views.y, coupled());
  const Model again = Model::from_json(model.to_json());
  ASSERT_TRUE(again.coupling);
  EXPECT_EQ(again.coupling->chosen.correlation, model.coupling->chosen.correlation);
  EXPECT_EQ(again.coupling->ambiguous, model.coupling->ambiguous);
  ASSERT_EQ(again.coupling->alternatives.size(), model.coupling->alternatives.size());
  EXPECT_EQ(again.coupling->alternatives[0].cosine, model.coupling->alternatives[0].cosine);
  EXPECT_EQ(again.to_json(), model.to_json());
}

TEST(Coupled, SaysAmbiguousWhereNothingTellsTheSigns) {
  // Normal clouds have no shape: every turn of the signs fits as well.
  const Table x = make_table(Random(1, "x").normals(300, 4)), y = make_table(Random(1, "y").normals(300, 4));
  const Model model = fit(x, y, coupled());
  ASSERT_TRUE(model.coupling);
  EXPECT_TRUE(model.coupling->ambiguous);
  EXPECT_GE(model.coupling->alternatives.size(), 2U);
  const bool said = std::any_of(model.warnings.begin(), model.warnings.end(),
                                [](const std::string& one) { return one.find("ambiguous") != std::string::npos; });
  EXPECT_TRUE(said);
}

TEST(Coupled, TakesASingleAlternativeWhereAskedAndRefusesOneThatIsNotThere) {
  const Views views = two_views(150, 4);
  const Model consensus = fit(views.x, views.y, coupled()), best = fit(views.x, views.y, coupled(":choice=2"));
  EXPECT_EQ(best.coupling->chosen.correlation, consensus.coupling->alternatives[0].correlation);
  EXPECT_NEAR(best.coupling->alternatives[0].cosine, 1.0, 1e-9);
  EXPECT_THROW(fit(views.x, views.y, coupled(":choice=1000")), Error);
}

TEST(Coupled, EstimatesTheOverlapWhereOneTableHasAGroupOfItsOwn) {
  Views views = two_views(300, 5);
  const Model balanced = fit(views.x, views.y, coupled());
  EXPECT_EQ(balanced.coupling->overlap, 1.0);
  for (const char* reach : {":reach=0.1", ":reach=1"})
    EXPECT_NEAR(fit(views.x, views.y, coupled(reach)).coupling->overlap, 0.95, 0.05) << reach;
  views.y.values.topRows(100).array() += 25.0;  // far from everything
  EXPECT_NEAR(fit(views.x, views.y, coupled(":reach=0.1")).coupling->overlap, 2.0 / 3.0, 0.1);
  EXPECT_NEAR(fit(views.x, views.y, coupled(":reach=1")).coupling->overlap, 0.8, 0.1);  // what is farther counts too
}

TEST(Coupled, EndsEarlyWithAWholeModelWhenItIsEnough) {
  const Views views = two_views(200, 6);
  FitOptions options = coupled();
  options.stopping.enough = [] { return std::string("time limit"); };
  const Model model = fit(views.x, views.y, options);
  EXPECT_EQ(model.stopped, "time limit");
  EXPECT_EQ(model.pairs.size(), 2U);
  EXPECT_FALSE(model.pairs[0].converged);
  EXPECT_TRUE(model.transform(Side::x, views.x.values).allFinite());
}

TEST(Coupled, IsInterruptedByItsObserver) {
  const Views views = two_views(200, 6);
  EXPECT_THROW(fit(views.x, views.y, coupled(), [](const FitProgress& at) { return at.share < 0.2; }), Error);
}

TEST(Coupled, TakesTablesThatAreHardlyTables) {
  const Views views = two_views(60, 7);
  const auto finite = [](const Model& model, const Table& x, const Table& y) {
    return model.transform(Side::x, x.values).allFinite() && model.transform(Side::y, y.values).allFinite();
  };
  Table thin = views.x;  // one column
  thin.select_columns({0});
  EXPECT_TRUE(finite(fit(thin, views.y, coupled("", 0)), thin, views.y));
  EXPECT_TRUE(finite(fit(thin, thin, coupled("", 0)), thin, thin));
  Table constant = views.x;  // constant columns
  constant.values.col(1).setConstant(3.0);
  const Model aside = fit(constant, views.y, coupled("", 0));
  EXPECT_EQ(aside.pairs[0].x_weights[1], 0.0);
  Table few = views.x;  // fewer rows than columns, and than components of the other
  few.values = Matrix(few.values.topRows(3));
  EXPECT_TRUE(finite(fit(few, views.y, coupled("", 0)), few, views.y));
  Table two = views.x;
  two.values = Matrix(two.values.topRows(2));
  EXPECT_TRUE(finite(fit(two, two, coupled("", 0)), two, two));
  EXPECT_TRUE(finite(fit(views.x, views.x, coupled("", 0)), views.x, views.x));  // identical tables
  EXPECT_THROW(fit(few, views.y, coupled("", 3)), Error);                        // more than the rank
}

TEST(Coupled, AlignsATableWithItself) {
  const Views views = two_views(300, 8);
  const Model model = fit(views.x, shuffled(views.x, "itself"), coupled());
  EXPECT_GT(partners_farther(model, {views.x, views.x}), 0.99);
}

TEST(Coupled, TakesTenRowsBesideAHundredThousand) {
  const Views many = two_views(100000, 9), few = two_views(10, 9);
  const Model model = fit(few.x, many.y, coupled());
  EXPECT_TRUE(model.transform(Side::y, many.y.values).allFinite());
}

TEST(ConsensusWeights, FallByETimesAtATieAndSumToOne) {
  std::vector<Optimum> optima(3);
  optima[0].correlation = 0.5;
  optima[1].correlation = 0.49;
  optima[2].correlation = 0.25;
  const Vector weights = consensus_weights(optima, 0.02);
  EXPECT_NEAR(weights.sum(), 1.0, 1e-15);
  EXPECT_NEAR(weights[0] / weights[1], std::exp(1.0), 1e-12);
  EXPECT_LT(weights[2], 1e-10);
}

TEST(Ambiguous, IsWhatHasLessThanHalfInCommon) {
  EXPECT_FALSE(is_ambiguous(1.0, 1.0));
  EXPECT_FALSE(is_ambiguous(0.71, 0.34));
  EXPECT_TRUE(is_ambiguous(0.70, 1.0));  // .49 is the mean cosine of two optima
  EXPECT_TRUE(is_ambiguous(1.0, 0.33));  // .496 is the reliability of all rows
  EXPECT_TRUE(is_ambiguous(1.0, -1.0));
  EXPECT_TRUE(is_ambiguous(0.0, 1.0));
}

TEST(Coupled, ListsNoAlternativesThatAreFarBehind) {
  const Views views = two_views(300, 10);
  for (const double tie : {0.01, 0.001}) {
    const Model model = fit(views.x, views.y, coupled(":tie=" + std::to_string(tie)));
    const double best = model.coupling->alternatives.front().correlation;
    for (const Alignment& one : model.coupling->alternatives) EXPECT_GE(one.correlation, (1.0 - 10.0 * tie) * best);
  }
}

}  // namespace
