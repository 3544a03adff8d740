// What is in a table, column by column: kinds, missing cells, ranges, and a small histogram.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "cda/extend/executor.hpp"
#include "cda/extend/fields.hpp"
#include "cda/extend/raw_table.hpp"
#include "cda/table.hpp"

namespace cda {

struct ColumnSummary {
  static constexpr std::size_t bins = 16;

  std::string name;
  bool text = false;
  Index missing = 0;
  Index distinct = 0;  // different values that are not missing; 1: constant

  // Of numbers that are not missing; all 0 where there are none.
  double lowest = 0.0, median = 0.0, mean = 0.0, highest = 0.0, deviation = 0.0;
  std::array<Index, bins> histogram{};  // counts in bins of equal width from lowest to highest

  std::vector<std::pair<std::string, Index>> categories = {};  // of text: the most frequent, at most 5, and how often
};

// One per column of values or of text; columns that were left out have none. O(n log n) per column.
std::vector<ColumnSummary> summarise(const RawTable& table);
std::vector<ColumnSummary> summarise(const Table& table, const Executor& executor = Executor(1));

template <class Visit, Of<ColumnSummary> Self>
void fields(Visit& visit, Self& self) {
  visit({"name", "of the column"}, self.name);
  visit({"missing", "cells without a value"}, self.missing);
  visit({"distinct", "different values"}, self.distinct);
  visit({"lowest", "value"}, self.lowest);
  visit({"median", "of the values"}, self.median);
  visit({"mean", "of the values"}, self.mean);
  visit({"highest", "value"}, self.highest);
  visit({"deviation", "standard deviation of the values"}, self.deviation);
  visit({"histogram", "counts in bins of equal width from the lowest to the highest"}, self.histogram);
}

}  // namespace cda
