// What a fit leaves behind: pairs of column combinations, and all that is needed to map new rows. A model file is
// JSON, holds no rows, and is the same, byte for byte, for the same input, options and seed.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cda/formulation.hpp"
#include "cda/preparation.hpp"
#include "cda/table.hpp"

namespace cda {

enum class Side { x, y };

// Another local optimum met on the way to a pair.
struct Alternative {
  double objective = 0.0;
  double x_cosine = 0.0;  // |cosine| with the pair's direction, in the space optimised over
  double y_cosine = 0.0;
  bool mirrored = false;  // the relative sign of the two sides is the other one
};

struct Pair {
  Vector x_weights, y_weights;  // per original column, in its units: value = intercept + sum of weight * column
  double x_intercept = 0.0, y_intercept = 0.0;
  Vector x_direction, y_direction;    // unit vectors in the space optimised over
  double x_norm = 1.0, y_norm = 1.0;  // what they were multiplied with (1 where norms are fixed)
  Vector x_loadings, y_loadings;      // correlation of each original column with the pair's values
  double scale = 1.0;                 // beta, included in y_weights
  double divergence = 0.0;            // of this pair
  double objective = 0.0;             // what was minimised
  std::optional<double> lower_bound;
  bool converged = false;
  std::string stopped;  // why the optimiser stopped, in words
  int iterations = 0, evaluations = 0;
  std::vector<Alternative> alternatives;
  double seconds = 0.0;  // not saved
};

struct TableSummary {
  std::vector<std::string> columns;
  Index rows = 0;
  Index rank = 0;  // dimensions of the prepared columns
};

class Model {
 public:
  std::string method;
  std::map<std::string, std::string> options;  // everything in force
  std::uint64_t seed = 0;
  TableSummary x, y;
  PreparedColumns x_preparation, y_preparation;
  Directions directions;
  std::vector<Pair> pairs;
  std::vector<std::string> warnings;

  // The values whose distributions were matched, n x pairs. Columns are found by name; missing ones are an error,
  // further ones are ignored with a remark; rows with missing cells give rows of NaN.
  Matrix transform(Side side, const Table& table, std::vector<std::string>* remarks = nullptr) const;
  Matrix transform(Side side, const Matrix& rows) const;  // columns in the order of the fit

  // Fills the pairs' weights, intercepts, unit directions and norms from the directions and the preparations.
  void multiply_out();

  std::string to_json() const;
  // `source` names the file in errors. Everything is checked before it is believed.
  static Model from_json(const std::string& text, const std::string& source = "model");
};

}  // namespace cda
