// iCDA from tables to pairs: what is planted is found, what is not there is not, and ambiguity is kept.
#include <gtest/gtest.h>

#include <cmath>

#include "cda/cda.hpp"
#include "cda/extend/divergence.hpp"
#include "cda/extend/executor.hpp"
#include "cda/extend/optimiser.hpp"
#include "cda/extend/preparation.hpp"
#include "cda/extend/projection.hpp"
#include "cda/extend/random.hpp"
#include "divergence/quantiles.hpp"
#include "find/components/components.hpp"
#include "find/components/contrast_threshold.hpp"
#include "find/components/matching.hpp"

namespace cda {
namespace {

double correlation(const Vector& a, const Vector& b) {
  const Vector x = a.array() - a.mean(), y = b.array() - b.mean();
  return x.dot(y) / (x.norm() * y.norm());
}

// How many of the planted sources some pair follows on both sides.
int recovered(const SyntheticPair& planted, const Model& model) {
  int found = 0;
  const Matrix x = model.transform(Side::x, planted.x.values), y = model.transform(Side::y, planted.y.values);
  for (Index s = 0; s < planted.truth.x_directions.cols(); ++s) {
    const Vector x_source = planted.x.values * planted.truth.x_directions.col(s);
    const Vector y_source = planted.y.values * planted.truth.y_directions.col(s);
    for (Index j = 0; j < x.cols(); ++j)
      if (std::abs(correlation(x.col(j), x_source)) > 0.9 && std::abs(correlation(y.col(j), y_source)) > 0.9) {
        ++found;
        break;
      }
  }
  return found;
}

Table gaussian(Index rows, Index columns, std::uint64_t seed) {
  return make_table(Random(seed, "gaussian").normals(rows, columns));
}

SyntheticPair sources(Index n, Index m, Index l, Index own, std::uint64_t seed) {
  return synthesise({.kind = "sources", .n = n, .k = n, .m = m, .l = l, .shared = 3, .own = own, .seed = seed});
}

TEST(Informative, RecoversPlantedSourcesWhereThePaperObjectiveFindsNone) {
  int ours = 0, plain = 0;
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    const SyntheticPair planted = sources(1000, 8, 6, 1, seed);
    ours += recovered(planted, fit(planted.x, planted.y));
    plain += recovered(planted, fit(planted.x, planted.y, {.method = "CDA_Q", .components = 3}));
  }
  EXPECT_GE(ours, 11);
  EXPECT_LE(plain, 1);
}

class OptimiserOfComponents : public testing::TestWithParam<std::string> {};

TEST_P(OptimiserOfComponents, FindsTheComponents) {
  const SyntheticPair planted = sources(400, 5, 4, 0, 21);
  FitOptions options;
  options.optimiser = PartSpec(GetParam());
  EXPECT_GE(recovered(planted, fit(planted.x, planted.y, options)), 2) << GetParam();
}

std::vector<std::string> descending_optimisers() {
  std::vector<std::string> names;
  for (const std::string& name : optimisers().names())
    if (!optimisers().make(name)->needs_quadratic_form()) names.push_back(name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Catalogue, OptimiserOfComponents, testing::ValuesIn(descending_optimisers()),
                         [](const auto& tested) { return tested.param; });

TEST(Informative, WorksWithEveryDivergenceThatSeesShapes) {
  const SyntheticPair planted = sources(300, 4, 4, 0, 4);
  for (const char* divergence : {"energy", "quadratic", "mmd", "wasserstein:order=1"}) {
    FitOptions options;
    options.divergence = PartSpec(divergence);
    EXPECT_GE(recovered(planted, fit(planted.x, planted.y, options)), 2) << divergence;
  }
}

TEST(Informative, JointSearchAndRefinementFindTheSources) {
  const SyntheticPair planted = sources(600, 6, 5, 0, 5);
  FitOptions joint;
  joint.formulation = PartSpec("contrast:search=joint");
  joint.components = 3;
  const Model searched = fit(planted.x, planted.y, joint);
  EXPECT_GE(recovered(planted, searched), 2);
  EXPECT_FALSE(searched.x.components.has_value());
  FitOptions refined;
  refined.refine = Refine::joint;
  const Model followed = fit(planted.x, planted.y, refined), matched = fit(planted.x, planted.y);
  EXPECT_GE(recovered(planted, followed), 2);
  ASSERT_EQ(followed.pairs.size(), matched.pairs.size());
  EXPECT_LE(followed.pairs[0].objective, matched.pairs[0].objective + 1e-9);
}

TEST(Informative, GivesTheSameBytesForAnyThreadsAndOrderOfRows) {
  SyntheticPair planted = sources(400, 6, 5, 1, 6);
  const std::string expected = fit(planted.x, planted.y, {.threads = 1}).to_json();
  EXPECT_EQ(fit(planted.x, planted.y, {.threads = 3}).to_json(), expected);
  planted.x.values = Matrix(planted.x.values.colwise().reverse());
  EXPECT_EQ(fit(planted.x, planted.y, {.threads = 2}).to_json(), expected);
}

TEST(Informative, SaysWhenATableHasNoShapeAndMarksThePair) {
  const SyntheticPair planted = sources(500, 6, 5, 0, 7);
  const Model model = fit(planted.x, gaussian(500, 5, 1));
  EXPECT_EQ(model.x.components, 3);
  EXPECT_EQ(model.y.components, 0);
  ASSERT_EQ(model.pairs.size(), 1u);
  EXPECT_FALSE(model.pairs[0].informative);
  EXPECT_TRUE(std::any_of(model.warnings.begin(), model.warnings.end(), [](const std::string& warning) {
    return warning.find("Y: no direction differs") != std::string::npos;
  }));
}

TEST(Informative, FillsUpWhatIsAskedForBeyondTheInformativePairs) {
  const SyntheticPair planted = sources(500, 6, 5, 0, 8);
  const Model model = fit(planted.x, planted.y, {.components = 5});
  ASSERT_EQ(model.pairs.size(), 5u);
  EXPECT_TRUE(model.pairs[0].informative);
  EXPECT_FALSE(model.pairs[4].informative);
  EXPECT_LT((model.directions.x.transpose() * model.directions.x - Matrix::Identity(5, 5)).norm(), 1e-9);
  EXPECT_EQ(fit(planted.x, planted.y, {.components = 1}).pairs.size(), 1u);
}

// Gaussian tables pass the threshold about as often as it says: 95 % of 60 with room for chance.
TEST(Components, OfGaussianTablesStayBelowTheThreshold) {
  int exceeded = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const Table table = gaussian(200, 4, 100 + seed);
    const Matrix rows = PreparedColumns::fit(table.values, table.names, {"whiten"}, nullptr).apply(table.values);
    const auto optimiser = optimisers().make("lbfgs");
    const Executor executor(2);
    const ComponentSearch search{
        divergences().make("wasserstein"), *optimiser, {.starts = 150, .refined = 6}, executor};
    if (informative_count(find_components(Sample(rows), search)) > 0) ++exceeded;
  }
  EXPECT_LE(exceeded, 8);
}

TEST(ContrastThreshold, FallsWithRowsAndRisesWithDimensions) {
  for (const Index d : {1, 2, 4, 10, 25, 60, 200}) {
    EXPECT_LT(contrast_threshold(1000, d), contrast_threshold(300, d)) << d;
    EXPECT_LT(contrast_threshold(300, d), contrast_threshold(301, d + 1)) << d;
  }
  // Beyond the table as within it: n t hardly depends on n.
  EXPECT_NEAR(1e6 * contrast_threshold(1000000, 5), 3000 * contrast_threshold(3000, 5), 1.0);
  EXPECT_GT(contrast_threshold(10, 3), contrast_threshold(50, 3));
}

Vector drawn_shape(double (*draw)(Random&)) {
  Random random(9, "shape");
  Vector values(2000);
  for (double& value : values) value = draw(random);
  return shape_deviation(values);
}
Vector skewed_shape() {
  return drawn_shape([](Random& random) { return random.exponential(); });
}
Vector flat_shape() {
  return drawn_shape([](Random& random) { return random.uniform(); });
}

TEST(Matching, TakesTheBestTotalBothSignsAndKeepsTheOtherReading) {
  const Vector skewed = skewed_shape(), flat = flat_shape();
  Shapes x(256, 2), y(256, 2);
  x << skewed, flat;
  y << 0.9 * flat, mirrored(skewed);
  const std::vector<ShapeMatch> matches = match_shapes(x, y);
  ASSERT_EQ(matches.size(), 2u);
  EXPECT_EQ(matches[0].x, 0);
  EXPECT_EQ(matches[0].y, 1);
  EXPECT_TRUE(matches[0].mirrored);
  EXPECT_DOUBLE_EQ(matches[0].agreement, 1.0);
  EXPECT_LT(matches[0].other_sign, 0.8);
  EXPECT_EQ(matches[1].x, 1);
  EXPECT_NEAR(matches[1].agreement, 1.8 / 1.81, 1e-12);  // 2 .9 / (1 + .9^2)
  EXPECT_GT(matches[1].other_sign, 0.95);                // a symmetric shape is its own mirror image
}

TEST(Matching, ListsWhatAgreesBestFirstHoweverStrong) {
  const Vector skewed = skewed_shape(), flat = flat_shape();
  ASSERT_GT(contrast_of(skewed), 2.0 * contrast_of(flat));
  Shapes x(256, 2), y(256, 2);
  x << skewed, flat;
  y << 0.7 * skewed, flat;
  const std::vector<ShapeMatch> matches = match_shapes(x, y);
  ASSERT_EQ(matches.size(), 2u);
  EXPECT_EQ(matches[0].x, 1);
  EXPECT_EQ(matches[1].x, 0);
  EXPECT_GT(matches[0].agreement, matches[1].agreement);
}

// Squared differences would decide otherwise: one value of 256 that is 2 off weighs 4, all of them .1 off only 2.56.
TEST(Matching, IsNotDecidedByOneFarValue) {
  const Vector shape = skewed_shape();
  Vector far = shape, shifted = shape.array() + 0.1;
  far[255] += 2.0;
  ASSERT_LT((shifted - shape).squaredNorm(), (far - shape).squaredNorm());
  Shapes y(256, 2);
  y << shifted, far;
  const std::vector<ShapeMatch> matches = match_shapes(shape, y);
  ASSERT_EQ(matches.size(), 1u);
  EXPECT_EQ(matches[0].y, 1);
  EXPECT_NEAR(nearness(shape, y)(0, 0), -std::log(0.1), 1e-12);
  EXPECT_NEAR(nearness(mirrored(shape), y)(0, 1), -std::log(2.0 / 256.0), 1e-12);
}

TEST(Matching, DoesNotDependOnTheUnitAndMatchesAllOfTheShorterSide) {
  const Matrix x = Random(4, "shapes").normals(256, 5), y = Random(5, "shapes").normals(256, 3);
  const std::vector<ShapeMatch> matches = match_shapes(x, y), scaled = match_shapes(7.0 * x, 7.0 * y);
  ASSERT_EQ(matches.size(), 3u);
  for (std::size_t i = 0; i < matches.size(); ++i) {
    EXPECT_EQ(matches[i].x, scaled[i].x);
    EXPECT_EQ(matches[i].y, scaled[i].y);
  }
}

TEST(Matching, KeepsWhatAgreesOrAsManyAsAreWanted) {
  const std::vector<ShapeMatch> matches = {{.agreement = 0.9}, {.agreement = 0.51}, {.agreement = 0.5}};
  EXPECT_EQ(kept_matches(matches, 0).size(), 2u);
  EXPECT_EQ(kept_matches(matches, 1).size(), 1u);
  EXPECT_EQ(kept_matches(matches, 3).size(), 3u);
  EXPECT_EQ(kept_matches(matches, 9).size(), 3u);
  EXPECT_EQ(kept_matches({{.agreement = -0.2}, {.agreement = -0.3}}, 0).size(), 1u);
  EXPECT_EQ(kept_matches(std::vector<ShapeMatch>(14, {.agreement = 0.8}), 0).size(), 10u);
}

TEST(Informative, KeepsTheMirroredReadingOfASymmetricShape) {
  SyntheticPair planted;
  for (std::uint64_t seed = 0;; ++seed) {  // a seed whose first source is symmetric
    planted = sources(800, 4, 4, 0, seed);
    if (planted.truth.sources[0] == "two-group") break;
  }
  const Model model = fit(planted.x, planted.y);
  bool mirrored = false;
  for (const Pair& pair : model.pairs)
    for (const Alternative& other : pair.alternatives) mirrored = mirrored || other.kind == Alternative::Kind::mirrored;
  EXPECT_TRUE(mirrored);
}

TEST(FewColumns, LimitsBothSidesShowsThePriceAndTransformsByItsWeights) {
  const SyntheticPair planted = synthesise({.kind = "buildings", .seed = 3});
  const Model whole = fit(planted.x, planted.y), few = fit(planted.x, planted.y, {.max_columns = 2});
  ASSERT_EQ(few.pairs.size(), whole.pairs.size());
  for (std::size_t i = 0; i < few.pairs.size(); ++i) {
    const Pair& pair = few.pairs[i];
    EXPECT_LE((pair.x_weights.array() != 0.0).count(), 2);
    EXPECT_LE((pair.y_weights.array() != 0.0).count(), 2);
    EXPECT_NEAR(*pair.agreement_all_columns, whole.pairs[i].agreement, 1e-12);
    EXPECT_GT(*pair.x_kept, 0.5);
    const Matrix values = few.transform(Side::y, planted.y.values);
    const Vector by_hand = (planted.y.values * pair.y_weights).array() + pair.y_intercept;
    EXPECT_LT((values.col(static_cast<Index>(i)) - by_hand).norm(), 1e-8 * by_hand.norm());
    EXPECT_GT(std::abs(correlation(by_hand, whole.transform(Side::y, planted.y.values).col(static_cast<Index>(i)))),
              0.7);
  }
  const Model read = Model::from_json(few.to_json());
  EXPECT_EQ(read.to_json(), few.to_json());
  EXPECT_EQ(read.pairs[0].x_weights, few.pairs[0].x_weights);
  EXPECT_EQ(read.transform(Side::x, planted.x.values), few.transform(Side::x, planted.x.values));
}

TEST(FewColumns, StaysSparseWhereColumnsDependOnEachOther) {
  SyntheticPair planted = sources(300, 4, 4, 0, 11);
  Matrix wide(300, 6);
  wide << planted.x.values, planted.x.values.col(0) + planted.x.values.col(1), 2.0 * planted.x.values.col(3);
  const Table x = make_table(wide);
  const Model few = fit(x, planted.y, {.max_columns = 3});
  for (std::size_t i = 0; i < few.pairs.size(); ++i) {
    EXPECT_LE((few.pairs[i].x_weights.array() != 0.0).count(), 3);
    const Vector by_hand = (wide * few.pairs[i].x_weights).array() + few.pairs[i].x_intercept;
    EXPECT_LT((few.transform(Side::x, wide).col(static_cast<Index>(i)) - by_hand).norm(), 1e-8 * by_hand.norm());
  }
}

TEST(FewValued, ColumnsAreSetAsideUnlessAskedFor) {
  SyntheticPair planted = sources(300, 5, 4, 0, 12);
  for (Index i = 0; i < 300; ++i) planted.x.values(i, 2) = static_cast<double>(i % 3);
  const Model model = fit(planted.x, planted.y), kept = fit(planted.x, planted.y, {.few_valued = FewValued::keep});
  for (const Pair& pair : model.pairs) EXPECT_EQ(pair.x_weights[2], 0.0);
  EXPECT_EQ(model.x.rank, 4);
  EXPECT_EQ(kept.x.rank, 5);
  EXPECT_NE(model.warnings.front().find("x3"), std::string::npos) << model.warnings.front();
  EXPECT_EQ(fit(planted.x, planted.y, {.method = "CDA_M"}).x.rank, 5);  // the paper's methods take all columns
}

TEST(Informative, RefusesPartsThatContradictIt) {
  const Table x = gaussian(50, 3, 1), y = gaussian(50, 3, 2);
  FitOptions options;
  options.prepare = {PartSpec("minmax")};
  EXPECT_THROW(fit(x, y, options), Error);
  options = {};
  options.scale = "lemma";
  EXPECT_THROW(fit(x, y, options), Error);
  options = {.method = "CDA_Q"};
  options.refine = Refine::joint;
  EXPECT_THROW(fit(x, y, options), Error);
}

TEST(Informative, LooksAtFewerDimensionsWhereRowsAreFew) {
  const Model model = fit(gaussian(40, 30, 3), gaussian(40, 3, 4));
  EXPECT_EQ(model.x.rank, 8);  // 5 rows for each
  EXPECT_EQ(model.y.rank, 3);
}

TEST(Follow, KeepsThePairsOfAModelOnOtherRows) {
  const SyntheticPair planted = sources(800, 5, 4, 0, 13);
  const Model model = fit(planted.x, planted.y);
  Table x = planted.x, y = planted.y;
  x.values = planted.x.values.topRows(600);
  y.values = planted.y.values.bottomRows(600);
  const Model followed = follow(model, x, y);
  ASSERT_EQ(followed.pairs.size(), model.pairs.size());
  const Matrix before = model.transform(Side::x, planted.x.values),
               after = followed.transform(Side::x, planted.x.values);
  for (Index j = 0; j < before.cols(); ++j) EXPECT_GT(std::abs(correlation(before.col(j), after.col(j))), 0.95);
}

}  // namespace
}  // namespace cda
