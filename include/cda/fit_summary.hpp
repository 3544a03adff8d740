// What a report shows of the tables behind a model, so that it can be drawn without them: aggregates only, no rows. All
// numbers are rounded to six digits; none depends on the order of rows.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "cda/summary.hpp"
#include "cda/table.hpp"
#include "cda/types.hpp"

namespace cda {

class Model;

// A table as it was read, before missing cells were seen to.
struct TableOverview {
  std::string name = {};                    // of the file, without its folder; empty for a table in memory
  std::string sha256 = {};                  // of its bytes; empty where they were not to be read twice
  std::vector<ColumnSummary> columns = {};  // of numbers
  std::vector<std::string> remarks = {};    // what was done about missing cells, in words
};

// The values of both sides of one pair.
struct PairSummary {
  static constexpr Index levels = 101;  // 0 %, 1 %, ... 100 %
  static constexpr Index points = 128;  // of a density

  Vector grid, x_density, y_density;  // smoothed, at points that hold all but the outermost five in a thousand
  Vector x_quantiles, y_quantiles;
};

// How often both tables have values in the cells of a grid over two pairs.
struct JointBins {
  static constexpr Index cells = 28;  // per axis

  struct Count {
    Index cell = 0;  // cells * (row, of the second pair) + column, of the first
    Index count = 0;
  };
  Index first = 0, second = 1;                                                    // pairs, from 0
  double first_low = 0.0, first_high = 0.0, second_low = 0.0, second_high = 0.0;  // rows outside are not counted
  std::vector<Count> x, y;                                                        // cells that are not empty
};

struct FitSummary {
  TableOverview x, y;
  std::vector<PairSummary> pairs;
  std::vector<JointBins> joint;  // of the first three pairs, two at a time
};

// Of the tables that a model was fitted to, complete. O(n log n) for every column and pair. The overviews hold what is
// known from the tables alone; those who read the files know more.
FitSummary summarise_fit(const Model& model, const Table& x, const Table& y);
// The same from the values of both sides' rows, one column a pair, of all ranks; without the tables' overviews.
FitSummary summarise_values(const Matrix& x_values, const Matrix& y_values, const Executor& executor = Executor(1));
TableOverview overview_of(const Table& table, const Executor& executor = Executor(1));

// Of the bytes of files, one after the other; empty where one is not a plain file, which can be read only once.
std::string sha256_of_files(const std::vector<std::string>& paths);

}  // namespace cda
