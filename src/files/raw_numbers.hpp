// Columns of numbers and of text on their way into a RawTable, for formats that hold arrays; and numbers as such files
// store them.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
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

// How a number stands in a file: a letter for its kind as NumPy has it (b true or false, i whole, u whole without a
// sign, f with a fraction), and its bytes.
struct StoredType {
  char kind = 'f';
  bool big_endian = false;
  std::size_t bytes = 8;
};

template <class Number>
Number stored(const char* bytes, bool big_endian) {
  static_assert(std::endian::native == std::endian::little);
  std::array<char, sizeof(Number)> buffer;
  std::memcpy(buffer.data(), bytes, sizeof(Number));
  if (big_endian) std::reverse(buffer.begin(), buffer.end());
  return std::bit_cast<Number>(buffer);
}

// Whole numbers that no double holds exactly are counted in `rounded`.
void read_numbers(const char* from, const StoredType& type, double* to, Index count, Index& rounded);

}  // namespace cda
