#include "base/option_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <limits>

#include "cda/error.hpp"

namespace cda {
namespace {

[[noreturn]] void refuse(const std::string& spelling, const std::string& text, const std::string& expected,
                         const std::string& hint = {}) {
  throw Error(Fault::usage, "option.value", fmt::format("{} is {}, expected {}", spelling, in_quotes(text), expected),
              hint);
}

template <class Whole>
Whole whole(const OptionField& info, const std::string& spelling, const std::string& text) {
  constexpr Whole last = std::numeric_limits<Whole>::max();
  const auto lowest = info.lowest > 0.0 ? static_cast<Whole>(info.lowest) : Whole{0};
  const Whole highest = sizeof(Whole) < 8 ? static_cast<Whole>(1'000'000'000) : last;
  if (info.zero != nullptr && same_name(text, info.zero)) return 0;
  Whole value = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure != std::errc() || end != text.data() + text.size() || value < lowest || value > highest)
    refuse(spelling, text,
           highest == last ? fmt::format("a whole number from {} up", lowest)
                           : fmt::format("a whole number from {} to {}", lowest, highest));
  return value;
}

}  // namespace

std::string dashed(std::string name) {
  std::replace(name.begin(), name.end(), '_', '-');
  return name;
}

std::vector<std::string> split_parts(const std::string& text) {
  std::vector<std::string> parts;
  std::string part;
  const auto finish = [&] {
    if (!part.empty() && !same_name(part, "none")) parts.push_back(part);
    part.clear();
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto next = static_cast<unsigned char>(i + 1 < text.size() ? text[i + 1] : ' ');
    if (std::isspace(static_cast<unsigned char>(text[i])) != 0 || (text[i] == '+' && std::isdigit(next) == 0))
      finish();
    else
      part += text[i];
  }
  finish();
  return parts;
}

std::string text_of(double value) { return fmt::format("{}", value); }

std::string text_of(const std::vector<PartSpec>& parts) {
  std::vector<std::string> texts;
  for (const PartSpec& part : parts) texts.push_back(part.to_string());
  return texts.empty() ? "none" : fmt::format("{}", fmt::join(texts, " "));
}

void read_text(const OptionField&, const std::string& spelling, const std::string& text, bool& value) {
  if (!same_name(text, "yes") && !same_name(text, "no")) refuse(spelling, text, "yes or no");
  value = same_name(text, "yes");
}

void read_text(const OptionField&, const std::string&, const std::string& text, std::string& value) { value = text; }

void read_text(const OptionField& info, const std::string& spelling, const std::string& text, int& value) {
  value = whole<int>(info, spelling, text);
}

void read_text(const OptionField& info, const std::string& spelling, const std::string& text, Index& value) {
  value = whole<Index>(info, spelling, text);
}

void read_text(const OptionField& info, const std::string& spelling, const std::string& text, std::uint64_t& value) {
  value = whole<std::uint64_t>(info, spelling, text);
}

void read_text(const OptionField& info, const std::string& spelling, const std::string& text, double& value) {
  value = Settings({{spelling, text}}).number(spelling, info.lowest, info.highest);
}

void read_text(const OptionField&, const std::string&, const std::string& text, PartSpec& value) {
  value = PartSpec(text);
}

void read_text(const OptionField&, const std::string& spelling, const std::string& text, std::vector<PartSpec>& value) {
  if (std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isspace(c) != 0 || c == '+'; }))
    throw Error(Fault::usage, "option.value", spelling + " names no preparation", "`cda list preparations` shows them");
  value.clear();
  for (const std::string& part : split_parts(text)) value.emplace_back(part);
}

std::size_t read_choice(const std::string& spelling, const std::string& text, const char* const* names,
                        std::size_t count) {
  for (std::size_t i = 0; i < count; ++i)
    if (same_name(text, names[i])) return i;
  std::vector<std::string> known(names, names + count);
  const std::vector<std::string> near = nearest_names(text, known);
  const std::string last = known.back();
  known.pop_back();
  refuse(spelling, text, fmt::format("{} or {}", fmt::join(known, ", "), last),
         near.empty() ? "" : fmt::format("did you mean {}?", fmt::join(near, " or ")));
}

}  // namespace cda
