// The test against foreign shapes, refitted. Searches are short here: what is tested is the test, not the search.
#include <gtest/gtest.h>

#include "evidence/planted.hpp"

namespace cda {
namespace {

using test::examined;

FitOptions short_search(const char* formulation, Index components) {
  FitOptions options;
  options.formulation = PartSpec(formulation);
  options.components = components;
  options.starts = 40;
  options.refined = 4;
  options.threads = 1;
  return options;
}

constexpr const char* joint = "contrast:search=joint";

EvidenceOptions refitting(int surrogates) {
  return {.null = EvidenceOptions::Null::refitting, .surrogates = surrogates, .bootstraps = 0};
}

// The same rows seen through two mixings, so that the shapes are alike as far as they can be.
std::pair<Table, Table> shared_source(Index rows) {
  Random random(21, "shared");
  const Vector source = test::two_groups(rows, random);
  return {test::mixed(source, 4, random, "x").table, test::mixed(source, 3, random, "y").table};
}

TEST(Refitting, FindsASharedSourceUnlikelyToBeForeign) {
  const auto [x, y] = shared_source(250);
  const auto [model, evidence] = examined(x, y, short_search(joint, 1), refitting(39));
  EXPECT_EQ(evidence.test, cda::Test::refitting);
  EXPECT_NE(evidence.hypothesis.find("unrelated"), std::string::npos);
  EXPECT_LE(*evidence.pairs[0].p, 0.05);
  EXPECT_LE(*evidence.global_p, 0.05);
  // J_.1 of a match with agreement above .9 is negative, and lies below what foreign tables reach.
  EXPECT_LT(*evidence.pairs[0].statistic, evidence.pairs[0].null_quantiles[1]);
}

TEST(Refitting, SaysNothingOfGaussianTables) {
  const Table x = test::gaussian_table(250, 4, "u"), y = test::gaussian_table(250, 3, "v");
  const auto [model, evidence] = examined(x, y, short_search(joint, 1), refitting(29));
  EXPECT_GT(*evidence.pairs[0].p, 0.05);
  EXPECT_GT(*evidence.global_p, 0.05);
  EXPECT_EQ(evidence.pairs[0].verdict, Verdict::no_evidence);
  ASSERT_EQ(evidence.warnings.size(), 2U);  // a joint search does not say so itself
  EXPECT_NE(evidence.warnings[0].find("X: no direction differs detectably"), std::string::npos);
}

TEST(Refitting, SaysNothingOfDifferentShapes) {
  Random random(5, "different");
  const Table x = test::mixed(test::two_groups(250, random), 4, random, "x").table;
  const Table y = test::mixed(test::exponentials(250, random), 3, random, "y").table;
  const auto [model, evidence] = examined(x, y, short_search(joint, 1), refitting(19));
  EXPECT_GT(*evidence.pairs[0].p, 0.05);
  EXPECT_TRUE(evidence.warnings.empty()) << evidence.warnings.front();  // both have shapes
}

TEST(Refitting, TestsFurtherPairsInWhatIsLeftAndStopsAtTheFirstThatIsNotSupported) {
  const auto [x, y] = shared_source(250);
  const auto [model, evidence] = examined(x, y, short_search(joint, 3), refitting(19));
  EXPECT_LE(*evidence.pairs[0].p, 0.05);
  EXPECT_GT(*evidence.pairs[1].p, 0.05);  // one source is shared, no more
  EXPECT_EQ(evidence.pairs[2].p, evidence.pairs[1].p);
  EXPECT_TRUE(evidence.pairs[1].statistic.has_value());
  EXPECT_FALSE(evidence.pairs[2].statistic.has_value());  // not tested
}

TEST(Refitting, ServesMatchedAndRefinedComponents) {
  const auto [x, y] = shared_source(250);
  for (const char* formulation : {"contrast", "contrast:refine=yes"}) {
    const auto [model, evidence] = examined(x, y, short_search(formulation, 0), refitting(19));
    EXPECT_LE(*evidence.pairs[0].p, 0.05) << formulation;
    EXPECT_EQ(evidence.test, cda::Test::refitting);
  }
}

TEST(Refitting, IsTheSameOnAnyNumberOfThreads) {
  const auto [x, y] = shared_source(120);
  FitOptions options = short_search(joint, 2);
  EvidenceOptions how = refitting(7);
  how.bootstraps = 3;
  const Evidence one = examined(x, y, options, how).evidence;
  options.threads = 2;
  test::expect_same(one, examined(x, y, options, how).evidence);
}

TEST(Refitting, NeedsTheContrastOfICda) {
  const Table x = test::gaussian_table(60, 2, "x"), y = test::gaussian_table(60, 2, "y");
  FitOptions options;
  options.method = "CDA_M";
  EXPECT_THROW(examined(x, y, options, refitting(3)), Error);
}

TEST(Refitting, StopsWhenAsked) {
  const auto [x, y] = shared_source(120);
  const FitOptions options = short_search(joint, 1);
  const Model model = fit(x, y, options);
  int calls = 0;
  try {
    examine(x, y, model, refitting(19), [&](const EvidenceProgress&) { return ++calls < 50; });
    FAIL() << "went on";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), "interrupted");
  }
}

}  // namespace
}  // namespace cda
