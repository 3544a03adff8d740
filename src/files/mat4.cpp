// MATLAB 4: variables one after the other, each a header of five whole numbers (type, rows, columns, complex or not,
// length of the name), the name, and the numbers by column. The decimal digits of the type are byte order, 0, number
// type, and kind (full, text, sparse). A sparse matrix is kept as a full one of three columns: row, column and value;
// its last line is the size. There is no mark at the beginning of the file: what does not fit is no such file.
// Reference: The MathWorks, MAT-File Format, chapter "Level 4 MAT-File Format".
#include <fmt/format.h>

#include <cmath>

#include "files/mat_bytes.hpp"
#include "files/mat_variable.hpp"

namespace cda {
namespace {

constexpr std::int32_t largest_type = 4052;

[[noreturn]] void refuse(const std::string& file) {
  throw Error(Fault::input, "mat.unknown-format", "this is no MATLAB file: neither its mark nor a header of MATLAB 4",
              "", {.file = file});
}

Matrix dense(const Matrix& triplets, const std::vector<std::int64_t>& size, const MatBytes& bytes) {
  Matrix values = Matrix::Zero(size[0], size[1]);
  for (Index k = 0; k + 1 < triplets.rows(); ++k) {
    const double i = triplets(k, 0), j = triplets(k, 1);
    if (!(i >= 1 && i <= static_cast<double>(size[0]) && j >= 1 && j <= static_cast<double>(size[1])) ||
        i != std::floor(i) || j != std::floor(j))
      bytes.damaged(fmt::format("a sparse matrix has a value at row {}, column {} of {} x {}", i, j, size[0], size[1]));
    values(static_cast<Index>(i) - 1, static_cast<Index>(j) - 1) += triplets(k, 2);
  }
  return values;
}

void make_sparse(MatVariable& variable, const MatBytes& data, const StoredType& type, std::uint64_t most_bytes) {
  Index ignored = 0;
  const std::int64_t lines = variable.size[0], width = variable.size[1];
  if ((width != 3 && width != 4) || lines < 1) data.damaged("a sparse matrix has no rows, columns and values");
  Matrix triplets = data.numbers(type, ignored);
  triplets.resize(lines, width);
  const double rows = triplets(lines - 1, 0), columns = triplets(lines - 1, 1);
  constexpr double most = 2147483647.0;
  if (!(rows >= 0 && rows <= most && columns >= 0 && columns <= most)) data.damaged("a sparse matrix has no size");
  variable.size = {static_cast<std::int64_t>(rows), static_cast<std::int64_t>(columns)};
  variable.complex = width == 4;
  variable.kind = "sparse double";
  variable.read = [triplets, size = variable.size, data, most_bytes](Index&) {
    check_mat_memory(size, data.file(), most_bytes);
    return dense(triplets, size, data);
  };
}

MatVariable next_variable(MatBytes& bytes, std::uint64_t most_bytes) {
  const auto type = bytes.number<std::int32_t>(), rows = bytes.number<std::int32_t>(),
             columns = bytes.number<std::int32_t>(), complex = bytes.number<std::int32_t>(),
             name_length = bytes.number<std::int32_t>();
  const std::int32_t order = type / 1000, zero = type / 100 % 10, number = type / 10 % 10, kind = type % 10;
  constexpr std::int32_t longest_name = 1024;
  if (type < 0 || type > largest_type || order != (bytes.swapped() ? 1 : 0) || zero != 0 || number > 5 || kind > 2 ||
      rows < 0 || columns < 0 || complex < 0 || complex > 1 || name_length < 1 || name_length > longest_name)
    refuse(bytes.file());
  constexpr StoredType types[] = {{'f', false, 8}, {'f', false, 4}, {'i', false, 4},
                                  {'i', false, 2}, {'u', false, 2}, {'u', false, 1}};
  const StoredType type_of_numbers = types[number];
  const std::string_view name = bytes.take(static_cast<std::uint64_t>(name_length));
  MatVariable variable{.name = std::string(name.substr(0, name.find('\0'))),
                       .kind = kind == 1 ? "char" : "double",
                       .size = {rows, columns},
                       .complex = complex == 1};
  const std::uint64_t one = static_cast<std::uint64_t>(rows) * static_cast<std::uint64_t>(columns);
  const std::uint64_t size = one * type_of_numbers.bytes;
  if (size > bytes.left()) bytes.damaged(fmt::format("{} ends early", in_quotes(variable.name)));
  const MatBytes data = bytes.part(size);
  if (complex == 1) bytes.take(size);
  if (kind == 0)
    variable.read = [data, type_of_numbers, rows, columns, most_bytes](Index& rounded) -> Matrix {
      check_mat_memory({rows, columns}, data.file(), most_bytes);
      Matrix values = data.numbers(type_of_numbers, rounded);
      values.resize(rows, columns);
      return values;
    };
  if (kind == 2) make_sparse(variable, data, type_of_numbers, most_bytes);
  return variable;
}

}  // namespace

std::vector<MatVariable> mat4_variables(std::string_view bytes, const std::string& file, std::uint64_t most_bytes) {
  if (bytes.size() < 20) refuse(file);
  const auto type = MatBytes(bytes, false, file).number<std::int32_t>();
  MatBytes rest(bytes, type < 0 || type > largest_type, file);
  std::vector<MatVariable> variables;
  while (!rest.done()) variables.push_back(next_variable(rest, most_bytes));
  return variables;
}

}  // namespace cda
