// What a report shows of the tables behind a model, so that it can be drawn without them: aggregates only, no rows. All
// numbers are rounded to six digits; none depends on the order of rows.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "cda/extend/summary.hpp"
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

  using Count = std::array<Index, 2>;       // cells * (row, of the second pair) + column, of the first; how many
  std::array<Index, 2> pairs{1, 2};         // from 1
  std::array<double, 2> first{}, second{};  // lowest and highest value of each; rows outside are not counted
  std::vector<Count> x, y;                  // cells that are not empty
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

// ---- What they hold (cda/extend/fields.hpp) ----

template <class Visit, Of<TableOverview> Self>
void fields(Visit& visit, Self& self) {
  visit({"name", "of the file, without its folder"}, self.name);
  visit({"sha256", "of its bytes"}, self.sha256);
  visit({"columns", "of numbers, as they were read"}, self.columns);
  visit({"remarks", "what was done about missing cells"}, self.remarks);
}

template <class Visit, Of<PairSummary> Self>
void fields(Visit& visit, Self& self) {
  visit({.name = "grid", .words = "values at which densities are told", .size = PairSummary::points}, self.grid);
  visit({.name = "x_density", .words = "of X's side, smoothed", .size = PairSummary::points}, self.x_density);
  visit({.name = "y_density", .words = "of Y's side, smoothed", .size = PairSummary::points}, self.y_density);
  visit({.name = "x_quantiles", .words = "of X's side, 0 %, 1 %, ... 100 %", .size = PairSummary::levels},
        self.x_quantiles);
  visit({.name = "y_quantiles", .words = "of Y's side, 0 %, 1 %, ... 100 %", .size = PairSummary::levels},
        self.y_quantiles);
}

template <class Visit, Of<JointBins> Self>
void fields(Visit& visit, Self& self) {
  visit({.name = "pairs", .words = "the two, from 1", .lowest = 1}, self.pairs);
  visit({"first", "lowest and highest value of the first"}, self.first);
  visit({"second", "lowest and highest value of the second"}, self.second);
  visit({"x", "cells of the grid with rows of X, and how many"}, self.x);
  visit({"y", "cells of the grid with rows of Y, and how many"}, self.y);
}

template <class Visit, Of<FitSummary> Self>
void fields(Visit& visit, Self& self) {
  visit({"x", "the first table"}, self.x);
  visit({"y", "the second table"}, self.y);
  visit({"pairs", "the values of both sides of every pair"}, self.pairs);
  visit({"joint", "of the first three pairs, two at a time"}, self.joint);
}

}  // namespace cda
