// A plain HDF5 file says nothing of which dataset is the table. If there is one that can be, it is that; if there are
// several, a person has to say.
#include "files/hdf5/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <set>

#include "cda/files.hpp"
#include "files/columns.hpp"
#include "files/hdf5/anndata.hpp"
#include "files/hdf5/values.hpp"
#include "files/sparse_matrix.hpp"

namespace cda::hdf5 {
namespace {

// "csr_matrix", "csc_matrix" or what else the file says; empty where it does not.
std::string sparse_format(const File& file, const std::string& path) {
  const std::string kind = file.text_attribute(path, "encoding-type").value_or("");
  return kind.empty() ? file.text_attribute(path, "h5sparse_format").value_or("") : kind;
}

bool can_be_a_table(const Dataset& dataset) {
  const std::size_t rank = dataset.shape.size();
  return (dataset.type.kind == Kind::numbers && (rank == 1 || rank == 2)) ||
         (dataset.type.kind == Kind::records && rank == 1);
}

// What could be asked for: a dataset, or a group that is a sparse matrix.
struct Candidate {
  std::string path, words;
};

std::string list_of(const std::vector<Candidate>& candidates) {
  constexpr std::size_t shown = 20;
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < std::min(shown, candidates.size()); ++i) texts.push_back(candidates[i].words);
  return fmt::format("{}{}", fmt::join(texts, ", "),
                     candidates.size() > shown ? fmt::format(" and {} more", candidates.size() - shown) : "");
}

std::string only_table(const File& file) {
  std::vector<Candidate> all, tables;
  std::set<std::string> sparse;  // groups whose datasets are parts of one matrix
  for (const Dataset& dataset : file.datasets()) {
    const std::string group = absolute(dataset.path.substr(0, dataset.path.rfind('/')));
    if (sparse.count(group) != 0) continue;
    if (is_sparse(file, group) && !sparse_format(file, group).empty()) {
      sparse.insert(group);
      tables.push_back({group, fmt::format("{} (sparse)", in_quotes(group, 200))});
      continue;
    }
    all.push_back({dataset.path, dataset.described()});
    if (can_be_a_table(dataset)) tables.push_back(all.back());
  }
  if (tables.size() == 1) return tables.front().path;
  if (!tables.empty())
    file.refuse("hdf5.several",
                fmt::format("this file holds {} datasets that could be the table: {}", tables.size(), list_of(tables)),
                fmt::format("--variable {} says which", typed(tables.front().path)));
  file.refuse("hdf5.no-table",
              all.empty() ? "this file holds no datasets"
                          : fmt::format("this file holds no table of numbers, only {}", list_of(all)),
              "a table has one or two dimensions; external links are not followed");
}

// What netCDF's conventions say of numbers by attributes: which stand for missing ones, and how they were packed.
void unpack(const File& file, const std::string& path, Matrix& values) {
  for (const char* name : {"_FillValue", "missing_value"})
    if (const std::optional<double> gap = file.number_attribute(path, name))
      values = (values.array() == *gap).select(std::numeric_limits<double>::quiet_NaN(), values);
  const double scale = file.number_attribute(path, "scale_factor").value_or(1.0);
  const double offset = file.number_attribute(path, "add_offset").value_or(0.0);
  if (scale != 1.0 || offset != 0.0) values = (values.array() * scale + offset).matrix();
}

RawTable read_plain(const File& file, const ReadOptions& options) {
  if (!options.variable.empty()) file.check_asked_for(options.variable);
  const std::string path = absolute(options.variable.empty() ? only_table(file) : options.variable);
  RawTableBuilder builder(file.shown());
  Index rounded = 0;
  if (is_sparse(file, path)) {
    Matrix values = read_matrix(file, path, rounded);
    builder.add_numbers(numbered_names(static_cast<std::size_t>(values.cols())), std::move(values));
  } else if (const Dataset dataset = file.dataset(path); dataset.type.kind == Kind::records) {
    add_records(builder, file, dataset, "");
  } else {
    Matrix values = read_numbers(file, dataset, rounded);
    unpack(file, path, values);
    std::vector<std::string> names = file.text_attributes(path, "columns");
    if (names.empty()) names = numbered_names(static_cast<std::size_t>(values.cols()));
    if (static_cast<Index>(names.size()) != values.cols())
      file.refuse("hdf5.columns", fmt::format("{} has {} columns, but its attribute \"columns\" names {}",
                                              in_quotes(path, 200), values.cols(), names.size()));
    builder.add_numbers(names, std::move(values));
  }
  builder.add_rounded(in_quotes(path, 200), rounded);
  return builder.table();
}

}  // namespace

