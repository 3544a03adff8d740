// The values of a dataset.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "files/hdf5/file.hpp"

namespace cda::hdf5 {

enum class Order { by_row, by_column };  // which way a two-dimensional dataset holds a table

// Numbers of one dimension (a column) or two; `rounded` counts whole numbers that a double does not hold exactly.
Matrix read_numbers(const File& file, const Dataset& dataset, Index& rounded, Order order = Order::by_row);

// Positions and codes, of one dimension.
std::vector<std::int64_t> read_integers(const File& file, const std::string& path);

// Of one dimension, checked to be UTF-8.
std::vector<std::string> read_texts(const File& file, const Dataset& dataset);
// The same of numbers too, with all their digits.
std::vector<std::string> read_names(const File& file, const Dataset& dataset);

// The names and types of the fields of a dataset of records.
struct Field {
  std::string name;
  ElementType type;
};
std::vector<Field> fields_of(const Dataset& dataset);

// What a field of records holds, one per record; neither where it can be neither.
struct FieldValues {
  Matrix numbers = {};  // one column
  std::vector<std::string> texts = {};
};
// All of these fields in one pass over the records.
std::vector<FieldValues> read_fields(const File& file, const Dataset& dataset, const std::vector<Field>& fields,
                                     Index& rounded);

}  // namespace cda::hdf5
