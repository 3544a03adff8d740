// What the page of a study draws of its rows, and what it says of that.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cda/extend/experiment.hpp"
#include "cda/report.hpp"

namespace cda {
namespace {

using Json = nlohmann::json;

// One chart as the reader's browser finds it.
struct Drawn {
  std::string kind, title, caption;
  Json columns, options;
};

std::string between(const std::string& text, const std::string& begin, const std::string& end, std::size_t& at) {
  const std::size_t from = text.find(begin, at) + begin.size(), to = text.find(end, from);
  at = to;
  return text.substr(from, to - from);
}

std::vector<Drawn> figures_of(const Results& results) {
  const std::string page = report_html(results);
  std::vector<Drawn> all;
  for (std::size_t at = page.find("<figure "); at != std::string::npos; at = page.find("<figure ", at)) {
    Drawn drawn;
    drawn.kind = between(page, "data-kind=\"", "\"", at);
    between(page, "<h3 id=\"", "\"", at);
    drawn.title = between(page, ">", "</h3>", at);
    drawn.caption = between(page, "-caption\">", "</figcaption>", at);
    const Json data = Json::parse(between(page, "<script type=\"application/json\">", "</script>", at));
    drawn.columns = data["columns"];
    drawn.options = data["options"];
    all.push_back(std::move(drawn));
  }
  return all;
}

Results some_results() {
  Results results;
  results.experiment = "study";
  results.title = "A study";
  results.columns = {{"method", ""}, {"n", ""}, {"error", ""}, {"sd", ""}, {"chance", ""}};
  const auto row = [&](const char* method, Index n, double error) {
    results.rows.push_back({std::string(method), n, error, 0.1, 0.5});
  };
  row("iCDA", 100, 0.25);
  row("PCA", 100, 0.75);
  row("iCDA", 200, 0.125);
  row("PCA", 200, 0.5);
  row("once", 200, 0.375);
  return results;
}

TEST(ResultsPage, APanelForEveryContentOfItsColumnsAndALineForEveryRow) {
  Results results = some_results();
  results.plots = {
      {.title = "error", .label = "method", .value = "error", .spread = "sd", .reference = "chance", .panels = {"n"}}};
  const std::vector<Drawn> figures = figures_of(results);
  ASSERT_EQ(figures.size(), 2U);
  EXPECT_EQ(figures[0].title, "error (n\u00a0=\u00a0100)");
  EXPECT_EQ(figures[0].kind, "intervals");
  EXPECT_EQ(figures[1].columns["label"], Json({"iCDA", "PCA", "once"}));
  EXPECT_EQ(figures[1].columns["value"], Json({0.125, 0.5, 0.375}));
  EXPECT_EQ(figures[1].columns["high"], Json({0.225, 0.6, 0.475}));
  EXPECT_EQ(figures[1].caption, "Smallest: iCDA (0.125). Largest: PCA (0.5). Below chance: 2 of 3.");
}

TEST(ResultsPage, CurvesForThoseWhoHaveTwoPlacesAndLinesWhereNobodyHas) {
  Results results = some_results();
  results.plots = {{.title = "error", .label = "method", .value = "error", .reference = "chance", .along = "n"}};
  const Drawn curves = figures_of(results).at(0);
  EXPECT_EQ(curves.kind, "lines");
  EXPECT_EQ(curves.columns["series"], Json({"iCDA", "PCA", "iCDA", "PCA", "chance", "chance"}));
  EXPECT_EQ(curves.options["reference"], "chance");
  EXPECT_EQ(curves.columns["x"], Json({100.0, 100.0, 200.0, 200.0, 100.0, 200.0}));
  results.rows.resize(2);
  const Drawn lines = figures_of(results).at(0);
  EXPECT_EQ(lines.kind, "intervals");
  EXPECT_EQ(lines.columns["label"], Json({"iCDA", "PCA"}));
}

TEST(ResultsPage, OfEachTheSmallestInTheirOrder) {
  Results results = some_results();
  results.plots = {{.title = "error", .label = "method", .value = "error", .smallest = true}};
  const Drawn best = figures_of(results).at(0);
  EXPECT_EQ(best.columns["label"], Json({"iCDA", "once", "PCA"}));
  EXPECT_EQ(best.columns["value"], Json({0.125, 0.375, 0.5}));
  EXPECT_NE(best.caption.find("chosen by it, and so flattered"), std::string::npos);
}

TEST(ResultsPage, ThoseWhoAreEquallySmallAreCounted) {
  Results results = some_results();
  for (auto& row : results.rows) row[2] = std::get<std::string>(row[0]) == "once" ? 1234.5 : 0.0;
  results.rows.push_back({std::string("third"), Index{200}, 0.0, 0.1, 0.5});
  results.plots = {{.title = "error: 0 is best", .label = "method", .value = "error"}};
  const Drawn drawn = figures_of(results).at(0);
  EXPECT_EQ(drawn.caption, "Smallest: iCDA and 2 others (0). Largest: once (1234).");
  EXPECT_EQ(drawn.options["value_label"], "error");
}

TEST(ResultsPage, TwoWhoAreComparedInOneRowStandBelowEachOther) {
  Results results;
  results.experiment = "study";
  results.columns = {{"first", ""}, {"second", ""}, {"first_x", ""}, {"second_x", ""},
                     {"ratio", ""}, {"low", ""},    {"high", ""}};
  results.rows = {{std::string("slow"), std::string("fast"), 0.5, 0.25, 0.2, 0.1, 0.3}};
  results.plots = {
      {.title = "error", .label = "first", .value = "first_x", .against = "second", .against_value = "second_x"},
      {.title = "ratio",
       .label = "first",
       .value = "ratio",
       .low = "low",
       .high = "high",
       .against = "second",
       .standard = 1.0,
       .standard_words = "equally fast"}};
  const std::vector<Drawn> figures = figures_of(results);
  ASSERT_EQ(figures.size(), 2U);
  EXPECT_EQ(figures[0].columns["group"], Json({"slow against fast", "slow against fast"}));
  EXPECT_EQ(figures[0].columns["label"], Json({"slow", "fast"}));
  EXPECT_EQ(figures[0].columns["value"], Json({0.5, 0.25}));
  EXPECT_EQ(figures[1].columns["group"], Json({"slow against fast"}));
  EXPECT_EQ(figures[1].columns["label"], Json({"ratio"}));
  EXPECT_EQ(figures[1].caption, "slow against fast: 0.2. Below 1: 1 of 1.");
  EXPECT_EQ(figures[1].columns["low"], Json({0.1}));
  EXPECT_EQ(figures[1].columns["reference"], Json({1.0}));
  EXPECT_EQ(figures[1].options["reference_label"], "1: equally fast");
}

TEST(ResultsPage, TheCommandHasTheOptionsOfTheStudyThatAreNotItsOwn) {
  Results results = some_results();
  results.experiment = "calibration";
  results.runs = 3;
  results.options = {
      {"effort", "usual"}, {"rows", "300"}, {"scenarios", "all"}, {"surrogates", "499"}, {"bootstraps", "0"}};
  EXPECT_NE(report_html(results).find("cda experiment calibration:bootstraps=0,rows=300 --runs 3 --seed 0"),
            std::string::npos);
}

TEST(ResultsPage, SaysHowToDoItAgainAndShowsTheListing) {
  Results results = some_results();
  results.runs = 3;
  results.seed = 7;
  results.options = {{"effort", "quick"}};
  results.listing = "{2, 1.23},\n";
  const std::string page = report_html(results);
  EXPECT_NE(page.find("cda experiment study --quick --runs 3 --seed 7"), std::string::npos);
  EXPECT_NE(page.find("{2, 1.23},"), std::string::npos);
}

}  // namespace
}  // namespace cda
