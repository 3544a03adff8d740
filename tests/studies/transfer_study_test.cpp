// Studies on data that are not shipped: their machinery on small made tables, and the known figures where the data are.
#include "studies/transfer_study.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "cda/extend/random.hpp"
#include "studies/real_data.hpp"
#include "studies/relations.hpp"

namespace {

using namespace cda;

// X has the columns a, b, c, d, Y the columns b, a, e; the target is 2 a - b in X and ten times that in Y.
TransferData made(Prediction prediction) {
  Random random(3, "study");
  TransferData data{.x = make_table(random.normals(150, 4), {"a", "b", "c", "d"}),
                    .y = make_table(random.normals(90, 3), {"b", "a", "e"}),
                    .prediction = prediction};
  data.x.values.col(0) = data.x.values.col(0).array().exp();
  data.y.values.col(1) = data.y.values.col(1).array().exp();
  data.x_targets = 2.0 * data.x.values.col(0) - data.x.values.col(1);
  data.y_targets = 10.0 * (2.0 * data.y.values.col(1) - data.y.values.col(0));
  if (prediction == Prediction::classes) {
    data.x_targets = (data.x_targets.array() > 2.5).cast<double>();
    data.y_targets = (data.y_targets.array() > 25.0).cast<double>();
  }
  return data;
}

const TransferStudy study{"made", 8, {1, 2}, {"CDA_M", "SCL", "PCA"}};
const ExperimentOptions quick{.effort = ExperimentOptions::Effort::quick, .runs = 3, .threads = 1};

Results measured(Prediction prediction, int threads) {
  Results results;
  ExperimentOptions options = quick;
  options.threads = threads;
  run_transfer_study(study, made(prediction), options, {}, results);
  return results;
}

double error_of(const Results& results, const std::string& method) {
  for (const auto& row : results.rows)
    if (std::get<std::string>(row[0]) == method) return std::get<double>(row[4]);
  ADD_FAILURE() << "no row of " << method;
  return 0.0;
}

TEST(TransferStudy, ShowsEveryMethodBesideWhatNeedsNoMap) {
  for (const Prediction prediction : {Prediction::numbers, Prediction::classes}) {
    const Results results = measured(prediction, 1);
    EXPECT_EQ(results.rows.size(), 3u + 4u + 3u);  // quick: one number of attributes
    for (const auto& row : results.rows) EXPECT_EQ(row.size(), results.columns.size());
    for (const char* method : {"CDA_M", "SCL", "PCA", "8 rows of Y alone", "all other rows of Y labelled, 5 parts"})
      EXPECT_TRUE(std::isfinite(error_of(results, method)));
    // The common columns tell the target exactly, but for its unit.
    const double pooled = error_of(results, "no map: common columns as they are, X and Y");
    EXPECT_LT(pooled, 0.7 * std::get<double>(results.rows[0][7]));
    EXPECT_EQ(results.runs, 3);
  }
}

TEST(TransferStudy, IsTheSameOnOneAndTwoThreads) {
  EXPECT_EQ(measured(Prediction::numbers, 1).to_json(), measured(Prediction::numbers, 2).to_json());
}

TEST(TransferStudy, SaysWhichMethodsHaveNoAnswer) {
  TransferData data = made(Prediction::numbers);
  data.y.values.col(2) = data.y.values.col(1) - data.y.values.col(0);  // rank 2
  Results results;
  run_transfer_study({"made", 8, {1, 3}, {"PCA"}}, data, quick, {}, results);
  EXPECT_EQ(results.rows.size(), 4u + 3u);
  EXPECT_TRUE(std::any_of(results.notes.begin(), results.notes.end(),
                          [](const std::string& note) { return note.rfind("PCA with 3 attributes: ", 0) == 0; }));
}

TEST(RealData, ThatAreNotThereAreNamedWithTheirOrigin) {
  for (const char* name : {"bike", "energy", "building_regression", "building_weekday"}) {
    const Results results = run_experiment(std::string(name) + ":data=/nowhere", quick);
    EXPECT_TRUE(results.rows.empty());
    ASSERT_EQ(results.notes.size(), 1u);
    EXPECT_NE(results.notes[0].find("nothing was measured: there is no b"), std::string::npos) << results.notes[0];
    EXPECT_NE(results.notes[0].find("it comes from the "), std::string::npos) << results.notes[0];
    EXPECT_EQ(results.options.at("data"), "/nowhere");
  }
  EXPECT_EQ(data_folder("there"), "there");
}

TEST(RealData, StudiesRefuseMethodsTheyDoNotKnow) {
  EXPECT_THROW(run_experiment("bike:methods=CDA_M+TCB,data=/nowhere", quick), Error);
  EXPECT_THROW(run_experiment("bike:train_rows=1,data=/nowhere", quick), Error);
}

// Figures that were found with numpy and scikit-learn on the same tables.
class RealFigures : public testing::Test {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(data_folder("auto") + "/bike_sharing/hour.csv"))
      GTEST_SKIP() << "the data are not in " << data_folder("auto") << "; CDA_DATA names another place";
  }
};

