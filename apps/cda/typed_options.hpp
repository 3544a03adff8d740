// Options of a struct as options of a command: each is registered as its fields() describe it, and read when the
// command line has been parsed. What was not typed stays as it is.
#pragma once

#include <CLI/CLI.hpp>
#include <map>
#include <string>
#include <vector>

#include "cda/extend/fields.hpp"

namespace cda::command {

class TypedOptions {
 public:
  template <class Options>
  void add_to(CLI::App& command, const Options& options) {
    Adding adding{*this, command};
    fields(adding, options);
  }
  // Throws where a text cannot be the value of its option; set(name, text, spelling) takes one.
  template <class Set>
  void take(const Set& set) const {
    for (const auto& [name, texts] : typed_) {
      std::string all;
      for (const std::string& text : texts) all += (all.empty() ? "" : " ") + text;
      if (!texts.empty()) set(name, all, spelling(name));
    }
  }
  bool has(const std::string& name) const { return !typed_.at(name).empty(); }

 private:
  static std::string spelling(const std::string& name);
  void add(CLI::App& command, const OptionField& info, bool flag, bool list);

  struct Adding {
    static constexpr bool reads = false;
    TypedOptions& typed;
    CLI::App& command;

    template <class Value>
    void operator()(const OptionField& info, const Value&) {
      typed.add(command, info, std::is_same_v<Value, bool>,
                std::is_same_v<Value, std::optional<std::vector<PartSpec>>>);
    }
  };

  std::map<std::string, std::vector<std::string>> typed_;  // by name; empty where it was not typed
};

}  // namespace cda::command
