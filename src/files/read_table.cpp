// Which format a file is in: as asked for; or by its first bytes; or by its name; or CSV.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "cda/extend/format.hpp"
#include "files/columns.hpp"
#include "files/input_file.hpp"

namespace cda {
namespace {

std::string ending_of(const std::string& name) {
  const std::size_t dot = name.rfind('.');
  return dot == std::string::npos ? "" : name.substr(dot + 1);
}

bool has_ending(const Format& format, const std::string& name) {
  const std::vector<std::string> endings = format.endings();
  return std::any_of(endings.begin(), endings.end(), [&](auto& ending) { return same_name(ending, ending_of(name)); });
}

}  // namespace

std::string format_of(const InputFile& file, const ReadOptions& options) {
  if (!options.format.empty()) return options.format;
  const std::vector<std::string> names = formats().names();
  for (const std::string& name : names)
    if (formats().make(name)->recognises(file.head())) return name;
  for (const std::string& name : names)
    if (has_ending(*formats().make(name), file.name())) return name;
  return "csv";
}

namespace {

RawTable read_part(const std::string& path, const ReadOptions& options) {
  InputFile file(path, options.max_bytes);
  const std::string format = format_of(file, options);
  RawTable raw = formats().make(format)->read(file, options);
  raw.file = file.shown();
  raw.format = format;
  choose_columns(raw, options);
  return raw;
}

}  // namespace

std::string Format::written(const Table& /*table*/) const {
  throw Error(Fault::usage, "format.not-written", "this format is read but not written", "write CSV instead");
}

RawTable read_columns(const std::vector<std::string>& paths, const ReadOptions& options) {
  if (paths.empty()) throw Error(Fault::usage, "table.no-files", "no file was given");
  std::vector<RawTable> parts;
  for (const std::string& path : paths) parts.push_back(read_part(path, options));
  return stacked(std::move(parts));
}

Table read_table(const std::vector<std::string>& paths, const ReadOptions& options,
                 std::vector<std::string>* warnings) {
  std::vector<std::string> remarks;
  Table table = assembled_table(read_columns(paths, options), options, remarks);
  if (warnings) warnings->insert(warnings->end(), remarks.begin(), remarks.end());
  return table;
}

Table read_labelled_table(const std::vector<std::string>& paths, const ReadOptions& options, const std::string& column,
                          std::vector<std::string>& labels, std::vector<std::string>* warnings) {
  ReadOptions with_labels = options;
  with_labels.encode.push_back({column});  // columns to be encoded are read as text
  RawTable raw = read_columns(paths, with_labels);
  labels = taken_texts(raw, column).value_or(std::vector<std::string>());
  std::vector<std::string> remarks;
  Table table = assembled_table(std::move(raw), options, remarks);
  if (warnings) warnings->insert(warnings->end(), remarks.begin(), remarks.end());
  return table;
}

Table read_table(const std::string& path, const ReadOptions& options, std::vector<std::string>* warnings) {
  return read_table(std::vector<std::string>{path}, options, warnings);
}

std::string format_to_write(const std::string& path) {
  const std::string name = path.substr(path.rfind('/') == std::string::npos ? 0 : path.rfind('/') + 1);
  for (const std::string& candidate : formats().names()) {
    const std::unique_ptr<Format> format = formats().make(candidate);
    if (!has_ending(*format, name)) continue;
    if (format->writes()) return candidate;
    throw Error(
        Fault::usage, "format.not-written",
        fmt::format("{} is a name of the format {}, which is read but not written", in_quotes(path, 200), candidate),
        "end the name in .csv");
  }
  for (const char* spreadsheet : {"xlsx", "xls", "ods"})
    if (same_name(ending_of(name), spreadsheet))
      throw Error(Fault::usage, "format.not-written",
                  fmt::format("{} is the name of a spreadsheet, which is not written", in_quotes(path, 200)),
                  "end the name in .csv, which spreadsheets open");
  if (same_name(ending_of(name), "gz") || same_name(ending_of(name), "zst"))
    throw Error(Fault::usage, "format.not-written",
                fmt::format("{} is the name of a compressed file, which is read but not written", in_quotes(path, 200)),
                "write to - and pipe it through gzip or zstd");
  return "csv";
}

std::string written_table(const Table& table, const std::string& path) {
  return formats().make(format_to_write(path))->written(table);
}

}  // namespace cda
