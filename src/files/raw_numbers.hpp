// Columns of numbers and of text on their way into a RawTable, for formats that hold arrays.
#pragma once

#include <string>
#include <vector>

#include "cda/extend/format.hpp"

namespace cda {

class RawTableBuilder {
 public:
  explicit RawTableBuilder(std::string file) { table_.file = std::move(file); }

  // All have as many rows as the first; Errors name the column that has not.
  void add_numbers(const std::vector<std::string>& names, Matrix&& values);
  void add_texts(const std::string& name, std::vector<std::string> texts);
  void add_unreadable(const std::string& name, Error fault);             // thrown where the column is to be used
  void add_row_names(std::string name, std::vector<std::string> texts);  // told apart from names that are there
  // Whole numbers that no double holds exactly were rounded.
  void add_rounded(const std::string& what, Index count);

  RawTable table();

 private:
  void check_rows(const std::string& name, Index rows);

  RawTable table_;
  std::vector<Matrix> pieces_;
  Index width_ = 0;
  bool rows_known_ = false;
};

// The nearest double, counting in `rounded` whole numbers that are not held exactly.
template <class Integer>
double nearest_double(Integer value, Index& rounded) {
  const auto near = static_cast<double>(value);
  // 2^63 and 2^64 themselves cannot be converted back.
  constexpr double beyond = sizeof(Integer) == 8 ? (static_cast<Integer>(-1) > 0 ? 0x1p64 : 0x1p63) : 0x1p1000;
  if (near >= beyond || static_cast<Integer>(near) != value) ++rounded;
  return near;
}

}  // namespace cda
