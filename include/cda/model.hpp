// What a fit leaves behind: pairs of column combinations, and all that is needed to map new rows. A model file is
// JSON, holds no rows, and is the same, byte for byte, for the same input, options and seed.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cda/extend/coupling.hpp"
#include "cda/extend/directions.hpp"
#include "cda/extend/fit_summary.hpp"
#include "cda/extend/preparation.hpp"
#include "cda/extend/verdicts.hpp"
#include "cda/files.hpp"
#include "cda/options.hpp"

namespace cda {

enum class Side { x, y };

// Another answer that came close: a local optimum met on the way to a pair or, where components were matched, the
// other sign or another partner.
struct Alternative {
  enum class Kind { near_tie, mirrored, other_in_x, other_in_y };
  Kind kind = Kind::near_tie;
  std::optional<double> objective;  // of a local optimum
  std::optional<double> agreement;  // of shapes
  double x_cosine = 0.0;            // |cosine| with the pair's direction, in the space optimised over
  double y_cosine = 0.0;
  bool mirrored = false;  // the relative sign of the two sides is the other one
  Index component = 0;    // which component of its table the other partner is, from 1; 0: not one of them
};

constexpr std::array<const char*, 4> names_of(Alternative::Kind) {
  return {"near tie", "mirrored", "other partner in X", "other partner in Y"};
}

// How one start fared: the value that each of some iterations reached, at most 40 of them.
struct Trace {
  std::string start;  // which one, in words
  std::vector<int> iterations;
  std::vector<double> values;
};

struct Pair {
  // Per original column, in its units: value = intercept + sum of weight * column. Empty where the map is not linear.
  Vector x_weights, y_weights;
  double x_intercept = 0.0, y_intercept = 0.0;
  Vector x_direction, y_direction;    // unit vectors in the space optimised over
  double x_norm = 1.0, y_norm = 1.0;  // what they were multiplied with (1 where norms are fixed)
  Vector x_loadings, y_loadings;      // correlation of each original column with the pair's values
  double scale = 1.0;                 // beta, included in y_weights
  double divergence = 0.0;            // of this pair
  double objective = 0.0;             // what was minimised
  std::optional<double> lower_bound;
  // Of the two shapes beyond the bell curve: 1 the same, 0 nothing in common, -1 opposite (docs/evidence.md). Says
  // little on the rows that were fitted.
  double agreement = 0.0;
  double x_contrast = 0.0, y_contrast = 0.0;  // how far each shape is from a bell curve: W2^2 of standardised values
  bool informative = true;  // false where asked for beyond the components that differ from a bell curve
  std::optional<std::array<Index, 2>> components;  // which of X's and of Y's components the sides are, from 1
  // Where at most so many columns were allowed: the agreement before, and what share of each side's variance is left.
  std::optional<double> agreement_all_columns, x_kept, y_kept;
  bool converged = false;
  std::string stopped;  // why the optimiser stopped, in words
  int iterations = 0, evaluations = 0;
  std::vector<Alternative> alternatives;
  std::vector<Trace> traces;  // of the starts that were followed; of pairs found together, with the first
  double seconds = 0.0;       // not saved
};

template <class Visit, Of<Alternative> Self>
void fields(Visit& visit, Self& self) {
  visit({"kind", "in what it differs"}, self.kind);
  visit({"objective", "of a local optimum"}, self.objective);
  visit({"agreement", "of shapes"}, self.agreement);
  visit({"x_cosine", "|cosine| with the pair's direction"}, self.x_cosine);
  visit({"y_cosine", "|cosine| with the pair's direction"}, self.y_cosine);
  visit({"mirrored", "the relative sign of the two sides is the other one"}, self.mirrored);
  visit({.name = "component",
         .words = "of its table, from 1, where that is the other partner",
         .lowest = 1,
         .sparse = true},
        self.component);
}

template <class Visit, Of<Trace> Self>
void fields(Visit& visit, Self& self) {
  visit({"start", "which one"}, self.start);
  visit({"iterations", "some of them"}, self.iterations);
  visit({"values", "that these reached"}, self.values);
}

template <class Visit, Of<Pair> Self>
void fields(Visit& visit, Self& self) {
  using By = ResultField::By;
  using In = ResultField::In;
  visit({.name = "x_weights",
         .words = "of X's columns: value = intercept + sum of weight * column",
         .by = By::x_column,
         .in = In::shown},
        self.x_weights);
  visit({.name = "x_intercept", .words = "of X's side", .in = In::shown}, self.x_intercept);
  visit({.name = "y_weights", .words = "of Y's columns, the scale among them", .by = By::y_column, .in = In::shown},
        self.y_weights);
  visit({.name = "y_intercept", .words = "of Y's side", .in = In::shown}, self.y_intercept);
  visit({.name = "x_direction", .words = "unit vector over X's prepared columns", .in = In::shown}, self.x_direction);
  visit({.name = "y_direction", .words = "unit vector over Y's prepared columns", .in = In::shown}, self.y_direction);
  visit({.name = "x_norm", .words = "what it was multiplied with", .in = In::shown}, self.x_norm);
  visit({.name = "y_norm", .words = "what it was multiplied with", .in = In::shown}, self.y_norm);
  visit({.name = "scale", .words = "of Y against X: beta", .in = In::shown}, self.scale);
  visit({.name = "x_loadings", .words = "correlation of X's columns with the pair's values", .by = By::x_column},
        self.x_loadings);
  visit({.name = "y_loadings", .words = "correlation of Y's columns with the pair's values", .by = By::y_column},
        self.y_loadings);
  visit({"divergence", "of the two sides"}, self.divergence);
  visit({"objective", "what was minimised"}, self.objective);
  visit({"lower_bound", "no directions have a smaller objective"}, self.lower_bound);
  visit({"agreement", "of the two shapes beyond the bell curve, on the rows that were fitted; 1: the same"},
        self.agreement);
  visit({"x_contrast", "how far X's shape is from a bell curve"}, self.x_contrast);
  visit({"y_contrast", "how far Y's shape is from a bell curve"}, self.y_contrast);
  visit({"informative", "false where a side is no different from a bell curve"}, self.informative);
  visit({.name = "components", .words = "of both tables that were matched, from 1", .lowest = 1}, self.components);
  visit({"agreement_all_columns", "before the columns were limited"}, self.agreement_all_columns);
  visit({"x_kept", "share of X's variance that the limited columns explain"}, self.x_kept);
  visit({"y_kept", "share of Y's variance that the limited columns explain"}, self.y_kept);
  visit({"converged", "whether the optimiser came to its end"}, self.converged);
  visit({"stopped", "why it stopped"}, self.stopped);
  visit({"iterations", "of the optimiser"}, self.iterations);
  visit({"evaluations", "of the objective"}, self.evaluations);
  visit({"alternatives", "other answers that came close"}, self.alternatives);
  visit({.name = "traces", .words = "how the starts fared", .sparse = true, .in = In::file}, self.traces);
  visit({.name = "seconds", .words = "that it took", .in = In::shown}, self.seconds);
}

// The columns that go with a pair's values most, by their loadings: at most `most`, none less than a third as strong as
// the first; the first in any case.
std::vector<Index> leading_columns(const Vector& loadings, std::size_t most = 4);

// The other partners of a pair of matched components, in words: one sentence for each side that has some.
std::vector<std::string> other_partners(const Pair& pair);

struct TableSummary {
  std::vector<std::string> columns;
  std::vector<Encoding> encodings = {};  // columns of text among them, by category
  Index rows = 0;
  Index rank = 0;                   // dimensions of the prepared columns
  std::optional<Index> components;  // how many differ from a bell curve, where that was asked
  Matrix shapes;                    // 256 x components: their quantile functions less the normal one; not saved
  // Where a fit looked at moments only: so many rows, chosen by their content, stand for all of them in agreements,
  // contrasts and whatever shows shapes; 0: all rows do.
  Index described_rows = 0;
  Index passes = 0;  // over all rows that the search took; not saved
};

template <class Visit, Of<TableSummary> Self>
void fields(Visit& visit, Self& self) {
  using In = ResultField::In;
  visit({.name = "rows", .words = "of the table", .lowest = 2}, self.rows);
  visit({.name = "rank", .words = "dimensions of the prepared columns", .lowest = 1}, self.rank);
  visit({"components", "how many differ from a bell curve"}, self.components);
  visit(
      {.name = "described_rows", .words = "rows that stand for all in what shows shapes", .lowest = 1, .sparse = true},
      self.described_rows);
  visit({"columns", "names"}, self.columns);
  visit({.name = "encodings", .words = "columns of text", .sparse = true}, self.encodings);
  visit({.name = "passes", .words = "over all rows that the search took", .in = In::shown}, self.passes);
}

class Model {
 public:
  std::string method;
  FitOptions options;  // everything in force, the number of pairs as it was asked for; how many threads is not kept
  std::map<std::string, std::string> reading;  // how the tables were read, as asked: {"x_exclude", "id,date"}
  std::string figure;                          // what a method not made of parts goes by, in its own words
  TableSummary x, y;
  PreparedColumns x_preparation, y_preparation;
  Directions directions;
  std::vector<Pair> pairs;
  std::vector<std::string> warnings;
  std::string stopped;  // why the fit ended before its time ("time limit"), or empty
  std::optional<Coupling>
      coupling;  // of cCDA: how well the clouds of rows agree, and the other ways (cda/extend/coupling.hpp)
  std::optional<Evidence> evidence;   // where it was computed (cda/evidence.hpp)
  std::optional<FitSummary> summary;  // what a report shows of the tables (cda/extend/fit_summary.hpp)

