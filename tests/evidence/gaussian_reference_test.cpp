// The Gaussian reference and "not identified", for the paper's methods.
#include <gtest/gtest.h>

#include "evidence/planted.hpp"

namespace cda {
namespace {

using test::examined;

FitOptions options_for(const char* method, bool whiten, Index components = 1) {
  FitOptions options;
  options.method = method;
  if (whiten) options.prepare = std::vector<PartSpec>{PartSpec("whiten")};
  options.components = components;
  options.starts = 20;
  options.refined = 4;
  options.threads = 1;
  return options;
}

EvidenceOptions gaussian(int surrogates, int bootstraps = 0) {
  return {.null = EvidenceOptions::Null::automatic, .surrogates = surrogates, .bootstraps = bootstraps};
}

TEST(GaussianReference, SaysWhichHypothesisItTests) {
  const Table x = test::gaussian_table(80, 3, "x"), y = test::gaussian_table(70, 2, "y");
  const Evidence evidence = examined(x, y, options_for("CDA_Q", true), gaussian(3)).evidence;
  EXPECT_EQ(evidence.test, cda::Test::gaussian_reference);
  EXPECT_EQ(evidence.hypothesis, "at least one of the two tables is Gaussian, with the covariances observed");
  EXPECT_EQ(evidence.surrogates, 3);
}

TEST(GaussianReference, FindsGaussianTablesUnsurprising) {
  const Table x = test::gaussian_table(200, 3, "x"), y = test::gaussian_table(180, 3, "y");
  for (const char* method : {"CDA_Q", "CDA_M", "rCDA_Q"}) {
    const auto [model, evidence] = examined(x, y, options_for(method, false, 2), gaussian(19));
    EXPECT_GT(*evidence.global_p, 0.05) << method;
    for (const PairEvidence& pair : evidence.pairs) EXPECT_GT(*pair.p, 0.05) << method;
  }
}

TEST(GaussianReference, FindsThatBothTablesHaveStructureAlsoWhereItDiffers) {
  Random random(3, "different");
  const Table x = test::mixed(test::two_groups(250, random), 3, random, "x").table;
  const Table y = test::mixed(test::two_groups(250, random), 3, random, "y").table;
  FitOptions options = options_for("iCDA", true);
  EvidenceOptions how = gaussian(39);
  how.null = EvidenceOptions::Null::gaussian;
  const Evidence evidence = examined(x, y, options, how).evidence;
  EXPECT_LE(*evidence.pairs[0].p, 0.05);
  EXPECT_LE(*evidence.global_p, 0.05);
  EXPECT_NE(evidence.statement.find("whether it is the same, this test cannot say"), std::string::npos);
  EXPECT_NE(evidence.pairs[0].verdict, Verdict::supported);
}

TEST(GaussianReference, OneGaussianTableIsEnoughForALargeP) {
  const Table x = test::two_group_table(250, 3, "x"), y = test::gaussian_table(250, 3, "y");
  EvidenceOptions how = gaussian(19);
  how.null = EvidenceOptions::Null::gaussian;
  EXPECT_GT(*examined(x, y, options_for("iCDA", true), how).evidence.pairs[0].p, 0.05);
}

TEST(GaussianReference, HasTheMeansAndCovariancesOfTheTablesWhateverTheirUnits) {
  // The extended Mallows distance sees nothing else: its p is that of one draw among equals, never small, also where
  // columns differ by many powers of ten and lie far from zero.
  Table x = test::two_group_table(200, 3, "x"), y = test::two_group_table(200, 3, "y");
  x.values.col(1) *= 1e150;
  x.values.col(2) = x.values.col(2).array() * 1e-9 + 5.0;
  const auto [model, evidence] = examined(x, y, options_for("CDA_M", false, 2), gaussian(39));
  for (const PairEvidence& pair : evidence.pairs) {
    EXPECT_GT(*pair.p, 0.025);
    EXPECT_LT(pair.null_quantiles[0], *pair.statistic);
    EXPECT_GT(pair.null_quantiles[20], 0.1 * *pair.statistic);
  }
}

TEST(GaussianReference, ServesPairsFoundTogether) {
  const Table x = test::gaussian_table(60, 3, "x"), y = test::gaussian_table(60, 3, "y");
  FitOptions options = options_for("mCDA_P", true, 2);
  options.starts = 2;
  options.refined = 1;
  options.divergence = PartSpec("energy");
  const auto [model, evidence] = examined(x, y, options, gaussian(9, 3));
  ASSERT_EQ(evidence.pairs.size(), 2U);
  EXPECT_EQ(evidence.pairs[0].statistic, model.pairs[0].divergence);
  EXPECT_TRUE(evidence.pairs[1].stability.has_value());
  EXPECT_GT(*evidence.global_p, 0.05);
}

TEST(GaussianReference, IsTheSameOnAnyNumberOfThreads) {
  const Table x = test::two_group_table(100, 3, "x"), y = test::two_group_table(90, 2, "y");
  FitOptions options = options_for("CDA_Q", true, 2);
  const Evidence one = examined(x, y, options, gaussian(5, 3)).evidence;
  options.threads = 2;
  test::expect_same(one, examined(x, y, options, gaussian(5, 3)).evidence);
}

TEST(Identification, IsDeniedWhereEveryDirectionMatchesAlike) {
  // Whitened Gaussian tables look the same from everywhere.
  const Table x = test::gaussian_table(150, 4, "x"), y = test::gaussian_table(150, 4, "y");
  for (const char* method : {"CDA_M", "CDA_Q"}) {
    const auto [model, evidence] = examined(x, y, options_for(method, true), gaussian(5, 9));
    EXPECT_NE(evidence.pairs[0].statement.find("not identified"), std::string::npos) << method;
    EXPECT_EQ(evidence.pairs[0].verdict, Verdict::no_evidence);
  }
  // The extended Mallows distance sees only what whitening has made equal: no resampling is needed to tell.
  const auto [model, evidence] = examined(x, y, options_for("CDA_M", true), gaussian(5, 0));
  EXPECT_NE(evidence.pairs[0].statement.find("random directions match nearly as well"), std::string::npos)
      << evidence.pairs[0].statement;
}

TEST(Identification, IsGrantedWhereOneDirectionStandsOut) {
  // A wide shared direction: its mean and spread are matched there alone.
  Random random(9, "wide");
  Matrix a = 0.1 * random.normals(200, 3), b = 0.1 * random.normals(200, 3);
  a.col(0) = test::two_groups(200, random).array() + 3.0;
  b.col(0) = a.col(0);
  a.col(1).array() -= 1.0;
  b.col(2).array() += 2.0;
  FitOptions options = options_for("CDA_Q", false);
  options.prepare = std::vector<PartSpec>{};
  const auto [model, evidence] = examined(make_table(a, {}, "x"), make_table(b, {}, "y"), options, gaussian(5, 9));
  EXPECT_GE(*evidence.pairs[0].stability, 0.0);
  EXPECT_EQ(evidence.pairs[0].statement.find("random directions"), std::string::npos) << evidence.pairs[0].statement;
}

TEST(Identification, WithoutATestSaysSoInTheWordsOfTheMethod) {
  const Table x = test::two_group_table(100, 2, "x"), y = test::two_group_table(100, 2, "y");
  const auto [model, evidence] = examined(x, y, options_for("CDA_M", false), gaussian(0, 0));
  EXPECT_EQ(evidence.statement, "No test was run.");
  EXPECT_EQ(evidence.pairs[0].statement, "Pair 1: it was not tested.");
}

}  // namespace
}  // namespace cda
