// Options as text: the form in which they are typed, saved and shown, and back.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "cda/extend/catalogue.hpp"
#include "cda/extend/fields.hpp"
#include "cda/types.hpp"

namespace cda {

// "max-columns" of max_columns: as it stands on the command line.
std::string dashed(std::string name);

// "minmax whiten", "minmax+pca:3" -> one text per part, "none" -> none. A + before a digit belongs to a number (1e+3).
std::vector<std::string> split_parts(const std::string& text);

std::string text_of(double value);
std::string text_of(const std::vector<PartSpec>& parts);

template <class Value>
std::string text_of(const OptionField& info, const Value& value) {
  if constexpr (is_optional<Value>) {
    return text_of(info, *value);
  } else if constexpr (std::is_same_v<Value, bool>) {
    return value ? "yes" : "no";
  } else if constexpr (Named<Value>) {
    return to_string(value);
  } else if constexpr (std::is_same_v<Value, PartSpec>) {
    return value.to_string();
  } else if constexpr (std::is_same_v<Value, std::string>) {
    return value;
  } else if constexpr (std::is_integral_v<Value>) {
    return value == 0 && info.zero != nullptr ? info.zero : std::to_string(value);
  } else {
    return text_of(value);
  }
}

// Each throws an Error that names the option by `spelling` and says what it may be.
void read_text(const OptionField& info, const std::string& spelling, const std::string& text, bool& value);
void read_text(const OptionField& info, const std::string& spelling, const std::string& text, std::string& value);
void read_text(const OptionField& info, const std::string& spelling, const std::string& text, int& value);
void read_text(const OptionField& info, const std::string& spelling, const std::string& text, Index& value);
void read_text(const OptionField& info, const std::string& spelling, const std::string& text, std::uint64_t& value);
void read_text(const OptionField& info, const std::string& spelling, const std::string& text, double& value);
void read_text(const OptionField& info, const std::string& spelling, const std::string& text, PartSpec& value);
void read_text(const OptionField& info, const std::string& spelling, const std::string& text,
               std::vector<PartSpec>& value);
// The place of a name among these, in any case.
std::size_t read_choice(const std::string& spelling, const std::string& text, const char* const* names,
                        std::size_t count);

template <Named Choice>
void read_text(const OptionField&, const std::string& spelling, const std::string& text, Choice& value) {
  const auto names = names_of(Choice{});
  value = static_cast<Choice>(read_choice(spelling, text, names.data(), names.size()));
}

template <class Value>
void read_text(const OptionField& info, const std::string& spelling, const std::string& text,
               std::optional<Value>& value) {
  read_text(info, spelling, text, value.emplace());
}

}  // namespace cda
