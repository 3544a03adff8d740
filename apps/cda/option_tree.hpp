// The commands and options as plain values, read off the tree that parses the command line: completion scripts and the
// manual are made from it, so there is no second list of options.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace cda::command {

struct OptionEntry {
  std::vector<std::string> names;  // --output, -o; of a positional its one name: X
  std::string type;                // what follows it: FILE, NUMBER, yes|no; empty for a flag
  std::string description;
  std::string standard;  // its value unless asked otherwise, or empty
  std::string group;     // heading it stands under; empty: hidden, a variant for one table
  bool repeatable = false;
  bool required = false;

  bool takes_value() const { return !type.empty(); }
  bool hidden() const { return group.empty(); }
};

struct CommandEntry {
  std::string name;
  std::string summary;                // one line
  std::vector<std::string> examples;  // lines, as in its help
  std::string details;                // paragraphs below them, or empty
  std::vector<OptionEntry> options, positionals;
};

// The program itself (its name is cda) and its commands, in the order of the help.
struct OptionTree {
  CommandEntry program;
  std::vector<CommandEntry> commands;
};
OptionTree option_tree(const CLI::App& app);

// What a value of a type can be. The type is what the help shows: words to choose from (yes|no), the name of a
// catalogue (METHOD), FILE or a file's name (model.json), DIR, or something that only people know.
struct Choice {
  enum class Kind { words, file, directory, anything };
  Kind kind = Kind::anything;
  std::vector<std::string> words;
};
Choice choice_of(const std::string& type);

}  // namespace cda::command
