// Writes pages with every kind of figure, ordinary and hostile ones, to the directory given: the tests in web/tests
// open them in a browser and look at what is there.
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include "report/page.hpp"

using namespace cda;

namespace {

double normal_density(double value, double centre, double spread) {
  const double z = (value - centre) / spread;
  return std::exp(-0.5 * z * z) / (spread * std::sqrt(2.0 * M_PI));
}

Figure densities(int pair) {
  PageJson value, x, y;
  const double shift = 0.15 * pair;
  for (int i = 0; i <= 200; ++i) {
    const double at = -4.0 + 0.04 * i;
    value.push_back(at);
    x.push_back(0.55 * normal_density(at, -1.1, 0.55) + 0.45 * normal_density(at, 1.2, 0.8));
    y.push_back(0.5 * normal_density(at, -0.9 + shift, 0.6) + 0.5 * normal_density(at, 1.4, 0.75));
  }
  return {.id = "density-" + std::to_string(pair),
          .kind = "densities",
          .title = "Pair " + std::to_string(pair),
          .caption = "The middle halves of both overlap by 91%; the largest gap between the two distributions is 0.06.",
          .columns = {{"value", value}, {"x", x}, {"y", y}},
          .options = {{"value_label", "projected value"}, {"x_label", "X: north wing"}, {"y_label", "Y: south wing"}}};
}

Figure loadings(const std::string& id, const std::vector<std::string>& x_names,
                const std::vector<std::string>& y_names) {
  PageJson side, column, loading, low, high;
  const auto add = [&](const char* which, const std::vector<std::string>& names) {
    for (std::size_t i = 0; i < names.size(); ++i) {
      const double value = (i % 2 == 0 ? 1.0 : -1.0) * 0.93 * std::exp(-0.35 * static_cast<double>(i));
      side.push_back(which);
      column.push_back(names[i]);
      loading.push_back(value);
      low.push_back(std::max(-1.0, value - 0.09));
      high.push_back(std::min(1.0, value + 0.06));
    }
  };
  add("X", x_names);
  add("Y", y_names);
  return {.id = id,
          .kind = "loadings",
          .title = "Pair 1",
          .caption = "In X power_heating goes with the pair most strongly (0.93), in Y heat_demand does (0.93).",
          .columns = {{"side", side}, {"column", column}, {"loading", loading}, {"low", low}, {"high", high}},
          .options = {{"x_label", "X: north wing"}, {"y_label", "Y: south wing"}}};
}

Figure intervals(int pairs) {
  PageJson label, value, low, high, reference;
  for (int pair = 1; pair <= pairs; ++pair) {
    label.push_back("pair " + std::to_string(pair));
    value.push_back(0.97 - 0.6 * (pair - 1) / std::max(3, pairs));
    low.push_back(0.31 + 0.02 * (pair % 3));
    high.push_back(0.78 - 0.02 * (pair % 5));
    reference.push_back(0.55);
  }
  return {.id = "agreement",
          .kind = "intervals",
          .title = "Agreement of each pair",
          .caption = "Pair 1 agrees better than 95% of unrelated tables; the others lie within what chance gives.",
          .columns = {{"label", label}, {"value", value}, {"low", low}, {"high", high}, {"reference", reference}},
          .options = {{"value_label", "agreement"},
                      {"band_label", "90% of unrelated tables"},
                      {"reference_label", "their median"},
                      {"band", "null"}}};
}

Figure grouped_intervals() {
  return {.id = "scores",
          .kind = "intervals",
          .title = "Scores with their errors",
          .caption = "On both data sets CDA is ahead of principal components by more than the error.",
          .columns = {{"group", {"bike", "bike", "energy", "energy"}},
                      {"label", {"iCDA", "PCA", "iCDA", "PCA"}},
                      {"value", {0.81, 0.62, 0.74, 0.7}},
                      {"low", {0.77, 0.55, 0.71, 0.66}},
                      {"high", {0.85, 0.69, 0.77, nullptr}},
                      {"reference", {0.5, 0.5, 0.5, 0.5}}},
          .options = {{"value_label", "share found"},
                      {"band_label", "standard error"},
                      {"reference_label", "chance"},
                      {"band", "error"}}};
}

Figure quantiles() {
  PageJson level, x, y;
  for (int i = 1; i < 40; ++i) {
    const double at = i / 40.0, logit = std::log(at / (1.0 - at));
    level.push_back(at);
    x.push_back(0.6 * logit);
    y.push_back(0.6 * logit + 0.12 * std::sin(logit));
  }
  return {.id = "qq-1",
          .kind = "qq",
          .title = "Pair 1",
          .caption = "Quantile against quantile: the points stay within 0.12 of the diagonal.",
          .columns = {{"level", level}, {"x", x}, {"y", y}},
          .options = {{"x_label", "X: north wing"}, {"y_label", "Y: south wing"}}};
}

Figure chance() {
  PageJson level, value;
  for (int i = 0; i <= 20; ++i) {
    level.push_back(i / 20.0);
    value.push_back(0.55 + 0.09 * std::log((i + 0.4) / (20.4 - i)));
  }
  return {.id = "null-1",
          .kind = "null",
          .title = "Pair 1 against chance",
          .caption = "Each dot stands for one in twenty unrelated tables; none of them agrees as well as these two.",
          .columns = {{"level", level}, {"value", value}},
          .options = {{"observed", 0.97}, {"value_label", "agreement"}, {"p_label", "p = 0.005"}}};
}

Figure heat(const std::string& id, const std::vector<std::string>& row_names,
            const std::vector<std::string>& column_names) {
  PageJson row, column, value;
  for (std::size_t i = 0; i < row_names.size(); ++i)
    for (std::size_t j = 0; j < column_names.size(); ++j) {
      row.push_back(row_names[i]);
      column.push_back(column_names[j]);
      value.push_back(std::cos(1.3 * static_cast<double>(i) - 1.1 * static_cast<double>(j)) *
                      std::exp(-0.12 * static_cast<double>(i + j)));
    }
  return {.id = id,
          .kind = "heat",
          .title = "Columns of X and columns of Y",
          .caption = "power_heating and heat_demand move together (1.00).",
          .columns = {{"row", row}, {"column", column}, {"value", value}},
          .options = {{"row_label", "X"}, {"column_label", "Y"}, {"value_label", "relation"}}};
}

Figure scatter() {
  PageJson side, x, y, count;
  for (const char* which : {"X", "Y"})
    for (int i = 0; i < 24; ++i)
      for (int j = 0; j < 24; ++j) {
        const double at_x = -3.0 + 0.25 * i, at_y = -3.0 + 0.25 * j, turn = *which == 'X' ? 0.5 : 0.4;
        const double density = normal_density(at_x, -0.9, 0.6) * normal_density(at_y - turn * at_x, 0.6, 0.5) +
                               normal_density(at_x, 1.1, 0.7) * normal_density(at_y + turn * at_x, -0.2, 0.7);
        const int rows = static_cast<int>(std::lround(60.0 * density));
        if (rows == 0) continue;
        side.push_back(which);
        x.push_back(at_x);
        y.push_back(at_y);
        count.push_back(rows);
      }
  return {.id = "joint-1-2",
          .kind = "bins",
          .title = "Pairs 1 and 2 together",
          .caption = "Rows of both tables fill the same two regions of the common space.",
          .columns = {{"side", side}, {"x", x}, {"y", y}, {"count", count}},
          .options = {{"x_label", "pair 1"}, {"y_label", "pair 2"}, {"x_width", 0.25}, {"y_width", 0.25}}};
}

Figure convergence() {
  PageJson series, x, y;
  for (int start = 1; start <= 12; ++start)
    for (int step = 0; step <= 30; ++step) {
      series.push_back(start == 4 ? "the start that was kept" : "start " + std::to_string(start));
      x.push_back(step);
      y.push_back(0.002 * (1 + start % 4 * (start == 4 ? 0 : 1)) +
                  0.4 * std::exp(-0.2 * step * (1.0 + 0.1 * (start % 3))));
    }
  return {.id = "convergence-1",
          .kind = "lines",
          .title = "Pair 1: all starts",
          .caption = "3 of 12 starts reach the lowest divergence, 0.002.",
          .columns = {{"series", series}, {"x", x}, {"y", y}},
          .options = {{"x_label", "iteration"},
                      {"y_label", "divergence"},
                      {"log_y", true},
                      {"emphasis", "the start that was kept"}}};
}

Figure courses() {
  PageJson series, x, y, low, high;
  const std::vector<std::string> names{"iCDA", "CDA_M", "PCA", "CCA"};
  for (std::size_t i = 0; i < names.size(); ++i)
    for (int rows = 100; rows <= 900; rows += 200) {
      const double value = 0.95 - 0.15 * static_cast<double>(i) - 20.0 / rows;
      series.push_back(names[i]);
      x.push_back(rows);
      y.push_back(value);
      low.push_back(value - 6.0 / rows);
      high.push_back(value + 6.0 / rows);
    }
  return {.id = "rows",
          .kind = "lines",
          .title = "More rows help",
          .caption = "From 300 rows on the order of the methods no longer changes.",
          .columns = {{"series", series}, {"x", x}, {"y", y}, {"low", low}, {"high", high}},
          .options = {{"x_label", "rows"}, {"y_label", "agreement"}, {"legend", true}}};
}

Figure columns(const std::string& id, const std::vector<std::string>& names) {
  PageJson column, missing, distinct, lowest, median, mean, highest, deviation, histogram, note;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const double shift = static_cast<double>(i % 7);
    PageJson counts;
    for (int bin = 0; bin < 16; ++bin)
      counts.push_back(std::lround(200.0 * normal_density(bin, 4.0 + shift, 2.0 + 0.3 * shift)));
    column.push_back(names[i]);
    missing.push_back(i % 3 == 2 ? 12 : 0);
    distinct.push_back(1440 - 100 * static_cast<int>(i % 5));
    lowest.push_back(-1.25 * shift);
    median.push_back(20.1 + shift);
    mean.push_back(20.4567 + shift);
    highest.push_back(1234.5 * (shift + 1.0));
    deviation.push_back(0.00042 * (shift + 1.0));
    histogram.push_back(counts);
    note.push_back(i == 3 ? "set aside: 2 values" : "");
  }
  return {.id = id,
          .kind = "columns",
          .title = "X: north wing",
          .caption = std::to_string(names.size()) + " columns; door_open was set aside because it has two values.",
          .columns = {{"column", column},
                      {"missing", missing},
                      {"distinct", distinct},
                      {"lowest", lowest},
                      {"median", median},
                      {"mean", mean},
                      {"highest", highest},
                      {"sd", deviation},
                      {"histogram", histogram},
                      {"note", note}}};
}

