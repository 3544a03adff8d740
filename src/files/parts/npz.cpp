// Several NumPy arrays in a zip archive, as numpy.savez writes it. An array of texts called `columns` that has one for
// each column names them. What scipy.sparse.save_npz writes, a sparse matrix in five arrays, is one table.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>

#include "base/part.hpp"
#include "files/array_choice.hpp"
#include "files/columns.hpp"
#include "files/input_file.hpp"
#include "files/npy_array.hpp"
#include "files/raw_numbers.hpp"
#include "files/sparse_matrix.hpp"
#include "files/zip.hpp"

using namespace cda;

namespace {

constexpr std::string_view ending = ".npy";
constexpr const char* names_array = "columns";

class Archive {
 public:
  explicit Archive(InputFile& file) : file_(file), bytes_(file.bytes()) {
    for (ZipEntry& entry : zip_entries(bytes_, file.shown())) {
      if (!entry.name.ends_with(ending) || entry.name.size() == ending.size()) continue;
      const std::string name = entry.name.substr(0, entry.name.size() - ending.size());
      names_.push_back(name);
      if (!entries_.emplace(name, std::move(entry)).second)
        refuse("npz.duplicate", fmt::format("the archive holds two arrays named {}", in_quotes(name)),
               "write it again with one of them: numpy.savez");
    }
  }

  const std::vector<std::string>& names() const { return names_; }  // in their order
  bool has(const std::string& name) const { return entries_.count(name) > 0; }

  std::string content(const std::string& name) const {
    const auto entry = entries_.find(name);
    if (entry == entries_.end())
      refuse("npz.sparse", fmt::format("the array {} of a sparse matrix is missing", in_quotes(name)));
    return zip_content(bytes_, entry->second, file_.most_bytes(), file_.shown());
  }

  RawTable array(const std::string& name) const {
    const std::string content = this->content(name);
    std::size_t at = 0;
    return read_npy({.read =
                         [&](char* to, std::size_t count) {
                           count = std::min(count, content.size() - at);
                           std::memcpy(to, content.data() + at, count);
                           at += count;
                           return count;
                         },
                     .size = content.size(),
                     .most_bytes = file_.most_bytes(),
                     .file = file_.shown()});
  }

  // One column of numbers.
  Vector numbers(const std::string& name, std::vector<std::string>& warnings) const {
    RawTable raw = array(name);
    warnings.insert(warnings.end(), raw.warnings.begin(), raw.warnings.end());
    if (raw.numbers.cols() != 1)
      refuse("npz.sparse", fmt::format("the array {} of a sparse matrix is no list of numbers", in_quotes(name)));
    return raw.numbers.col(0);
  }
  std::vector<std::int64_t> integers(const std::string& name) const {
    std::vector<std::string> rounded;
    const Vector values = numbers(name, rounded);
    constexpr double largest = 0x1p53;
    std::vector<std::int64_t> integers;
    for (const double value : values) {
      if (!(std::abs(value) < largest) || value != std::floor(value))
        refuse("npz.sparse",
               fmt::format("the array {} of a sparse matrix holds {}, no position", in_quotes(name), value));
      integers.push_back(static_cast<std::int64_t>(value));
    }
    return integers;
  }

  [[noreturn]] void refuse(const char* code, const std::string& message, const char* hint = "") const {
    throw Error(Fault::input, code, message, hint, {.file = file_.shown()});
  }
  const InputFile& file() const { return file_; }

