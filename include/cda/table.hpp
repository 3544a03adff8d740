// What a person has: named columns of numbers, with missing cells, and where they came from.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cda/extend/fields.hpp"
#include "cda/types.hpp"

namespace cda {

// A column of text as one column of 0 and 1 for each of its categories, named column=category.
struct Encoding {
  std::string column;
  std::vector<std::string> categories = {};  // empty in a request: those that are there, sorted

  bool operator==(const Encoding& other) const = default;
};

template <class Visit, Of<Encoding> Self>
void fields(Visit& visit, Self& self) {
  visit({"column", "of text"}, self.column);
  visit({"categories", "each of which is a column of 0 and 1"}, self.categories);
}

struct Table {
  std::vector<std::string> names;        // one per column, unique
  Matrix values;                         // rows x columns; a missing cell is NaN, nothing else is non-finite
  std::string index_name;                // the column that names the rows, if there is one
  std::vector<std::string> index;        // its values, one per row, or empty
  std::string source;                    // the file it was read from, for messages
  std::vector<Encoding> encodings = {};  // how columns of text became numbers

  Index rows() const { return values.rows(); }
  Index columns() const { return values.cols(); }
  Index missing_cells() const;
  void select_columns(const std::vector<Index>& columns);  // keeps these, in this order
};

// A table made in memory: names x1, x2, ... unless given.
Table make_table(Matrix values, std::vector<std::string> names = {}, const std::string& prefix = "x");

// What to do with missing cells. `refuse` counts them per column and throws.
enum class Missing { refuse, drop_rows, drop_columns, mean };
Missing missing_policy(const std::string& name);  // "refuse", "drop-rows", "drop-columns", "mean"

// The table without missing cells, and what was done, in words, one line each.
Table without_missing(Table table, Missing policy, std::vector<std::string>* remarks = nullptr);

}  // namespace cda
