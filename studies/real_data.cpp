#include "studies/real_data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "cda/error.hpp"
#include "studies/results.hpp"

namespace cda {

std::string data_folder(const std::string& asked) {
  if (asked != "auto" && !asked.empty()) return asked;
  const char* const named = std::getenv("CDA_DATA");
  return named != nullptr && *named != '\0' ? named : "../shared/data";
}

OptionInfo data_option() { return {"data", "auto", "folder of the data; auto: CDA_DATA, else ../shared/data"}; }

std::optional<std::vector<Table>> read_data(const std::string& folder, const std::vector<DataFile>& files,
                                            std::vector<std::string>& notes) {
  std::vector<Table> tables;
  for (const DataFile& file : files) {
    const std::filesystem::path path = std::filesystem::path(folder) / file.path;
    std::error_code ignored;
    if (!std::filesystem::exists(path, ignored)) {
      notes.push_back(
          fmt::format("{}there is no {} in {}; it comes from {}; name its folder with the option data= or in CDA_DATA",
                      nothing_measured, file.path, in_quotes(folder, 200), file.origin));
      return std::nullopt;
    }
    ReadOptions reading;
    reading.exclude = file.left_out;
    tables.push_back(read_table(path.string(), reading));
  }
  return tables;
}

namespace {

Index position(const Table& table, const std::string& name) {
  const auto at = std::find(table.names.begin(), table.names.end(), name);
  if (at == table.names.end())
    throw Error(Fault::input, "experiment.column", fmt::format("there is no column {}", in_quotes(name)), "",
                {.file = table.source});
  return at - table.names.begin();
}

}  // namespace

Vector take_column(Table& table, const std::string& name) {
  const Index at = position(table, name);
  Vector taken = table.values.col(at);
  std::vector<Index> others;
  for (Index j = 0; j < table.columns(); ++j)
    if (j != at) others.push_back(j);
  table.select_columns(others);
  return taken;
}

void keep_rows(Table& table, const std::vector<Index>& rows) { table.values = Matrix(table.values(rows, Eigen::all)); }

Table with_columns(const Table& table, const std::vector<std::string>& names) {
  std::vector<Index> chosen;
  for (const std::string& name : names) chosen.push_back(position(table, name));
  Table part = table;
  part.select_columns(chosen);
  return part;
}

std::vector<std::string> common_columns(const Table& x, const Table& y) {
  std::vector<std::string> common;
  for (const std::string& name : x.names)
    if (std::find(y.names.begin(), y.names.end(), name) != y.names.end()) common.push_back(name);
  return common;
}

}  // namespace cda
