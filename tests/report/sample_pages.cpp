// Writes pages with every kind of figure, ordinary and hostile ones, to the directory given: the tests in web/tests
// open them in a browser and look at what is there.
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <random>

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
      const double value = (i % 2 == 0 ? 1.0 : -1.0) * 0.95 * std::exp(-0.35 * static_cast<double>(i));
      side.push_back(which);
      column.push_back(names[i]);
      loading.push_back(value);
      low.push_back(std::max(-1.0, value - 0.09));
      high.push_back(std::min(1.0, value + 0.07));
    }
  };
  add("X", x_names);
  add("Y", y_names);
  return {.id = id,
          .kind = "loadings",
          .title = "Loadings of pair 1",
          .caption = "power_heating goes with the pair most strongly in X, and heat_demand in Y.",
          .columns = {{"side", side}, {"column", column}, {"loading", loading}, {"low", low}, {"high", high}},
          .options = {{"x_label", "X: north wing"}, {"y_label", "Y: south wing"}}};
}

Page ordinary() {
  Page page;
  page.title = "Two office buildings";
  page.subtitle = "iCDA on X.csv (1,440 rows, 6 columns) and Y.csv (1,200 rows, 5 columns), 3 pairs";
  page.verdicts = {
      {PageVerdict::Level::good, "Pair 1 is supported.",
       "Unrelated tables agree as well in fewer than 1% of 199 draws."},
      {PageVerdict::Level::unsure, "Pair 2 is ambiguous.", "A second reading fits nearly as well: turn the sign of Y."},
      {PageVerdict::Level::none, "Pair 3: no evidence.", "Unrelated tables agree as well in 41% of the draws."}};
  page.warnings = {"The rows of X follow each other in time (lag-1 correlation 0.62): give `--block-length`."};
  page.sections = {
      {.id = "pairs",
       .heading = "The pairs",
       .text = {"Each pair is a combination of columns of X and one of Y whose values are distributed alike."},
       .tables = {{.caption = "Pairs, the best first",
                   .heading = {"pair", "divergence", "agreement", "p", "verdict"},
                   .rows = {{"1", "0.0021", "0.97", "0.005", "supported"},
                            {"2", "0.0104", "0.88", "0.03", "ambiguous"},
                            {"3", "0.0410", "0.51", "0.41", "no evidence"}}}},
       .figures = {}},
      {.id = "densities",
       .heading = "Do the values look alike?",
       .text = {},
       .tables = {},
       .figures = {densities(1), densities(2)}},
      {.id = "loadings",
       .heading = "Which columns are behind it?",
       .text = {},
       .tables = {},
       .figures = {loadings("loadings-1",
                            {"power_heating", "outdoor_temperature", "co2", "humidity", "light", "door_open"},
                            {"heat_demand", "temperature_out", "air_quality", "rh", "lux"})}}};
  page.footer = "Written by cda 0.1.0.";
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
}
