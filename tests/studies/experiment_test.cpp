// What every study keeps to, and the figures they are judged by.
#include "cda/extend/experiment.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>

#include "studies/planted_sources.hpp"
#include "studies/scenarios.hpp"
#include "studies/shares.hpp"
#include "studies/true_sources.hpp"
#include "table/synthetic_kinds.hpp"

namespace {

using namespace cda;

// Each study as small as it goes.
std::vector<PartSpec> small_studies() {
  return {"recovery:compare=no", "calibration:scenarios=shared-1,surrogates=19,bootstraps=2", "thresholds"};
}
ExperimentOptions small(int threads, std::uint64_t seed = 3) {
  return {.effort = ExperimentOptions::Effort::quick, .runs = 2, .seed = seed, .threads = threads};
}

TEST(Experiments, AreTheSameOnOneAndTwoThreadsAndDependOnTheSeed) {
  for (const PartSpec& study : small_studies()) {
    const std::string alone = run_experiment(study, small(1)).to_json();
    EXPECT_EQ(alone, run_experiment(study, small(2)).to_json()) << study.name;
  }
  EXPECT_NE(run_experiment("thresholds", small(2, 3)).listing, run_experiment("thresholds", small(2, 4)).listing);
}

TEST(Experiments, HaveACellForEveryColumnAndAnObjectForEveryRow) {
  for (const PartSpec& study : small_studies()) {
    const Results results = run_experiment(study, small(2));
    EXPECT_EQ(results.experiment, study.name);
    EXPECT_EQ(results.runs, 2);
    EXPECT_EQ(results.options.at("effort"), "quick");
    ASSERT_FALSE(results.rows.empty());
    for (const auto& row : results.rows) EXPECT_EQ(row.size(), results.columns.size()) << study.name;
    const auto json = nlohmann::json::parse(results.to_json());
    ASSERT_EQ(json["rows"].size(), results.rows.size());
    for (const ResultColumn& column : results.columns) EXPECT_TRUE(json["rows"][0].contains(column.name));
  }
}

TEST(Experiments, RecoveryOfOneSizeIsThatPartOfTheWhole) {
  const Results all = run_experiment("recovery:compare=no", small(2));
  const Results some = run_experiment("recovery:compare=no,rows=1000", small(2));
  ASSERT_FALSE(some.rows.empty());
  ASSERT_LT(some.rows.size(), all.rows.size());
  const auto json_of = [](const Results& results) { return nlohmann::json::parse(results.to_json())["rows"]; };
  const nlohmann::json whole = json_of(all), part = json_of(some);
  std::vector<nlohmann::json> expected;
  std::copy_if(whole.begin(), whole.end(), std::back_inserter(expected),
               [](const auto& row) { return row["n"] == 1000; });
  EXPECT_EQ(part, nlohmann::json(expected));
}

TEST(Experiments, StopWhenTheObserverSaysSo) {
  std::atomic<int> calls{0};
  try {
    run_experiment("recovery", small(2), [&](const std::string&, double share) {
      EXPECT_GE(share, 0.0);
      EXPECT_LE(share, 1.0);
      return ++calls < 5;
    });
    FAIL() << "went on";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), "interrupted");
    EXPECT_EQ(calls, 5);
  }
}

TEST(Experiments, RefuseWhatMakesNoSense) {
  const auto code_of = [](const PartSpec& study, const ExperimentOptions& options) -> std::string {
    try {
      run_experiment(study, options);
    } catch (const Error& error) {
      return error.code();
    }
    return "accepted";
  };
  EXPECT_EQ(code_of("recovry", {}), "name.unknown");
  EXPECT_EQ(code_of("recovery", {.runs = 0}), "option.value");
  EXPECT_EQ(code_of("recovery:rows=400", {}), "option.value");
  EXPECT_EQ(code_of("calibration:scenarios=gausian", {}), "name.unknown");
  EXPECT_EQ(code_of("calibration:surrogates=1", {}), "option.value");
}

// By definition its bounds p are where the observed share q is 1.96 standard deviations away: (q - p)^2 = z^2 p (1 - p)
// / n.
TEST(Share, HasTheWilsonInterval) {
  for (const Share share : {Share{1, 10}, Share{7, 200}, Share{199, 200}}) {
    const auto [low, high] = share.interval();
    EXPECT_LT(low, *share.value());
    EXPECT_GT(high, *share.value());
    for (const double p : {low, high})
      EXPECT_NEAR(std::abs(*share.value() - p), 1.959964 * std::sqrt(p * (1.0 - p) / static_cast<double>(share.of)),
                  1e-7);
  }
  EXPECT_EQ((Share{0, 200}.interval().first), 0.0);
  EXPECT_EQ((Share{200, 200}.interval().second), 1.0);
  EXPECT_FALSE((Share{0, 0}.value().has_value()));
}