Section section(const std::string& id, const std::string& heading, std::vector<std::string> text,
                std::vector<Figure> figures) {
  return {.id = id, .heading = heading, .text = std::move(text), .tables = {}, .figures = std::move(figures)};
}

std::vector<std::string> numbered(const std::string& name, int count) {
  std::vector<std::string> names;
  for (int i = 1; i <= count; ++i) names.push_back(name + std::to_string(i));
  return names;
}

const std::vector<std::string> x_names{"power_heating", "outdoor_temperature", "co2", "door_open", "light", "humidity"};
const std::vector<std::string> y_names{"heat_demand", "temperature_out", "air_quality", "rh", "lux"};

// Every kind of figure, as a reader of a report meets them.
Page ordinary() {
  Page page;
  page.title = "Two office buildings";
  page.subtitle = "iCDA on X.csv (1,440 rows, 6 columns) and Y.csv (1,200 rows, 5 columns): 3 pairs.";
  page.verdicts = {
      {PageVerdict::Level::good, "Pair 1 is supported.",
       "Unrelated tables agree as well in fewer than 1% of 199 draws."},
      {PageVerdict::Level::unsure, "Pair 2 is ambiguous.", "A second reading fits nearly as well: turn the sign of Y."},
      {PageVerdict::Level::none, "Pair 3: no evidence.", "Unrelated tables agree as well in 41% of the draws."}};
  page.warnings = {"The rows of X follow each other in time (lag-1 correlation 0.62): give `--block-length`."};
  Section pairs = section(
      "pairs", "The pairs",
      {"Each pair is a combination of columns of X and one of columns of Y whose values are distributed alike."},
      {intervals(3)});
  pairs.tables = {{.caption = "Pairs, the best first",
                   .heading = {"pair", "divergence", "agreement", "p", "verdict"},
                   .rows = {{"1", "0.0021", "0.97", "0.005", "supported"},
                            {"2", "0.0104", "0.88", "0.03", "ambiguous"},
                            {"3", "0.0410", "0.51", "0.41", "no evidence"}}}};
  Section reproduce =
      section("reproduce", "How to reproduce this",
              {"`cda fit X.csv Y.csv --components 3 --seed 0 --report page.html`", "Version `0.1.0`, seed 0."}, {});
  reproduce.folded = true;
  Section overview = section("columns", "What went in", {}, {columns("columns-x", x_names)});
  overview.folded = true;
  page.sections = {
      pairs,
      section("densities", "Do the values look alike?",
              {"Where the curves lie on each other, both tables say the same."}, {densities(1), densities(2)}),
      section("quantiles", "Where do they differ?", {}, {quantiles(), chance()}),
      section("loadings", "Which columns are behind it?",
              {"A loading is the correlation of a column with the projected values."},
              {loadings("loadings-1", x_names, y_names)}),
      section("relations", "Which columns go together?", {}, {heat("relations-x-y", x_names, y_names)}),
      section("joint", "The common space", {}, {scatter()}),
      section("convergence", "Was the search thorough?", {}, {convergence(), courses()}),
      section("beside", "Beside simpler means", {}, {grouped_intervals()}),
      overview,
      reproduce};
  page.footer = "Written by cda 0.1.0.";
  return page;
}

