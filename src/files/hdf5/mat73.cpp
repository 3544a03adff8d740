// MATLAB 7.3: HDF5 behind a header of 512 bytes. A variable is a dataset (a sparse matrix: a group) with its class as
// an attribute. MATLAB counts along columns, HDF5 along rows: the dimensions stand the other way round. An empty
// variable holds its size as values. Groups whose names begin with # are MATLAB's own.
#include "files/hdf5/mat73.hpp"

#include <fmt/format.h>

#include "files/hdf5/values.hpp"
#include "files/sparse_matrix.hpp"

namespace cda::hdf5 {
namespace {

Matrix sparse_values(const File& file, const std::string& path, std::int64_t rows, Index& rounded) {
  SparseMatrix sparse{.rows = rows, .by_row = false};
  sparse.starts = read_integers(file, path + "/jc");
  sparse.columns = static_cast<std::int64_t>(sparse.starts.size()) - 1;
  if (file.has(path + "/data")) {  // not there where all are zero
    sparse.indices = read_integers(file, path + "/ir");
    sparse.values = read_numbers(file, file.dataset(path + "/data"), rounded).reshaped();
  }
  return dense_matrix(sparse, path.substr(1), file.shown(), file.most_bytes());
}

MatVariable group_variable(const File& file, const std::string& path, const std::string& kind) {
  MatVariable variable{.name = path.substr(1), .kind = kind.empty() ? "struct" : kind};
  const std::vector<std::int64_t> rows = file.integer_attributes(path, "MATLAB_sparse");
  if (rows.size() != 1 || !file.has(path + "/jc")) return variable;
  const Dataset starts = file.listed(path + "/jc");
  const auto columns = static_cast<std::int64_t>(starts.shape.empty() ? 0 : starts.shape[0]) - 1;
  variable.kind = "sparse " + variable.kind;
  variable.size = {rows[0], columns};
  variable.complex = file.has(path + "/data") && file.listed(path + "/data").type.words == "complex numbers";
  variable.read = [&file, path, count = rows[0]](Index& rounded) { return sparse_values(file, path, count, rounded); };
  return variable;
}

MatVariable dataset_variable(const File& file, const std::string& path, const std::string& kind) {
  const Dataset dataset = file.listed(path);
  MatVariable variable{.name = path.substr(1), .kind = kind.empty() ? dataset.type.words : kind};
  variable.size.assign(dataset.shape.rbegin(), dataset.shape.rend());
  variable.complex = dataset.type.words == "complex numbers";
  const std::vector<std::int64_t> empty = file.integer_attributes(path, "MATLAB_empty");
  if (!empty.empty() && empty.front() != 0) variable.size = {0, 0};
  const bool of_numbers = kind != "char" && kind != "cell" && kind != "struct" && kind != "function_handle" &&
                          file.integer_attributes(path, "MATLAB_object_decode").empty();
  if (of_numbers && (dataset.type.kind == Kind::numbers || variable.complex))
    variable.read = [&file, path](Index& rounded) {
      return read_numbers(file, file.dataset(path), rounded, Order::by_column);
    };
  return variable;
}

}  // namespace

std::vector<MatVariable> mat73_variables(const File& file) {
  std::vector<MatVariable> variables;
  for (const std::string& name : file.names_in("/")) {
    if (name.front() == '#') continue;
    const std::string path = "/" + name, kind = file.text_attribute(path, "MATLAB_class").value_or("");
    variables.push_back(file.is_group(path) ? group_variable(file, path, kind) : dataset_variable(file, path, kind));
  }
  return variables;
}

}  // namespace cda::hdf5
