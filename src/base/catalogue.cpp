#include "cda/extend/catalogue.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <numeric>

namespace cda {
namespace {

std::string folded(const std::string& name) {
  std::string plain;
  for (const char c : name) plain += c == '-' ? '_' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return plain;
}

// Edits (insert, delete, replace, swap of neighbours) that turn a into b.
std::size_t edit_distance(const std::string& a, const std::string& b) {
  std::vector<std::vector<std::size_t>> cost(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) cost[i][0] = i;
  for (std::size_t j = 0; j <= b.size(); ++j) cost[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i)
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replace = cost[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      cost[i][j] = std::min({replace, cost[i - 1][j] + 1, cost[i][j - 1] + 1});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        cost[i][j] = std::min(cost[i][j], cost[i - 2][j - 2] + 1);
    }
  return cost[a.size()][b.size()];
}

[[noreturn]] void bad_value(const std::string& name, const std::string& value, const std::string& expected) {
  throw Error(Fault::usage, "option.value",
              fmt::format("option {} is {}, expected {}", name, in_quotes(value), expected));
}

}  // namespace

bool same_name(const std::string& a, const std::string& b) { return folded(a) == folded(b); }

std::vector<std::string> nearest_names(const std::string& wrong, const std::vector<std::string>& known) {
  std::vector<std::pair<std::size_t, std::string>> ranked;
  const std::string asked = folded(wrong);
  for (const std::string& name : known) {
    const std::string candidate = folded(name);
    std::size_t distance = edit_distance(asked, candidate);
    const bool contains = !asked.empty() && candidate.find(asked) != std::string::npos;
    if (contains) distance = std::min<std::size_t>(distance, 1);
    if (distance <= std::max<std::size_t>(2, asked.size() / 3)) ranked.emplace_back(distance, name);
  }
  std::stable_sort(ranked.begin(), ranked.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::string> names;
  for (const auto& [distance, name] : ranked)
    if (names.size() < 3) names.push_back(name);
  return names;
}

void unknown_name(const std::string& kind, const std::string& name, const std::vector<std::string>& known) {
  const auto near = nearest_names(name, known);
  const std::string hint = near.empty() ? fmt::format("known: {}", fmt::join(known, ", "))
                                        : fmt::format("did you mean {}?", fmt::join(near, " or "));
  throw Error(Fault::usage, "name.unknown", fmt::format("there is no {} named {}", kind, in_quotes(name)), hint);
}

Settings complete_settings(const PartInfo& info, const std::string& kind, const PartSpec& spec) {
  Settings settings;
  std::vector<std::string> known;
  for (const OptionInfo& option : info.options) {
    settings.set(option.name, option.value);
    known.push_back(option.name);
  }
  for (const auto& [name, value] : spec.settings.values()) {
    if (name.empty()) {  // a value without a name: the first option
      if (known.empty())
        throw Error(Fault::usage, "option.unknown",
                    fmt::format("{} {} takes no option, but was given {}", kind, info.name, in_quotes(value)));
      settings.set(known.front(), value);
      continue;
    }
    const auto match =
        std::find_if(known.begin(), known.end(), [&, &asked = name](const auto& k) { return same_name(k, asked); });
    if (match == known.end()) unknown_name(fmt::format("option of {} {}", kind, info.name), name, known);
    settings.set(*match, value);
  }
  return settings;
}

PartSpec::PartSpec(const std::string& text) {
  const std::size_t colon = text.find(':');
  name = text.substr(0, colon);
  if (colon == std::string::npos) return;
  std::size_t begin = colon + 1;
  while (begin <= text.size()) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string item = text.substr(begin, end - begin);
    const std::size_t equals = item.find('=');
    if (item.empty() || equals == 0)
      throw Error(Fault::usage, "option.form", fmt::format("cannot read {}", in_quotes(text)),
                  "write name:option=value,option=value");
    if (equals == std::string::npos)
      settings.set("", item);
    else
      settings.set(item.substr(0, equals), item.substr(equals + 1));
    begin = end + 1;
  }
}

std::string PartSpec::to_string() const {
  std::string text = name;
  char separator = ':';
  for (const auto& [option, value] : settings.values()) {
    text += separator + (option.empty() ? value : option + "=" + value);
    separator = ',';
  }
  return text;
}

const std::string& Settings::text(const std::string& name) const {
  const auto found = values_.find(name);
  if (found == values_.end())
    throw Error(Fault::internal, "option.undeclared", "option " + name + " is read but not declared");
  return found->second;
}

double Settings::number(const std::string& name, double lowest, double highest) const {
  const std::string& value = text(name);
  double parsed = 0.0;
  const auto [end, failure] = std::from_chars(value.data(), value.data() + value.size(), parsed);
  const bool whole = failure == std::errc() && end == value.data() + value.size();
  if (!whole || !std::isfinite(parsed) || parsed < lowest || parsed > highest)
    bad_value(name, value,
              std::isfinite(highest) ? fmt::format("a number from {} to {}", lowest, highest)
                                     : fmt::format("a number from {} up", lowest));
  return parsed;
}

Index Settings::count(const std::string& name, Index lowest, Index highest) const {
  const double value = number(name, static_cast<double>(lowest), static_cast<double>(highest));
  if (value != std::floor(value)) bad_value(name, text(name), "a whole number");
  return static_cast<Index>(value);
}

bool Settings::flag(const std::string& name) const { return choice(name, {"yes", "no"}) == "yes"; }

std::string Settings::choice(const std::string& name, std::initializer_list<const char*> allowed) const {
  const std::string& value = text(name);
  for (const char* option : allowed)
    if (same_name(value, option)) return option;
  bad_value(name, value, fmt::format("one of {}", fmt::join(allowed, ", ")));
}

}  // namespace cda
