#include "files/mat_variable.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "cda/error.hpp"
#include "cda/extend/catalogue.hpp"
#include "cda/files.hpp"
#include "files/columns.hpp"
#include "files/raw_numbers.hpp"

namespace cda {
namespace {

std::string described(const MatVariable& variable) {
  const std::string kind = in_quotes(variable.kind);
  return fmt::format("{} ({}{}{}{})", in_quotes(variable.name), variable.complex ? "complex " : "",
                     kind.substr(1, kind.size() - 2), variable.size.empty() ? "" : ", ",
                     fmt::join(variable.size, " x "));
}

std::string list_of(const std::vector<const MatVariable*>& variables) {
  constexpr std::size_t shown = 20;
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < std::min(shown, variables.size()); ++i) texts.push_back(described(*variables[i]));
  return fmt::format("{}{}", fmt::join(texts, ", "),
                     variables.size() > shown ? fmt::format(" and {} more", variables.size() - shown) : "");
}

bool empty(const MatVariable& variable) {
  return std::any_of(variable.size.begin(), variable.size.end(), [](std::int64_t extent) { return extent == 0; });
}

bool can_be_a_table(const MatVariable& variable) {
  return variable.read && !variable.complex && variable.size.size() == 2 && !empty(variable);
}

[[noreturn]] void refuse(const MatVariable& variable, const std::string& file) {
  const Place place{.file = file};
  const std::string what = described(variable);
  if (variable.kind == "table" || variable.kind == "timetable")
    throw Error(Fault::input, "mat.table", fmt::format("{} is a MATLAB table object, which only MATLAB can read", what),
                fmt::format("in MATLAB: writetable({0}, 'x.csv'), or save table2array({0})", typed(variable.name)),
                place);
  if (!variable.read)
    throw Error(Fault::input, "mat.class", fmt::format("{} is no matrix of numbers", what),
                "in MATLAB: save the numbers as a matrix, for instance by cell2mat or struct2array", place);
  if (variable.complex)
    throw Error(Fault::input, "mat.complex", fmt::format("{} holds complex numbers", what),
                "in MATLAB: save real(...) and imag(...) side by side", place);
  if (variable.size.size() != 2)
    throw Error(Fault::input, "mat.shape",
                fmt::format("{} has {} dimensions, a table has two", what, variable.size.size()),
                "in MATLAB: reshape it", place);
  throw Error(Fault::input, "mat.empty", fmt::format("{} is empty", what), "", place);
}

const MatVariable& chosen(const std::vector<MatVariable>& variables, const ReadOptions& options,
                          const std::string& file) {
  const Place place{.file = file};
  std::vector<const MatVariable*> all, tables;
  std::vector<std::string> names;
  std::set<std::string> seen;
  const MatVariable* asked_for = nullptr;
  for (const MatVariable& variable : variables) {
    if (!seen.insert(variable.name).second)
      throw Error(Fault::input, "mat.duplicate",
                  fmt::format("this file holds two variables named {}", in_quotes(variable.name)),
                  "in MATLAB: load it and save it again", place);
    if (variable.name == options.variable) asked_for = &variable;
    names.push_back(variable.name);
    all.push_back(&variable);
    if (can_be_a_table(variable)) tables.push_back(&variable);
  }
  if (asked_for != nullptr) return *asked_for;
  if (all.empty()) throw Error(Fault::input, "mat.no-table", "this MATLAB file holds no variables", "", place);
  if (!options.variable.empty()) {
    std::vector<std::string> near = nearest_names(options.variable, names);
    for (std::string& name : near) name = in_quotes(name);
    throw Error(Fault::usage, "mat.unknown", fmt::format("there is no variable {}", in_quotes(options.variable)),
                near.empty() ? fmt::format("there is {}", list_of(all))
                             : fmt::format("did you mean {}?", fmt::join(near, " or ")),
                place);
  }
  if (tables.size() == 1) return *tables.front();
  if (tables.size() > 1)
    throw Error(Fault::input, "mat.several",
                fmt::format("this file holds {} matrices: {}", tables.size(), list_of(tables)),
                fmt::format("--variable {} says which", typed(tables.front()->name)), place);
  if (all.size() == 1) return *all.front();
  throw Error(Fault::input, "mat.no-table",
              fmt::format("this file holds no matrix of real numbers, only {}", list_of(all)),
              "in MATLAB: save the numbers as a matrix", place);
}

}  // namespace

void check_mat_memory(const std::vector<std::int64_t>& size, const std::string& file, std::uint64_t most_bytes) {
  double bytes = sizeof(double);
  for (const std::int64_t extent : size) bytes *= static_cast<double>(extent);
  if (bytes > static_cast<double>(most_bytes))
    throw Error(Fault::resource, "mat.memory",
                fmt::format("a matrix of {} takes {:.0f} bytes of memory, more than the {} that are allowed",
                            fmt::join(size, " x "), bytes, most_bytes),
                "--max-bytes allows more, if the machine has the memory", {.file = file});
}

RawTable table_of(const std::vector<MatVariable>& variables, const ReadOptions& options, const std::string& file) {
  const MatVariable& variable = chosen(variables, options, file);
  if (!can_be_a_table(variable)) refuse(variable, file);
  Index rounded = 0;
  Matrix values = variable.read(rounded);
  RawTableBuilder builder(file);
  builder.add_numbers(numbered_names(static_cast<std::size_t>(values.cols())), std::move(values));
  builder.add_rounded(in_quotes(variable.name), rounded);
  return builder.table();
}

}  // namespace cda
