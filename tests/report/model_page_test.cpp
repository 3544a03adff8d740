// What the page of a model says, and that it is true of the model.
#include <gtest/gtest.h>

#include "cda/evidence.hpp"
#include "cda/fit.hpp"
#include "cda/report.hpp"
#include "report/model_figures.hpp"
#include "report/model_words.hpp"
#include "support/samples.hpp"

namespace cda {
namespace {

using test::skewed_rows;

struct Fitted {
  Table x = make_table(skewed_rows(150, 4, "x")), y = make_table(skewed_rows(120, 3, "y"), {}, "y");

  Model model(FitOptions options) const {
    Model found = fit(x, y, options);
    found.summary = summarise_fit(found, x, y);
    return found;
  }
};

PairEvidence some_evidence(Verdict verdict) {
  PairEvidence evidence;
  evidence.p = 0.02;
  evidence.statistic = 5.0;
  evidence.null_quantiles = Vector::LinSpaced(21, 0.0, 4.0);
  evidence.agreement_held_out = 0.92;
  evidence.agreement_at_least = 0.8;
  evidence.stability = 0.75;
  evidence.verdict = verdict;
  evidence.notes = {"the sign is open"};
  return evidence;
}

Model tested_model() {
  Model model = Fitted().model({.method = "CDA_M", .components = 2});
  model.evidence.emplace();
  model.evidence->global_p = 0.01;
  model.evidence->hypothesis = "shapes are unrelated";
  model.evidence->statement = "p = 0.01.";
  model.evidence->surrogates = 99;
  model.evidence->bootstraps = 9;
  model.evidence->pairs = {some_evidence(Verdict::supported), some_evidence(Verdict::no_evidence)};
  return model;
}

TEST(ModelWords, ASentenceNamesTheLeadingColumnsOfBothSides) {
  Model model = Fitted().model({.method = "CDA_M", .components = 1});
  model.x.columns = {"electricity", "occupancy", "age", "size"};
  model.y.columns = {"co2", "noise", "light"};
  model.pairs[0].x_loadings = Vector{{0.81, 0.55, -0.05, 0.1}};
  model.pairs[0].y_loadings = Vector{{0.9, -0.1, 0.2}};
  model.pairs[0].agreement = 0.5;
  EXPECT_EQ(
      pair_sentence(model, 0),
      "50 % of the shape agrees on the rows that were fitted; electricity (+0.81) and occupancy (+0.55) in X go with "
      "co2 (+0.90) in Y.");
  model.pairs[0].x_loadings = Vector{{0.08, 0.01, -0.05, 0.02}};
  EXPECT_NE(pair_sentence(model, 0).find(
                "; co2 (+0.90) in Y go with it, but no column of X clearly: electricity (+0.08) at most."),
            std::string::npos);
  model.x.columns[0] = std::string(200, 'e') + "\u00e4\u00e4";
  EXPECT_NE(
      pair_sentence(model, 0).find(std::string(38, 'e') + "\u2026" + std::string(16, 'e') + "\u00e4\u00e4 (+0.08)"),
      std::string::npos);
  Model tested = tested_model();
  EXPECT_EQ(pair_sentence(tested, 0).find("92 % of the shape agrees on rows not used for fitting"), 0U);
}

TEST(ModelWords, VerdictsAreThoseOfTheEvidence) {
  const std::vector<PageVerdict> found = verdicts(tested_model());
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found[0].level, PageVerdict::Level::good);
  EXPECT_NE(found[0].text.find("Of 2 pairs: 1 supported, 0 ambiguous, 1 without evidence."), std::string::npos);
  EXPECT_EQ(found[1].label, "pair 1: supported");
  EXPECT_EQ(found[2].label, "pair 2: no evidence");
  EXPECT_EQ(found[2].level, PageVerdict::Level::none);
  EXPECT_NE(found[1].text.find("probability 0.02"), std::string::npos);