 private:
  InputFile& file_;
  std::string bytes_;
  std::vector<std::string> names_;
  std::map<std::string, ZipEntry> entries_;
};

// As scipy.sparse.save_npz writes it; `format` says which arrays there are beside `shape` and `data`.
bool is_sparse(const Archive& archive) {
  return archive.has("format") && archive.has("shape") && archive.has("data") &&
         (archive.has("indptr") || archive.has("row") || archive.has("offsets"));
}

RawTable sparse_table(const Archive& archive) {
  const std::string format = archive.content("format");  // a single text of three letters: the end of it
  const std::string kind = format.substr(format.size() - std::min<std::size_t>(3, format.size()));
  if (kind != "csr" && kind != "csc")
    archive.refuse("npz.sparse",
                   fmt::format("this is a sparse matrix of the format {}; csr and csc are read", in_quotes(kind)),
                   "scipy.sparse.save_npz(\"x.npz\", matrix.tocsr())");
  const std::vector<std::int64_t> shape = archive.integers("shape");
  if (shape.size() != 2) archive.refuse("npz.sparse", "the shape of the sparse matrix is not two numbers");
  RawTableBuilder builder(archive.file().shown());
  std::vector<std::string> warnings;
  SparseMatrix sparse{.rows = shape[0], .columns = shape[1], .by_row = kind == "csr"};
  sparse.starts = archive.integers("indptr");
  sparse.indices = archive.integers("indices");
  sparse.values = archive.numbers("data", warnings);
  Matrix values = dense_matrix(sparse, "data", archive.file().shown(), archive.file().most_bytes());
  builder.add_numbers(numbered_names(static_cast<std::size_t>(values.cols())), std::move(values));
  RawTable table = builder.table();
  table.warnings = std::move(warnings);
  return table;
}

std::vector<std::string> names_of_columns(const Archive& archive) {
  try {
    const RawTable names = archive.array(names_array);
    return names.columns.size() == 1 ? names.columns[0].texts : std::vector<std::string>();
  } catch (const Error& error) {
    const std::string hint =
        error.code() == "npy.type" ? "save names as text: columns=names.astype(str)" : error.hint();
    throw Error(error.fault(), error.code(), "the names of the columns: " + error.message(), hint, error.place());
  }
}

class Npz final : public Format {
 public:
  std::vector<std::string> endings() const override { return {"npz"}; }
  // Other zip archives (xlsx, ods) begin alike, but not with an array.
  bool recognises(std::string_view head) const override {
    if (head.size() < 30 || head.substr(0, 4) != "PK\x03\x04") return false;
    const std::size_t length = static_cast<unsigned char>(head[26]) + 256U * static_cast<unsigned char>(head[27]);
    return head.substr(30, length).ends_with(ending);
  }

  RawTable read(InputFile& file, const ReadOptions& options) const override {
    const Archive archive(file);
    if (options.variable.empty() && is_sparse(archive)) return sparse_table(archive);
    std::vector<NamedArray> arrays;
    bool named = false;
    for (const std::string& name : archive.names())
      if (name == names_array && options.variable != names_array)
        named = true;
      else
        arrays.push_back({name, ""});
    if (arrays.empty() && named) {  // nothing but an array that happens to be called that
      arrays.push_back({names_array, ""});
      named = false;
    }
    if (arrays.empty())
      archive.refuse("npz.empty", "the zip archive holds no NumPy array",
                     "numpy.savez writes such archives; a spreadsheet has to be saved as CSV");
    RawTable table = archive.array(arrays[chosen_array(arrays, options.variable, file.shown())].name);
    if (named) name_columns(table, names_of_columns(archive));
    return table;
  }

 private:
  static void name_columns(RawTable& table, const std::vector<std::string>& names) {
    if (names.size() != table.columns.size()) {
      table.warnings.push_back(
          fmt::format("{}: the array \"columns\" does not hold {} texts and does not name the columns", table.file,
                      table.columns.size()));
      return;
    }
    for (std::size_t j = 0; j < names.size(); ++j) table.columns[j].name = names[j];
  }
};

}  // namespace

CDA_PART(Format, npz) {
  return {.info = {.name = {},
                   .summary =
                       "NumPy arrays in a zip archive: --variable chooses one, an array `columns` names its columns; "
                       "sparse matrices of SciPy",
                   .reference = "numpy.savez, numpy.savez_compressed, scipy.sparse.save_npz",
                   .options = {}},
          .make = [](const Settings&) { return std::make_unique<Npz>(); }};
}
