#include "files/hdf5/anndata.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "cda/extend/catalogue.hpp"
#include "files/columns.hpp"
#include "files/hdf5/table.hpp"
#include "files/hdf5/values.hpp"

namespace cda::hdf5 {
namespace {

constexpr double missing = std::numeric_limits<double>::quiet_NaN();

// The field of a data frame that names its rows; empty where there is none.
std::string index_of(const File& file, const std::string& frame) {
  if (!file.has(frame)) return "";
  if (file.is_group(frame)) {
    const std::string named = file.text_attribute(frame, "_index").value_or("_index");
    return file.has(frame + "/" + named) ? named : "";
  }
  for (const Field& field : fields_of(file.dataset(frame)))
    if (field.name == "index" || field.name == "_index") return field.name;
  return "";
}

std::vector<std::string> row_names_of(const File& file, const std::string& frame) {
  const std::string index = index_of(file, frame);
  if (index.empty()) return {};
  if (!file.is_group(frame)) {
    const Dataset records = file.dataset(frame);
    std::vector<Field> fields = fields_of(records);
    std::erase_if(fields, [&](const Field& field) { return field.name != index || field.type.kind != Kind::text; });
    Index rounded = 0;
    if (fields.empty())
      file.refuse("anndata.names",
                  fmt::format("the field {} of {} does not hold text", in_quotes(index), in_quotes(frame)));
    return read_fields(file, records, fields, rounded).front().texts;
  }
  const std::string path = frame + "/" + index;
  return read_names(file, file.dataset(file.is_group(path) && file.has(path + "/values") ? path + "/values" : path));
}

void add_row_names(RawTableBuilder& builder, const File& file, const std::string& frame) {
  std::vector<std::string> names = row_names_of(file, frame);
  if (names.empty()) return;
  const std::string index = index_of(file, frame);
  builder.add_row_names(index == "_index" ? "index" : index, std::move(names));
}

// A column that is a group: categories, or values with a mask for those that are missing.
void add_grouped_column(RawTableBuilder& builder, const File& file, const std::string& path, const std::string& name) {
  if (file.has(path + "/codes") && file.has(path + "/categories")) {
    const std::vector<std::int64_t> codes = read_integers(file, path + "/codes");
    add_categorical(builder, file, name, {codes.begin(), codes.end()}, path + "/categories");
    return;
  }
  if (!file.has(path + "/values") || !file.has(path + "/mask"))
    file.refuse("anndata.column",
                fmt::format("the column {} is a group of a kind that is not read ({})", in_quotes(path, 200),
                            in_quotes(file.text_attribute(path, "encoding-type").value_or("no encoding-type"))));
  Index rounded = 0;
  const Dataset values = file.dataset(path + "/values");
  const Matrix mask = read_numbers(file, file.dataset(path + "/mask"), rounded);
  const auto length = static_cast<Index>(values.shape.size() == 1 ? values.shape[0] : 0);
  if (mask.rows() != length || mask.cols() != 1)
    file.refuse("anndata.column",
                fmt::format("{} has {} values and a mask of {}", in_quotes(path, 200), length, mask.rows()));
  if (values.type.kind == Kind::text) {
    std::vector<std::string> texts = read_texts(file, values);
    for (std::size_t i = 0; i < texts.size(); ++i)
      if (mask(static_cast<Index>(i), 0) != 0.0) texts[i].clear();
    builder.add_texts(name, std::move(texts));
    return;
  }
  Matrix numbers = read_numbers(file, values, rounded);
  for (Index i = 0; i < length; ++i)
    if (mask(i, 0) != 0.0) numbers(i, 0) = missing;
  builder.add_numbers({name}, std::move(numbers));
  builder.add_rounded(in_quotes(path, 200), rounded);
}

void add_column(RawTableBuilder& builder, const File& file, const std::string& frame, const std::string& name) {
  const std::string path = frame + "/" + name, older = frame + "/__categories/" + name;
  if (file.is_group(path)) return add_grouped_column(builder, file, path, name);
  const Dataset dataset = file.dataset(path);
  if (file.has(older)) {
    const std::vector<std::int64_t> codes = read_integers(file, path);
    add_categorical(builder, file, name, {codes.begin(), codes.end()}, older);
  } else if (dataset.type.kind == Kind::text) {
    builder.add_texts(name, read_texts(file, dataset));
  } else {
    if (dataset.shape.size() != 1)
      file.refuse("anndata.column", fmt::format("the column {} is no list", dataset.described()));
    Index rounded = 0;
    builder.add_numbers({name}, read_numbers(file, dataset, rounded));
    builder.add_rounded(in_quotes(path, 200), rounded);
  }
}

RawTable read_frame(const File& file, const std::string& frame) {
  RawTableBuilder builder(file.shown());
  const std::string index = index_of(file, frame);
  if (!file.is_group(frame)) {
    add_records(builder, file, file.dataset(frame), index.empty() ? "index" : index);
    return builder.table();
  }
  std::vector<std::string> names = file.text_attributes(frame, "column-order");
  if (names.empty()) names = file.names_in(frame);
  for (const std::string& name : names) {
    if (name == index || name == "__categories") continue;
    try {
      add_column(builder, file, frame, name);
    } catch (const Error& error) {
      if (error.fault() != Fault::input) throw;
      builder.add_unreadable(name, error);  // a fault of this column only
    }
  }
  add_row_names(builder, file, frame);
  return builder.table();
}

// Matrices that could be asked for instead.
std::vector<std::string> matrices(const File& file) {
  std::vector<std::string> found;
  for (const char* path : {"/X", "/raw/X"})
    if (file.has(path)) found.emplace_back(path + 1);
  for (const char* group : {"layers", "obsm", "obsp", "varm", "varp"})
    if (file.is_group(group))
      for (const std::string& name : file.names_in(group)) found.push_back(fmt::format("{}/{}", group, name));
  for (const char* frame : {"obs", "var"})
    if (file.has(frame)) found.emplace_back(frame);
  return found;
}

[[noreturn]] void refuse_unknown(const File& file, const std::string& path, Fault fault) {
  std::vector<std::string> known = matrices(file);
  constexpr std::size_t shown = 12;
  const bool more = known.size() > shown;
  if (more) known.resize(shown);
  for (std::string& name : known) name = in_quotes(name);
  throw Error(fault, "anndata.missing", fmt::format("this AnnData file has no {}", in_quotes(path.substr(1), 200)),
              known.empty() ? "" : fmt::format("--variable takes {}{}", fmt::join(known, ", "), more ? ", ..." : ""),
              {.file = file.shown()});
}

bool begins_with(const std::string& text, const std::string& begin) {
  return text.compare(0, begin.size(), begin) == 0;
}

// The data frames that name rows and columns of a matrix; empty where it is columns without names.
struct Sides {
  std::string rows = {}, columns = {};
};
Sides sides_of(const std::string& path) {
  if (begins_with(path, "/raw/X")) return {"/obs", "/raw/var"};
  if (path == "/X" || begins_with(path, "/layers/")) return {"/obs", "/var"};
  if (begins_with(path, "/obsm/")) return {.rows = "/obs"};
  if (begins_with(path, "/obsp/")) return {"/obs", "/obs"};
  if (begins_with(path, "/varm/") || begins_with(path, "/raw/varm/")) return {.rows = "/var"};
  if (begins_with(path, "/varp/")) return {"/var", "/var"};
  return {};
}

RawTable read_matrix_with_names(const File& file, const std::string& path) {
  const Sides sides = sides_of(path);
  Index rounded = 0;
  Matrix values = read_matrix(file, path, rounded);
  std::vector<std::string> names;
  if (!sides.columns.empty()) names = row_names_of(file, sides.columns);
  if (!names.empty() && static_cast<Index>(names.size()) != values.cols())
    file.refuse("anndata.names", fmt::format("{} has {} columns, but {} names {}", in_quotes(path.substr(1), 200),
                                             values.cols(), sides.columns.substr(1), names.size()));
  const std::string stem = path.substr(path.rfind('/') + 1);
  for (Index j = 0; names.empty() && j < values.cols(); ++j) names.push_back(fmt::format("{}_{}", stem, j + 1));
  names.resize(static_cast<std::size_t>(values.cols()));
  for (Index j = 0; j < values.cols(); ++j)
    if (names[static_cast<std::size_t>(j)].empty())
      names[static_cast<std::size_t>(j)] = fmt::format("{}_{}", stem, j + 1);
  const Index rows = values.rows();
  RawTableBuilder builder(file.shown());
  builder.add_numbers(names, std::move(values));
  builder.add_rounded(in_quotes(path.substr(1), 200), rounded);
  if (const std::vector<std::string> texts = row_names_of(file, sides.rows);
      !texts.empty() && static_cast<Index>(texts.size()) != rows)
    file.refuse("anndata.names", fmt::format("{} has {} rows, but {} names {}", in_quotes(path.substr(1), 200), rows,
                                             sides.rows.substr(1), texts.size()));
  add_row_names(builder, file, sides.rows);
  return builder.table();
}

}  // namespace

void add_categorical(RawTableBuilder& builder, const File& file, const std::string& name,
                     const std::vector<double>& codes, const std::string& categories) {
  const bool grouped = file.is_group(categories) && file.has(categories + "/values");
  const Dataset known = file.dataset(grouped ? categories + "/values" : categories);
  const auto count = static_cast<double>(known.shape.empty() ? 0 : known.shape[0]);
  for (std::size_t i = 0; i < codes.size(); ++i)
    if (!(codes[i] >= -1.0 && codes[i] < count) || codes[i] != std::floor(codes[i]))
      file.refuse("anndata.category", fmt::format("row {} of column {} has the category number {}, but there are {}",
                                                  i + 1, in_quotes(name), codes[i], count));
  if (known.type.kind == Kind::text) {
    const std::vector<std::string> words = read_texts(file, known);
    std::vector<std::string> texts;
    for (const double code : codes) texts.push_back(code < 0 ? "" : words[static_cast<std::size_t>(code)]);
    return builder.add_texts(name, std::move(texts));
  }
  Index rounded = 0;
  const Matrix numbers = read_numbers(file, known, rounded);
  Matrix values(static_cast<Index>(codes.size()), 1);
  for (std::size_t i = 0; i < codes.size(); ++i)
    values(static_cast<Index>(i), 0) = codes[i] < 0 ? missing : numbers(static_cast<Index>(codes[i]), 0);
  builder.add_numbers({name}, std::move(values));
}

bool is_anndata(const File& file, const std::string& file_name) {
  const std::size_t dot = file_name.rfind('.');
  return (dot != std::string::npos && same_name(file_name.substr(dot + 1), "h5ad")) ||
         file.text_attribute("/", "encoding-type").value_or("") == "anndata" ||
         (file.has("/X") && file.has("/obs") && file.has("/var"));
}

RawTable read_anndata(const File& file, const ReadOptions& options) {
  const std::string path = absolute(options.variable.empty() ? "X" : options.variable);
  // A link that leads nowhere, or into another file, is refused by what follows it.
  if (path == "/" || !file.has_link(path))
    refuse_unknown(file, path, options.variable.empty() ? Fault::input : Fault::usage);
  const bool frame = path == "/obs" || path == "/var" || path == "/raw/var" ||
                     file.text_attribute(path, "encoding-type").value_or("") == "dataframe";
  return frame ? read_frame(file, path) : read_matrix_with_names(file, path);
}

}  // namespace cda::hdf5