// Names and words from outside that try to be more than text.
Page hostile() {
  const std::vector<std::string> names{"<script>document.title='taken'</script>",
                                       "</script><img src=x onerror=document.title='taken'>",
                                       "\"'><b onmouseover=alert(1)>&amp;",
                                       "line\u2028separator\u2029and\nnew\tline",
                                       "\u202egnol eht\u202c turned",
                                       std::string(300, 'n'),
                                       "\U0001f642 emoji \u05e2\u05d1\u05e8\u05d9\u05ea",
                                       "=1+1",
                                       "-2+cmd|' /C calc'!A0",
                                       "not \xff UTF-8",
                                       "__proto__",
                                       ""};
  Page page;
  page.title = names[1];
  page.subtitle = names[0] + "`" + names[0];
  page.warnings = names;
  page.footer = names[4];
  for (const std::string& name : names) page.verdicts.push_back({PageVerdict::Level::neutral, name, name});
  Section first =
      section("names", names[0], names, {loadings("loadings-1", names, names), heat("heat-1", names, names)});
  first.tables = {{.caption = names[2], .heading = names, .rows = {names, names}}};
  Figure density = densities(1);
  density.title = names[0];
  density.caption = names[5];
  density.options = {{"value_label", names[0]}, {"x_label", names[5]}, {"y_label", names[4]}};
  Figure unknown = densities(2);
  unknown.id = "unknown";
  unknown.kind = "constructor";
  Figure course = courses();
  for (std::size_t i = 0; i < course.columns["series"].size(); ++i) course.columns["series"][i] = names[i / 5];
  Figure band = intervals(static_cast<int>(names.size()));
  band.columns["label"] = names;
  page.sections = {first,
                   section("others", names[5], {}, {density, unknown, columns("columns-1", names), course, band})};
  return page;
}