  const Model plain = Fitted().model({.method = "CDA_M", .components = 1});
  EXPECT_EQ(verdicts(plain)[0].label, "not tested");
  EXPECT_NE(verdicts(plain)[0].text.find("`cda test X Y`"), std::string::npos);
}

TEST(ModelWords, APairThatIsNotSupportedSaysWhyNot) {
  Model model = tested_model();
  model.evidence->pairs[1].statement =
      "Pair 2 is ambiguous: the shapes agree, but unrelated tables often do (p = 0.1).";
  EXPECT_NE(verdicts(model)[2].text.find(". The shapes agree, but unrelated tables often do (p = 0.1)."),
            std::string::npos);
}

TEST(ModelWords, PairsWithoutEvidenceShareABox) {
  Model model = tested_model();
  model.pairs.resize(6, model.pairs[0]);
  model.evidence->pairs.resize(6, some_evidence(Verdict::no_evidence));
  model.evidence->pairs[4] = some_evidence(Verdict::ambiguous);
  const std::vector<PageVerdict> found = verdicts(model);
  ASSERT_EQ(found.size(), 4U);
  EXPECT_EQ(found[2].label, "pair 5: ambiguous");
  EXPECT_EQ(found[3].label, "pairs 2 to 4 and 6: no evidence");
  EXPECT_EQ(found[3].level, PageVerdict::Level::none);
}

TEST(ModelWords, VerdictsBeyondTheSixthAreCounted) {
  Model model = tested_model();
  model.pairs.resize(8, model.pairs[0]);
  model.evidence->pairs.resize(8, model.evidence->pairs[0]);
  EXPECT_EQ(verdicts(model).size(), 8U);
  EXPECT_EQ(verdicts(model).back().label, "2 further pairs");
  model.evidence.reset();
  EXPECT_EQ(verdicts(model).back().label, "5 further pairs");
}

// A small p against Gaussian tables says that both have structure, and never that they share it; and there it is the
// small objectives that are far from chance.
TEST(ModelWords, GaussianTablesAreNotCalledUnrelated) {
  Model model = tested_model();
  model.evidence->test = cda::Test::gaussian_reference;
  const std::vector<PageVerdict> found = verdicts(model);
  EXPECT_EQ(found[0].level, PageVerdict::Level::unsure);
  EXPECT_EQ(found[0].label.find("something is shared"), std::string::npos);
  EXPECT_NE(found[1].text.find("Gaussian tables match this well"), std::string::npos);
  model.evidence->pairs[0].statistic = -1.0;  // of null quantiles from 0 to 4
  Section section = divergence_section(model);
  EXPECT_EQ(section.figures[0].caption, "Below the band that holds 95 in 100 Gaussian tables: 1 of 2 pairs.");
  EXPECT_EQ(section.figures[0].columns["low"][0].get<double>(), model.evidence->pairs[0].null_quantiles[1]);
  EXPECT_EQ(section.figures[0].columns["high"][0].get<double>(), 4.0);
  EXPECT_EQ(null_section(model).heading, "Compared with Gaussian tables");
  model.evidence->test = cda::Test::component_match;
  section = divergence_section(model);
  EXPECT_EQ(section.figures[0].caption, "Beyond the band that holds 95 in 100 unrelated tables: 1 of 2 pairs.");
  EXPECT_EQ(section.figures[0].columns["low"][0].get<double>(), 0.0);
}

TEST(ModelWords, WarningsAreKeptAndThoseOfPairsNamed) {
  Model model = tested_model();
  model.warnings = {"few rows"};
  model.pairs[1].informative = false;
  const std::vector<std::string> all = page_warnings(model);
  ASSERT_EQ(all.size(), 4U);
  EXPECT_EQ(all[0], "few rows");
  EXPECT_EQ(all[1], "pair 1: the sign is open");
  EXPECT_EQ(all[3].find("pair 2 is not informative"), 0U);
}

TEST(ModelWords, TheCommandHasTheOptionsThatAreNotTheMethodsOwn) {
  const Fitted fitted;
  EXPECT_EQ(command_line(fitted.model({.method = "rCDA_Q", .components = 2, .starts = {}, .seed = 7})),
            "cda fit X Y --method rCDA_Q --pairs 2 --seed 7");
  EXPECT_EQ(command_line(fitted.model({.method = "rCDA_Q",
                                       .divergence = PartSpec("energy"),
                                       .prepare = std::vector<PartSpec>{"standardise", "whiten"},
                                       .components = 1,
                                       .starts = 5})),
            "cda fit X Y --method rCDA_Q --pairs 1 --divergence energy --prepare "
            "standardise+whiten:rows=0,tolerance=1e-10 --starts 5 --seed 0");
  EXPECT_EQ(command_line(fitted.model({.method = "PCA:sign=energy", .components = 1})),
            "cda fit X Y --method PCA:sign=energy --pairs 1 --seed 0");
  EXPECT_NE(command_line(tested_model()).find("cda test X Y"), std::string::npos);
  EXPECT_NE(command_line(tested_model()).find("--surrogates 99 --bootstrap 9"), std::string::npos);
  Model foreign = fitted.model({.method = "CDA_M", .components = 1});
  foreign.options.divergence = PartSpec("no_such_thing");
  EXPECT_EQ(command_line(foreign), "cda fit X Y --method CDA_M --seed 0");
}

TEST(ModelWords, TheCommandSaysHowTheTablesWereRead) {
  Model model = Fitted().model({.method = "CDA_M", .components = 1});
  model.reading["x_exclude"] = model.reading["y_exclude"] = "id,the date";
  model.reading["x_na"] = "none\n?";
  model.reading["y_only_numeric"] = "yes";
  EXPECT_EQ(command_line(model),
            "cda fit X Y --method CDA_M --exclude 'id,the date' --y-only-numeric --x-na none --x-na '?' --pairs 1 "
            "--seed 0");
}

TEST(ModelFigures, HoldTheNumbersOfTheModel) {
  const Model model = tested_model();
  const Section densities = density_section(model);
  ASSERT_EQ(densities.figures.size(), 2U);
  EXPECT_EQ(densities.figures[1].columns["x"].get<std::vector<double>>(),
            std::vector<double>(model.summary->pairs[1].x_density.begin(), model.summary->pairs[1].x_density.end()));
  const Section loadings = loading_section(model);
  const PageJson& columns = loadings.figures[0].columns;
  ASSERT_EQ(columns["column"].size(), 7U);
  for (std::size_t k = 0; k < 7; ++k) {
    const bool of_x = columns["side"][k] == "X";
    const auto& names = of_x ? model.x.columns : model.y.columns;
    const Vector& values = of_x ? model.pairs[0].x_loadings : model.pairs[0].y_loadings;
    const auto at = std::find(names.begin(), names.end(), columns["column"][k].get<std::string>()) - names.begin();
    EXPECT_EQ(columns["loading"][k].get<double>(), values[at]);
  }
  const Section null = null_section(model);
  EXPECT_EQ(null.figures[0].options["observed"], 5.0);
  const Section divergence = divergence_section(model);
  EXPECT_EQ(divergence.figures[0].columns["high"][0].get<double>(), model.evidence->pairs[0].null_quantiles[19]);
  const Section relations = relation_section(model);
  for (const PageJson& value : relations.figures[0].columns["value"]) EXPECT_LE(std::abs(value.get<double>()), 1.0);
  const Section convergence = convergence_section(Fitted().model({.method = "CDA_Q", .components = 1}));
  ASSERT_EQ(convergence.figures.size(), 1U);
  EXPECT_GT(convergence.figures[0].columns["x"].size(), 10U);
}

TEST(ModelFigures, TheCourseOfTheSearchIsToldByItsEnds) {
  Model model = Fitted().model({.method = "CDA_M", .components = 1});
  model.pairs[0].traces = {
      {"start 1", {0, 3, 7}, {5.0, 2.0, 1.0}}, {"start 2", {0, 4}, {4.0, 1.005}}, {"start 3", {0, 9}, {9.0, 3.0}}};
  EXPECT_EQ(convergence_section(model).figures.at(0).caption,
            "3 starts were followed, for 4 to 9 iterations; 2 of them ended within 1 % of the smallest objective, 1.");
  // Components are searched for in each table by itself, and their contrast is to be large.
  model.pairs[0].components = {1, 1};
  model.pairs[0].traces = {
      {"X, start 1", {0, 2}, {0.1, 0.5}}, {"Y, start 4", {0, 3}, {0.1, 0.2}}, {"Y, start 6", {0, 3}, {0.1, 0.3}}};
  const Figure apart = convergence_section(model).figures.at(0);
  EXPECT_EQ(apart.caption,
            "In X 1 start was followed, for 2 iterations, to a contrast of 0.5. In Y 2 starts were followed, for 3 "
            "iterations; 1 of them ended within 1 % of the largest contrast, 0.3.");
  EXPECT_EQ(apart.columns["side"].get<std::vector<std::string>>(),
            (std::vector<std::string>{"X", "X", "Y", "Y", "Y", "Y"}));
}

// Whatever was not computed is left out and said, and nothing is empty.
TEST(ModelFigures, ManyPairsManyColumnsAndNothingComputed) {
  const Table x = make_table(skewed_rows(300, 60, "x")), y = make_table(skewed_rows(300, 55, "y"), {}, "y");
  Model model = fit(x, y, {.method = "PCA", .components = 52});
  const Section loadings = loading_section(model);
  EXPECT_EQ(loadings.figures.size(), most_pairs_drawn + 2);  // and two maps
  EXPECT_NE(loadings.text.back().find("The 8 strongest of each side"), std::string::npos);
  EXPECT_TRUE(density_section(model).figures.empty());
  EXPECT_NE(loadings.figures.back().caption.find("40 strongest of 55"), std::string::npos);
  const std::string without = report_html(model);
  EXPECT_NE(without.find("kept without a summary"), std::string::npos);
  EXPECT_NE(without.find("first 50 of 52 pairs"), std::string::npos);
  model.summary = summarise_fit(model, x, y);
  const std::string page = report_html(model);
  EXPECT_EQ(page.find("kept without a summary"), std::string::npos);
  EXPECT_LT(page.size(), 1500000U);
  EXPECT_EQ(report_html(Model::from_json(model.to_json())), page);
}

}  // namespace
}  // namespace cda
