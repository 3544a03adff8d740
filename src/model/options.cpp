#include "cda/options.hpp"

#include <algorithm>

#include "base/option_text.hpp"
#include "base/shell_word.hpp"

namespace cda {
namespace {

struct Texts {
  static constexpr bool reads = false;
  bool of_parts;
  std::map<std::string, std::string> all = {};

  template <class Value>
  void operator()(const OptionField& info, const Value& value) {
    const std::string name = info.saved != nullptr ? info.saved : info.name;
    if (name.empty()) return;
    if constexpr (is_optional<Value>) {
      if (!value) return;
    } else if (info.parts && !of_parts) {
      return;
    }
    all[name] = text_of(info, value);
  }
};

// Sets the one whose name, or name in a model, is this.
struct Setting {
  static constexpr bool reads = true;
  const std::string& name;
  const std::string& text;
  std::string spelling;
  bool by_saved;
  bool found = false;

  template <class Value>
  void operator()(const OptionField& info, Value& value) {
    const bool saved_otherwise = by_saved && info.saved != nullptr;
    if (name != (saved_otherwise ? info.saved : info.name)) return;
    found = true;
    OptionField allowed = info;
    if (by_saved) allowed.lowest = std::min(allowed.lowest, 0.0);  // 0 stands for what was not asked for
    read_text(allowed, spelling, text, value);
  }
};

// What stands in one and not so in the other.
struct Flags {
  static constexpr bool reads = false;
  const std::map<std::string, std::string> usual, now;
  std::string text = {};

  template <class Value>
  void operator()(const OptionField& info, const Value&) {
    const auto asked = now.find(info.saved != nullptr ? info.saved : info.name);
    if (asked == now.end() || asked->first == "method") return;
    const auto known = usual.find(asked->first);
    if (known != usual.end() && known->second == asked->second) return;
    std::string word = asked->second;
    if constexpr (std::is_same_v<Value, std::optional<std::vector<PartSpec>>>)
      std::replace(word.begin(), word.end(), ' ', '+');  // else they would have to stand in quotes
    text += " --" + dashed(info.name);
    if constexpr (!std::is_same_v<Value, bool>) text += " " + shell_word(word);
  }
};

struct OfParts {
  static constexpr bool reads = false;
  std::vector<std::pair<const char*, std::string>> texts = {};

  template <class Value>
  void operator()(const OptionField& info, const Value& value) {
    if (!info.parts) return;
    if constexpr (is_optional<Value>)
      texts.emplace_back(info.name, value ? text_of(info, value) : "");
    else
      texts.emplace_back(info.name, text_of(info, value));
  }
};

}  // namespace

std::string asked_of_parts(const FitOptions& options) {
  OfParts asked, usual;
  fields(asked, options);
  const FitOptions none;
  fields(usual, none);
  for (std::size_t i = 0; i < asked.texts.size(); ++i)
    if (asked.texts[i] != usual.texts[i]) return asked.texts[i].first;
  return {};
}

std::map<std::string, std::string> texts_of(const FitOptions& options) {
  Texts texts{options.formulation.has_value()};
  fields(texts, options);
  return texts.all;
}

bool set_from_saved(FitOptions& options, const std::string& saved, const std::string& text) {
  Setting setting{saved, text, saved, true};
  fields(setting, options);
  return setting.found;
}

namespace {

template <class Options>
void set(Options& options, const std::string& name, const std::string& text, const std::string& spelling) {
  Setting setting{name, text, spelling, false};
  fields(setting, options);
  if (!setting.found) throw Error(Fault::usage, "option.unknown", "there is no option " + in_quotes(name));
}

}  // namespace

void set_option(FitOptions& options, const std::string& name, const std::string& text, const std::string& spelling) {
  set(options, name, text, spelling);
}

void set_option(EvidenceOptions& options, const std::string& name, const std::string& text,
                const std::string& spelling) {
  set(options, name, text, spelling);
}

std::string flags_between(const FitOptions& usual, const FitOptions& options) {
  Flags flags{texts_of(usual), texts_of(options)};
  fields(flags, options);
  return flags.text;
}

}  // namespace cda