TEST(Share, IsComparedByExactBinomialTails) {
  double at_most = 0.0;  // sum_{k <= 3} of 20 over k times .1^k .9^(20 - k), term by term
  double term = std::pow(0.9, 20);
  for (int k = 0; k <= 3; ++k) {
    at_most += term;
    term *= (20.0 - k) / (k + 1.0) * (0.1 / 0.9);
  }
  EXPECT_NEAR(chance_of_at_most({3, 20}, 0.1), at_most, 1e-12);
  EXPECT_NEAR(chance_of_at_least({4, 20}, 0.1), 1.0 - at_most, 1e-12);
  EXPECT_EQ(chance_of_at_least({0, 20}, 0.1), 1.0);
  EXPECT_EQ(compared_with_level({1, 100}, 0.05).rfind("not above .05", 0), 0u);
  EXPECT_EQ(compared_with_level({15, 100}, 0.05).rfind("significantly above .05", 0), 0u);
  EXPECT_EQ(compared_with_power({20, 100}, 0.5), "significantly below .50 (P < .001)");
}

TEST(PlantedSources, AreFoundWhereOnePairIsTheSourceOnBothSidesOnly) {
  const Planted planted = plant({.kind = "sources", .n = 400, .k = 300, .m = 5, .l = 4, .shared = 3, .seed = 2});
  const SyntheticPair& data = planted.pair;
  Matrix x = -2.0 * planted.x_sources, y = planted.y_sources;
  x.array() += 7.0;  // neither offset, nor length, nor sign matter
  EXPECT_EQ(sources_of_pairs(data, x, y), (std::vector<Index>{0, 1, 2}));
  y.col(1).swap(y.col(2));  // right on each side, but not with each other
  EXPECT_EQ(sources_of_pairs(data, x, y), (std::vector<Index>{0, -1, -1}));
  EXPECT_EQ(found_sources({0, -1, 0}, 3), (std::vector<bool>{true, false, false}));
}

// With this many rows no two of the ten shapes can be taken for each other; sorted, as pairs come by agreement.
std::vector<Index> sorted_matches(std::vector<Index> sources) {
  std::sort(sources.begin(), sources.end());
  return sources;
}

TEST(TrueSources, AreAllMatchedInLongTables) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    const Planted planted =
        plant({.kind = "sources", .n = 20000, .k = 15000, .m = 6, .l = 5, .shared = 3, .own = 0, .seed = seed});
    EXPECT_EQ(sorted_matches(matched_true_sources(planted)), (std::vector<Index>{0, 1, 2}));
    EXPECT_EQ(matched_known_shapes(planted), (std::vector<Index>{0, 1, 2}));
  }
}

TEST(TrueSources, ThatOnlyOneTableHasAreRivalsButNoMatch) {
  Planted planted = plant({.kind = "sources", .n = 20000, .k = 15000, .shared = 3, .own = 2, .seed = 4});
  ASSERT_EQ(planted.x_own.cols(), 2);
  EXPECT_EQ(found_sources(matched_true_sources(planted), 3), std::vector<bool>(3, true));
  EXPECT_EQ(matched_known_shapes(planted), (std::vector<Index>{0, 1, 2}));
  planted.y_own.col(0) = planted.x_sources.col(1).head(15000);  // now what is shared looks like what is not
  planted.y_sources.col(1) = planted.x_own.col(0).head(15000);
  EXPECT_EQ(found_sources(matched_true_sources(planted), 3), (std::vector<bool>{true, false, true}));
  EXPECT_EQ(found_sources(matched_known_shapes(planted), 3), (std::vector<bool>{true, false, true}));
}

TEST(TrueSources, AreMatchedWhateverTheirSign) {
  Planted planted = plant({.kind = "sources", .n = 20000, .k = 15000, .shared = 4, .seed = 5});
  planted.x_sources *= -1.0;
  EXPECT_EQ(sorted_matches(matched_true_sources(planted)), (std::vector<Index>{0, 1, 2, 3}));
  EXPECT_EQ(matched_known_shapes(planted), (std::vector<Index>{0, 1, 2, 3}));
}

TEST(Scenarios, PlantTheShapesTheyName) {
  for (const Scenario& scenario : scenarios()) {
    const SyntheticPair pair = draw_scenario(scenario, 50, Random(1, "scenario"));
    EXPECT_EQ(pair.x.rows(), 50);
    EXPECT_EQ(pair.x.columns(), scenario.m);
    EXPECT_EQ(pair.y.columns(), scenario.l);
    const Truth& truth = pair.truth;
    EXPECT_EQ(static_cast<Index>(truth.sources.size()), scenario.shared) << scenario.name;
    EXPECT_EQ(truth.x_directions.cols(), scenario.shared);
    EXPECT_EQ(static_cast<Index>(truth.x_own.size()), scenario.x_own);
    EXPECT_EQ(static_cast<Index>(truth.y_own.size()), scenario.y_own);
    EXPECT_EQ(scenario.kind == Scenario::Kind::power, scenario.shared > 0);
  }
}

TEST(Scenarios, RepeatShapesOnlyWhereTheyMayCoincide) {
  for (const Scenario& scenario : scenarios()) {
    bool repeated = false;
    for (std::uint64_t seed = 0; seed < 30; ++seed) {
      const Truth truth = draw_scenario(scenario, 20, Random(seed, "scenario")).truth;
      for (const std::string& shape : truth.x_own)
        repeated = repeated || std::count(truth.y_own.begin(), truth.y_own.end(), shape) > 0;
    }
    EXPECT_EQ(repeated, scenario.kind == Scenario::Kind::apart) << scenario.name;
  }
}

}  // namespace