// The same figure with no number left in it.
Figure without_numbers(Figure figure) {
  figure.id += "-bare";
  for (auto& [name, cells] : figure.columns.items())
    for (auto& cell : cells)
      if (cell.is_number()) cell = nullptr;
  return figure;
}

// As little as there can be: one pair, one column on each side; figures without rows, and without numbers.
Page smallest() {
  Page page;
  page.title = "One pair";
  Figure single = intervals(1), bare = densities(1), constant = quantiles();
  for (const char* name : {"value", "x", "y"}) bare.columns[name] = PageJson::array();
  constant.columns = {{"level", {0.5}}, {"x", {2.0}}, {"y", {2.0}}};
  page.sections = {section("one", "One of each", {},
                           {single, loadings("loadings-1", {"a"}, {"b"}), heat("heat-1", {"a"}, {"b"}),
                            columns("columns-1", {"a"}), constant}),
                   section("empty", "Nothing to draw", {},
                           {bare, without_numbers(quantiles()), without_numbers(intervals(2)),
                            without_numbers(heat("heat-2", {"a"}, {"b"})), without_numbers(chance()),
                            without_numbers(scatter()), without_numbers(convergence()), without_numbers(courses()),
                            without_numbers(loadings("loadings-2", {"a"}, {"b"})),
                            without_numbers(columns("columns-2", {"a"})), without_numbers(densities(2))})};
  return page;
}

// 50 pairs, 1,000 columns.
Page largest() {
  Page page;
  page.title = "Fifty pairs of a thousand columns";
  const std::vector<std::string> names = numbered("column_with_a_name_", 1000);
  std::vector<Figure> all;
  for (int pair = 1; pair <= 50; ++pair) all.push_back(densities(pair));
  const std::vector<std::string> few(names.begin(), names.begin() + 50);
  page.sections = {
      section("pairs", "Pairs", {}, {intervals(50)}), section("densities", "Densities", {}, all),
      section("loadings", "Loadings", {}, {loadings("loadings-1", names, names)}),
      section("relations", "Relations", {}, {heat("heat-1", names, numbered("pair ", 10)), heat("heat-2", few, few)}),
      section("columns", "Columns", {}, {columns("columns-1", names)})};
  return page;
}

void write(const std::filesystem::path& path, const Page& page) {
  std::ofstream(path, std::ios::binary) << to_html(page);
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) {
    std::cerr << "usage: cda_sample_pages DIRECTORY\n";
    return 2;
  }
  const std::filesystem::path directory = arguments[1];
  std::filesystem::create_directories(directory);
  write(directory / "ordinary.html", ordinary());
  write(directory / "hostile.html", hostile());
  write(directory / "smallest.html", smallest());
  write(directory / "largest.html", largest());
}
