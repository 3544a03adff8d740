#include "files/array_choice.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cda/error.hpp"
#include "cda/extend/catalogue.hpp"

namespace cda {

std::size_t chosen_array(const std::vector<NamedArray>& arrays, const std::string& variable, const std::string& file) {
  if (variable.empty() && arrays.size() == 1) return 0;
  constexpr std::size_t shown = 12;
  std::vector<std::string> list, names;
  for (const NamedArray& array : arrays) {
    names.push_back(array.name);
    if (list.size() < shown)
      list.push_back(array.what.empty() ? in_quotes(array.name)
                                        : fmt::format("{} ({})", in_quotes(array.name), array.what));
  }
  std::string all = fmt::format("{}", fmt::join(list, ", "));
  if (arrays.size() > shown) all += fmt::format(" and {} more", arrays.size() - shown);
  if (variable.empty())
    throw Error(Fault::input, "variable.several", fmt::format("the file holds {} arrays: {}", arrays.size(), all),
                "say which: --variable NAME", {.file = file});
  const auto found = std::find(names.begin(), names.end(), variable);
  if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
  std::vector<std::string> near = nearest_names(variable, names);
  for (std::string& name : near) name = in_quotes(name);
  throw Error(Fault::usage, "variable.unknown", fmt::format("there is no array named {}", in_quotes(variable)),
              near.empty() ? "it holds " + all : fmt::format("did you mean {}?", fmt::join(near, " or ")),
              {.file = file});
}

}  // namespace cda
