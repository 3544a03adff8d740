// The first line: column names, and which columns are wanted.
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <unordered_map>

#include "cda/catalogue.hpp"
#include "cda/error.hpp"
#include "data/csv_columns.hpp"
#include "foundation/utf8.hpp"

namespace cda {
namespace {

std::string checked_name(const Field& field, long column, const CsvSource& source) {
  const std::string name = field.quoted ? field.plain() : std::string(trimmed(field.text));
  const Place place{.file = source.file, .line = field.line, .column = column};
  if (!valid_utf8(name))
    throw Error(Fault::input, "csv.encoding", "the column name " + quoted(name) + " is not UTF-8",
                "--encoding latin1, if the file was written on an older system", place);
  if (name.size() > longest_number)
    throw Error(Fault::input, "csv.name-too-long", fmt::format("a column name of {} bytes is too long", name.size()),
                "is this the line of column names?", place);
  return name;
}

// a, a, a -> a, a_2, a_3, keeping clear of names that are there already.
void make_unique(std::vector<Column>& columns) {
  std::set<std::string> taken;
  for (const Column& column : columns) taken.insert(column.name);
  std::set<std::string> used;
  std::unordered_map<std::string, long> next;
  for (Column& column : columns) {
    if (used.insert(column.name).second) continue;
    long& suffix = next.try_emplace(column.name, 2).first->second;
    std::string name;
    do name = fmt::format("{}_{}", column.name, suffix++);
    while (!taken.insert(name).second);
    column.name = name;
    used.insert(name);
  }
}

void refuse_duplicates(const std::vector<Column>& columns, const CsvSource& source, long line) {
  std::unordered_map<std::string, std::size_t> seen;
  for (std::size_t j = 0; j < columns.size(); ++j) {
    const auto [earlier, is_new] = seen.try_emplace(columns[j].name, j);
    if (!is_new)
      throw Error(
          Fault::input, "csv.duplicate-name",
          fmt::format("columns {} and {} are both named {}", earlier->second + 1, j + 1, quoted(columns[j].name)),
          "--dedupe-names", {.file = source.file, .line = line, .column = static_cast<long>(j + 1)});
  }
}

std::size_t find_column(const std::vector<Column>& columns, const std::string& name, const CsvSource& source) {
  const auto found = std::find_if(columns.begin(), columns.end(), [&](const Column& c) { return c.name == name; });
  if (found != columns.end()) return static_cast<std::size_t>(found - columns.begin());
  std::vector<std::string> known;
  for (const Column& column : columns)
    if (known.size() < 1000) known.push_back(column.name);
  std::vector<std::string> near = nearest_names(name, known);
  const bool close = !near.empty();
  if (!close) near.assign(known.begin(), known.begin() + static_cast<long>(std::min<std::size_t>(known.size(), 12)));
  for (std::string& candidate : near) candidate = quoted(candidate);
  throw Error(Fault::usage, "csv.no-column", fmt::format("there is no column named {}", quoted(name)),
              close ? fmt::format("did you mean {}?", fmt::join(near, " or "))
                    : fmt::format("it has {}{}", fmt::join(near, ", "), known.size() > near.size() ? ", ..." : ""),
              {.file = source.file});
}

}  // namespace

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

std::vector<Column> named_columns(const std::vector<Field>& header, const CsvSource& source,
                                  std::vector<std::string>& warnings) {
  std::vector<Column> columns(header.size());
  if (!source.options.header) {
    for (std::size_t j = 0; j < columns.size(); ++j) columns[j].name = fmt::format("col_{}", j + 1);
    return columns;
  }
  bool all_numbers = true;
  for (std::size_t j = 0; j < columns.size(); ++j) {
    columns[j].name = checked_name(header[j], static_cast<long>(j + 1), source);
    double value = 0.0;
    const NumberFormat format{source.options.decimal, source.options.thousands};
    all_numbers = all_numbers && parse_number(columns[j].name, format, value) == NumberKind::number;
    if (!columns[j].name.empty()) continue;
    columns[j].name = fmt::format("col_{}", j + 1);
    warnings.push_back(fmt::format("{}: column {} has no name and is called {}", source.file, j + 1, columns[j].name));
  }
  if (all_numbers)
    warnings.push_back(
        fmt::format("{}: the first line holds numbers only but was taken for the column names; "
                    "if it is data: --header no",
                    source.file));
  if (source.options.dedupe_names) make_unique(columns);
  refuse_duplicates(columns, source, header.front().line);
  return columns;
}

void choose_columns(std::vector<Column>& columns, const CsvSource& source) {
  const ReadOptions& options = source.options;
  if (!options.only.empty()) {
    for (Column& column : columns) column.use = Column::Use::none;
    for (const std::string& name : options.only) columns[find_column(columns, name, source)].use = Column::Use::values;
  }
  for (const std::string& name : options.exclude) columns[find_column(columns, name, source)].use = Column::Use::none;
  if (!options.index_column.empty())
    columns[find_column(columns, options.index_column, source)].use = Column::Use::index;
  const bool any =
      std::any_of(columns.begin(), columns.end(), [](const Column& c) { return c.use == Column::Use::values; });
  if (!any)
    throw Error(Fault::usage, "csv.no-columns", "no column is left to read", "check --only, --exclude, --index-column",
                {.file = source.file});
}

}  // namespace cda
