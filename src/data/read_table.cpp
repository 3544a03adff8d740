// Which format a file is in: as asked for; or by its first bytes; or by its name; or CSV.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "cda/format.hpp"
#include "data/columns.hpp"
#include "data/input_file.hpp"

namespace cda {
namespace {

std::string ending_of(const std::string& name) {
  const std::size_t dot = name.rfind('.');
  return dot == std::string::npos ? "" : name.substr(dot + 1);
}

std::unique_ptr<Format> format_with_ending(const std::string& name) {
  const std::string ending = ending_of(name);
  for (const std::string& candidate : formats().names()) {
    std::unique_ptr<Format> format = formats().make(candidate);
    const std::vector<std::string> endings = format->endings();
    if (std::any_of(endings.begin(), endings.end(), [&](const std::string& e) { return same_name(e, ending); }))
      return format;
  }
  return nullptr;
}

std::unique_ptr<Format> format_of(const InputFile& file, const ReadOptions& options) {
  if (!options.format.empty()) return formats().make(options.format);
  for (const std::string& name : formats().names()) {
    std::unique_ptr<Format> format = formats().make(name);
    if (format->recognises(file.head())) return format;
  }
  std::unique_ptr<Format> format = format_with_ending(file.name());
  return format ? std::move(format) : formats().make("csv");
}

RawTable read_part(const std::string& path, const ReadOptions& options) {
  InputFile file(path, options.max_bytes);
  RawTable raw = format_of(file, options)->read(file, options);
  raw.file = file.shown();
  choose_columns(raw, options);
  return raw;
}

}  // namespace

std::string Format::written(const Table& /*table*/) const {
  throw Error(Fault::usage, "format.not-written", "this format is read but not written", "write CSV instead");
}

Table read_table(const std::vector<std::string>& paths, const ReadOptions& options,
                 std::vector<std::string>* warnings) {
  if (paths.empty()) throw Error(Fault::usage, "table.no-files", "no file was given");
  std::vector<RawTable> parts;
  for (const std::string& path : paths) parts.push_back(read_part(path, options));
  std::vector<std::string> remarks;
  Table table = assembled_table(stacked(std::move(parts)), options, remarks);
  if (warnings) warnings->insert(warnings->end(), remarks.begin(), remarks.end());
  return table;
}

Table read_table(const std::string& path, const ReadOptions& options, std::vector<std::string>* warnings) {
  return read_table(std::vector<std::string>{path}, options, warnings);
}

std::string format_to_write(const std::string& path) {
  const std::string ending = ending_of(path.substr(path.rfind('/') == std::string::npos ? 0 : path.rfind('/') + 1));
  for (const std::string& name : formats().names()) {
    const std::unique_ptr<Format> format = formats().make(name);
    const std::vector<std::string> endings = format->endings();
    const bool asked =
        std::any_of(endings.begin(), endings.end(), [&](const std::string& e) { return same_name(e, ending); });
    if (asked && format->writes()) return name;
    if (asked)
      throw Error(Fault::usage, "format.not-written",
                  fmt::format("{} is a name of the format {}, which is read but not written", quoted(path, 200), name),
                  "end the name in .csv");
  }
  if (same_name(ending, "gz") || same_name(ending, "zst"))
    throw Error(Fault::usage, "format.not-written",
                fmt::format("{} is the name of a compressed file, which is read but not written", quoted(path, 200)),
                "write - and pipe it through gzip or zstd");
  return "csv";
}

std::string written_table(const Table& table, const std::string& path) {
  return formats().make(format_to_write(path))->written(table);
}

}  // namespace cda