TEST_F(RealFigures, OfBicyclesAreThoseOfLeastSquares) {
  const Results results = run_experiment("bike:methods=PCA", quick);
  EXPECT_NEAR(error_of(results, "no map: hours alone, no unit learnt"), 4316.0, 1.0);
  EXPECT_NEAR(error_of(results, "no map: hours alone, no unit learnt, times 24"), 896.0, 1.0);
  EXPECT_NEAR(error_of(results, "always the mean"), 1582.0, 80.0);  // of 20 rows, not of all
  EXPECT_NEAR(error_of(results, "all other rows of Y labelled, 5 parts"), 655.0, 15.0);
}

TEST_F(RealFigures, OfWeekendsAreThoseOfALinearSupportVectorMachine) {
  const Results results = run_experiment("energy:methods=PCA", quick);
  EXPECT_NEAR(error_of(results, "no map: common columns in z units of each table, X alone"), 0.182, 0.005);
  EXPECT_NEAR(error_of(results, "always the most frequent class"), 0.262, 0.003);
  EXPECT_NEAR(error_of(results, "all other rows of Y labelled, 5 parts"), 0.144, 0.012);
}

TEST_F(RealFigures, OfElectricityAreThoseOfLeastSquares) {
  const Results results = run_experiment("building_regression:methods=PCA,train_rows=1000", quick);
  EXPECT_NEAR(error_of(results, "no map: common columns in z units of each table, X alone"), 0.374, 0.01);
  EXPECT_NEAR(error_of(results, "always the mean"), 0.906, 0.01);
}

TEST_F(RealFigures, OfRelationsStandInTheirColumns) {
  const Results results =
      run_experiment("building_relations", {.effort = ExperimentOptions::Effort::quick, .runs = 1, .threads = 2});
  Index pairs = 0, scores = 0;
  for (const auto& row : results.rows) {
    ASSERT_EQ(row.size(), results.columns.size());
    for (std::size_t j = 0; j < row.size(); ++j) {
      const std::string& column = results.columns[j].name;
      if (std::holds_alternative<std::monostate>(row[j])) continue;
      EXPECT_EQ(std::holds_alternative<std::string>(row[j]),
                column == "data" || column == "method" || column == "verdict" || column == "x" || column == "y");
      EXPECT_EQ(std::holds_alternative<Share>(row[j]), column == "found" || column == "right");
    }
    pairs += std::get<std::string>(row[0]) == "real" ? 1 : 0;
    scores += std::holds_alternative<Share>(row[6]) ? 1 : 0;
  }
  EXPECT_EQ(pairs, 6 * 5);
  EXPECT_EQ(scores, 2 * 6);
  const auto& best = results.rows.front();  // iCDA where the truth is known
  EXPECT_GT(*std::get<Share>(best[6]).value(), 0.9);
  EXPECT_LT(std::get<double>(best[7]), 0.7);
}

TEST(Relations, AreClaimedByColumnsThatLeadTheSamePair) {
  Model model;
  model.pairs.resize(2);
  model.pairs[0].x_loadings = Eigen::Vector3d(0.9, -0.6, 0.1);
  model.pairs[0].y_loadings = Eigen::Vector2d(0.2, 0.8);
  model.pairs[1].x_loadings = Eigen::Vector3d(0.1, 0.7, 0.0);
  model.pairs[1].y_loadings = Eigen::Vector2d(-0.5, 0.9);
  EXPECT_EQ(claimed_relations(model), (Relations{{0, 1}, {1, 0}, {1, 1}}));
  EXPECT_EQ(leading_columns(model.pairs[0].x_loadings, {"a", "b", "c"}), "a (+0.90), b (-0.60)");
  EXPECT_EQ(leading_columns(Eigen::Vector2d(0.1, -0.2), {"a", "b"}), "b (-0.20)");
}

TEST(Relations, AreScoredBesideChance) {
  const Relations truth{{0, 0}, {1, 1}, {2, 2}, {3, 3}};
  const RelationScore all = score_relations(truth, truth, 4, Random(1, "places"));
  EXPECT_EQ(all.found.count, 4);
  EXPECT_EQ(all.right.of, 4);
  EXPECT_NEAR(all.found_by_chance, 0.25, 0.03);  // each is right in one of four places; sd .25 / sqrt 1000
  const RelationScore half = score_relations({{0, 0}, {0, 1}}, truth, 4, Random(1, "places"));
  EXPECT_DOUBLE_EQ(*half.found.value(), 0.25);
  EXPECT_DOUBLE_EQ(*half.right.value(), 0.5);
  EXPECT_EQ(score_relations({}, truth, 4, Random(1, "places")).found.count, 0);
}

TEST(Relations, OfSimulatedBuildingsAreThoseOfTheirDrivers) {
  const SyntheticPair pair = synthesise({.kind = "buildings", .n = 50, .k = 40, .seed = 1});
  const Relations truth = true_relations(pair.truth, pair.x, pair.y);
  EXPECT_EQ(truth.size(), 5u * 3u + 3u * 3u + 2u * 1u);
  EXPECT_EQ(same_named_columns(pair.x, pair.y).size(), 2u);  // electricity and heating
}

}  // namespace
