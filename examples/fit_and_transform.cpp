// The whole way in C++: two tables, a fit, new rows in the common space, a model saved and loaded.
//
//   fit_and_transform [X.csv Y.csv]     without files: two simulated office buildings
#include <algorithm>
#include <cda/cda.hpp>
#include <cmath>
#include <exception>
#include <iostream>
#include <sstream>

namespace {

// The column that goes with the pair's values most, and how much.
std::string leading(const std::vector<std::string>& names, const cda::Vector& loadings) {
  cda::Index strongest = 0;
  loadings.cwiseAbs().maxCoeff(&strongest);
  std::ostringstream text;
  text << names[static_cast<std::size_t>(strongest)] << " (" << loadings[strongest] << ")";
  return text.str();
}

int run(int count, char** words) {
  const bool files = count == 3;
  cda::Table x, y;
  if (files) {
    x = cda::read_table(words[1]);
    y = cda::read_table(words[2]);
  } else {
    cda::SyntheticOptions wanted;
    wanted.kind = "buildings";
    wanted.n = 600;
    wanted.k = 500;
    cda::SyntheticPair pair = cda::synthesise(wanted);
    x = std::move(pair.x);
    y = std::move(pair.y);
  }

  cda::FitOptions options;
  options.method = "CDA_Q";
  options.components = 3;
  const cda::Model model = cda::fit(x, y, options);
  for (const cda::Pair& pair : model.pairs)
    std::cout << leading(model.x.columns, pair.x_loadings) << "  ~  " << leading(model.y.columns, pair.y_loadings)
              << "   divergence " << pair.divergence << (pair.converged ? "" : "   NOT converged") << '\n';
  for (const std::string& warning : model.warnings) std::cout << "warning: " << warning << '\n';

  // A model is one JSON file, which is there whole or not at all.
  model.save("model.json");
  const cda::Model loaded = cda::Model::load("model.json");

  // New rows of X: here its first two, in the units they were measured in. Columns are found by name.
  cda::Table rows = x;
  rows.values = x.values.topRows(2);
  rows.index.clear();
  const cda::Matrix values = loaded.transform(cda::Side::x, rows);
  std::cout << "two rows of X in the common space, one column per pair:\n" << values << '\n';

  // The same values by hand: intercept + sum of weight * column.
  const cda::Pair& first = loaded.pairs.front();
  const double by_hand = first.x_intercept + rows.values.row(0).dot(first.x_weights);
  if (std::abs(by_hand - values(0, 0)) > 1e-9 * std::max(1.0, std::abs(by_hand))) {
    std::cerr << "weights and transform disagree: " << by_hand << " and " << values(0, 0) << '\n';
    return 1;
  }
  return 0;
}

}  // namespace

int main(int count, char** words) {
  try {
    return run(count, words);
  } catch (const cda::Error& error) {  // the user's mistakes and the data's: say what and where
    std::cerr << error.what() << '\n';
    return static_cast<int>(error.fault());
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}