bool is_sparse(const File& file, const std::string& path) {
  return file.is_group(path) && file.has(path + "/data") && file.has(path + "/indices") && file.has(path + "/indptr");
}

Matrix read_matrix(const File& file, const std::string& path, Index& rounded) {
  if (!is_sparse(file, path)) return read_numbers(file, file.dataset(path), rounded);
  const std::string kind = sparse_format(file, path);
  std::vector<std::int64_t> shape = file.integer_attributes(path, "shape");
  if (shape.empty()) shape = file.integer_attributes(path, "h5sparse_shape");
  const bool by_row = kind.substr(0, 3) == "csr";
  if (!by_row && kind.substr(0, 3) != "csc")
    file.refuse("hdf5.sparse", fmt::format("{} looks like a sparse matrix, but its attribute \"encoding-type\" is {}, "
                                           "not csr_matrix or csc_matrix",
                                           in_quotes(path, 200), kind.empty() ? "not there" : in_quotes(kind)));
  if (shape.size() != 2)
    file.refuse("hdf5.sparse", fmt::format("the sparse matrix {} has no attribute \"shape\" of two whole numbers",
                                           in_quotes(path, 200)));
  const Dataset data = file.dataset(path + "/data");
  if (data.shape.size() != 1) file.refuse("hdf5.sparse", fmt::format("{} is no list", data.described()));
  SparseMatrix sparse{.rows = shape[0], .columns = shape[1], .by_row = by_row};
  file.check_memory(in_quotes(path, 200),
                    static_cast<double>(shape[0]) * static_cast<double>(shape[1]) * sizeof(double));
  sparse.starts = read_integers(file, path + "/indptr");
  sparse.indices = read_integers(file, path + "/indices");
  sparse.values = read_numbers(file, data, rounded).col(0);
  return dense_matrix(sparse, path, file.shown(), file.most_bytes());
}

void add_records(RawTableBuilder& builder, const File& file, const Dataset& dataset, const std::string& row_names) {
  Index rounded = 0;
  std::vector<std::string> index;
  const std::vector<Field> fields = fields_of(dataset);
  std::vector<FieldValues> values = read_fields(file, dataset, fields, rounded);
  for (std::size_t f = 0; f < fields.size(); ++f) {
    const Field& field = fields[f];
    if (!row_names.empty() && field.name == row_names && field.type.kind == Kind::text) {
      index = std::move(values[f].texts);
      continue;
    }
    const std::string categories = "/uns/" + field.name + "_categories";  // as AnnData wrote them before 2019
    if (field.type.kind == Kind::numbers && !row_names.empty() && file.has(categories)) {
      const Matrix& codes = values[f].numbers;
      add_categorical(builder, file, field.name, {codes.data(), codes.data() + codes.size()}, categories);
    } else if (field.type.kind == Kind::numbers) {
      builder.add_numbers({field.name}, std::move(values[f].numbers));
    } else if (field.type.kind == Kind::text) {
      builder.add_texts(field.name, std::move(values[f].texts));
    } else {
      builder.add_unreadable(
          field.name, Error(Fault::input, "hdf5.type",
                            fmt::format("the field {} of {} holds {}, neither numbers nor text", in_quotes(field.name),
                                        in_quotes(dataset.path, 200), field.type.words),
                            "", {.file = file.shown()}));
    }
  }
  if (!index.empty()) builder.add_row_names(row_names, std::move(index));
  builder.add_rounded(in_quotes(dataset.path, 200), rounded);
}

RawTable read_table(const InputFile& input, const ReadOptions& options) {
  const File file(input);
  return is_anndata(file, input.name()) ? read_anndata(file, options) : read_plain(file, options);
}

}  // namespace cda::hdf5