  // Everything in force and how the tables were read, as texts.
  std::map<std::string, std::string> in_force() const;

  // The values whose distributions were matched, n x pairs. Columns are found by name; missing ones are an error,
  // further ones are ignored with a remark; rows with missing cells give rows of NaN.
  Matrix transform(Side side, const Table& table, std::vector<std::string>* remarks = nullptr) const;
  Matrix transform(Side side, const Matrix& rows) const;  // columns in the order of the fit
  // How a file of further rows is to be read: only the columns that the model knows, text by its categories.
  void expect_columns(Side side, ReadOptions& reading) const;

  // Weights of pairs that are limited to few columns, by original column and side (inputs x 1); they stand in for the
  // directions', which hold the same values but not the same zeros where columns depend on each other.
  std::map<Index, Vector> x_sparse, y_sparse;

  // Fills the pairs' weights, intercepts, unit directions and norms from the directions and the preparations.
  void multiply_out();

  // A file states the SHA-256 of its own content: whatever changes later, to the last byte, is noticed when it is read.
  std::string to_json() const;
  // `source` names the file in errors. Everything is checked before it is believed; fields that are not known are
  // ignored with a remark.
  static Model from_json(const std::string& text, const std::string& source = "model",
                         std::vector<std::string>* remarks = nullptr);
  // The same with a file, which is written whole or not at all ("-": standard output, standard input).
  void save(const std::string& path) const { write_file(path, to_json()); }
  static Model load(const std::string& path, std::vector<std::string>* remarks = nullptr) {
    return from_json(read_file(path), path, remarks);
  }

 private:
  void set_directions(Index column);
};

// What was found as one JSON object: what the command prints with --json. Columns have their names, and what was not
// computed is null.
std::string findings_json(const Model& model, const std::vector<std::string>& warnings);

}  // namespace cda
