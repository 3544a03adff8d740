// `cda completion`: scripts that let bash, zsh and fish complete commands, options and their values.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "cda/extend/catalogue.hpp"
#include "commands.hpp"
#include "option_tree.hpp"

namespace cda::command {
namespace {

using Names = std::vector<std::string>;

std::string joined(const Names& names) { return fmt::format("{}", fmt::join(names, " ")); }

Names command_names(const OptionTree& tree) {
  Names names;
  for (const CommandEntry& command : tree.commands) names.push_back(command.name);
  return names;
}

Names option_names(const CommandEntry& command, bool hidden) {
  Names names;
  for (const OptionEntry& option : command.options)
    if (option.hidden() == hidden) names.insert(names.end(), option.names.begin(), option.names.end());
  return names;
}

// ---- bash ----

std::string bash_action(const OptionEntry& option) {
  const Choice choice = choice_of(option.type);
  switch (choice.kind) {
    case Choice::Kind::words:
      return "words " + joined(choice.words);
    case Choice::Kind::file:
      return "file";
    case Choice::Kind::directory:
      return "directory";
    case Choice::Kind::anything:
      break;
  }
  return "nothing";
}

// One line per thing to do, with all options and places of all commands it is done for.
std::string bash_values(const OptionTree& tree) {
  std::map<std::string, Names> places;
  for (const CommandEntry& command : tree.commands) {
    for (const OptionEntry& option : command.options)
      if (option.takes_value())
        for (const std::string& name : option.names)
          places[bash_action(option)].push_back(fmt::format("'{} {}'", command.name, name));
    for (std::size_t i = 0; i < command.positionals.size(); ++i)
      places[bash_action(command.positionals[i])].push_back(fmt::format("'{} {}'", command.name, i + 1));
  }
  std::string text;
  for (const auto& [action, patterns] : places)
    text += fmt::format("    {}) REPLY='{}' ;;\n", fmt::join(patterns, " | "), action);
  return text;
}

std::string bash_script(const OptionTree& tree) {
  std::string options;
  for (const CommandEntry& command : tree.commands)
    options += fmt::format("    {}) REPLY='{}' one_side='{}' ;;\n", command.name, joined(option_names(command, false)),
                           joined(option_names(command, true)));
  Names first = command_names(tree);
  const Names flags = option_names(tree.program, false);
  first.insert(first.end(), flags.begin(), flags.end());
  return fmt::format(
      R"(# Completion of cda for bash, made by `cda completion bash`.
#   source <(cda completion bash)

# What follows an option, or stands at a place: words to choose from, a file, a directory or nothing that is known.
_cda_value() {{
  case $1 in
{}    *) return 1 ;;
  esac
}}

_cda_options() {{
  case $1 in
{}    *) return 1 ;;
  esac
}}

_cda() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD - 1]}} REPLY='' one_side='' i place=1
  local command=${{COMP_WORDS[1]}}
  COMPREPLY=()
  # bash makes a word of the = in --method=NAME.
  if [[ $current == = ]]; then
    current=''
  elif [[ $before == = ]]; then
    before=${{COMP_WORDS[COMP_CWORD - 2]}}
  fi
  if ((COMP_CWORD == 1)); then
    REPLY='words {}'
  elif ! _cda_value "$command $before"; then
    if [[ $current == -* ]]; then
      _cda_options "$command" || return 0
      [[ $current == --[xy]-* ]] && REPLY+=" $one_side"
      REPLY="words $REPLY"
    else
      for ((i = 2; i < COMP_CWORD; i++)); do
        if [[ ${{COMP_WORDS[i]}} != -* ]]; then
          ((place++))
        elif _cda_value "$command ${{COMP_WORDS[i]}}"; then
          [[ ${{COMP_WORDS[i + 1]}} == = ]] && ((i++))
          ((i++))
        fi
      done
      _cda_value "$command $place" || return 0
    fi
  fi
  case $REPLY in
    words*) mapfile -t COMPREPLY < <(compgen -W "${{REPLY#words}}" -- "$current") ;;
    file)
      mapfile -t COMPREPLY < <(compgen -f -- "$current")
      compopt -o filenames 2>/dev/null
      ;;
    directory)
      mapfile -t COMPREPLY < <(compgen -d -- "$current")
      compopt -o filenames 2>/dev/null
      ;;
  esac
  return 0
}}
complete -F _cda cda
)",
      bash_values(tree), options, joined(first));
}

// ---- zsh ----

std::string zsh_escaped(const std::string& text, const std::string& special) {
  std::string escaped;
  for (const char c : text) escaped += (special.find(c) != std::string::npos ? "\\" : "") + std::string(1, c);
  return escaped;
}

std::string zsh_action(const OptionEntry& option) {
  const Choice choice = choice_of(option.type);
  switch (choice.kind) {
    case Choice::Kind::words:
      return fmt::format("({})", joined(choice.words));
    case Choice::Kind::file:
      return "_files";
    case Choice::Kind::directory:
      return "_files -/";
    case Choice::Kind::anything:
      break;
  }
  return " ";
}

// Specifications for _arguments, one per name. A leading ! keeps an option known but out of the offers.
std::string zsh_options(const CommandEntry& command) {
  std::string text;
  for (const OptionEntry& option : command.options)
    for (const std::string& name : option.names) {
      std::string spec = option.hidden() ? "!" : option.repeatable ? "*" : "(" + joined(option.names) + ")";
      spec += name;
      if (option.takes_value()) spec += name.size() > 2 ? "=" : "+";
      spec += "[" + zsh_escaped(option.description, "[]\\") + "]";
      if (option.takes_value()) spec += ":" + zsh_escaped(option.type, ":\\") + ":" + zsh_action(option);
      text += " \\\n        " + single_quoted(spec);
    }
  for (std::size_t i = 0; i < command.positionals.size(); ++i) {
    const OptionEntry& positional = command.positionals[i];
    text +=
        " \\\n        " + single_quoted(fmt::format("{}:{}:{}", i + 1, positional.names[0], zsh_action(positional)));
  }
  return text;
}

std::string zsh_script(const OptionTree& tree) {
  std::string commands, cases;
  for (const CommandEntry& command : tree.commands) {
    commands += fmt::format("      {}\n", single_quoted(command.name + ":" + zsh_escaped(command.summary, ":\\")));
    cases += fmt::format(
        "    {})\n      # Variants for one table are offered where one is begun.\n"
        "      specs=({})\n      ;;\n",
        command.name, zsh_options(command));
  }
  return fmt::format(
      R"(#compdef cda
# Completion of cda for zsh, made by `cda completion zsh`.
#   source <(cda completion zsh)

_cda() {{
  local -a specs
  if ((CURRENT == 2)); then
    local -a commands=(
{}    )
    _describe -t commands command commands
    _arguments{}
    return
  fi
  local command=$words[2]
  shift words
  ((CURRENT--))
  case $command in
{}    *) return 1 ;;
  esac
  [[ $words[CURRENT] == --[xy]-* ]] && specs=("${{(@)specs#!}}")
  _arguments -s $specs
}}

if [[ $funcstack[1] == _cda ]]; then
  _cda "$@"
else
  compdef _cda cda
fi
)",
      commands, zsh_options(tree.program), cases);
}

// ---- fish ----

std::string fish_quoted(const std::string& text) {
  std::string quoted = "'";
  for (const char c : text) quoted += (c == '\'' || c == '\\' ? "\\" : "") + std::string(1, c);
  return quoted + "'";
}

std::string fish_action(const OptionEntry& option) {
  const Choice choice = choice_of(option.type);
  switch (choice.kind) {
    case Choice::Kind::words:
      return " -x -a " + fish_quoted(joined(choice.words));
    case Choice::Kind::file:
      return " -r -F";
    case Choice::Kind::directory:
      return " -x -a '(__fish_complete_directories (commandline -ct))'";
    case Choice::Kind::anything:
      break;
  }
  return " -x";
}

std::string fish_options(const CommandEntry& command, const std::string& condition) {
  std::string text;
  for (const OptionEntry& option : command.options) {
    text += fmt::format("complete -c cda -n '{}{}'", condition, option.hidden() ? "; and __cda_one_table" : "");
    for (const std::string& name : option.names)
      text += name.size() > 2 ? " -l " + name.substr(2) : " -s " + name.substr(1);
    if (option.takes_value()) text += fish_action(option);
    text += " -d " + fish_quoted(option.description) + "\n";
  }
  for (std::size_t i = 0; i < command.positionals.size(); ++i) {
    const Choice choice = choice_of(command.positionals[i].type);
    if (choice.kind == Choice::Kind::file)
      text += fmt::format("complete -c cda -n '{}' -F\n", condition);
    else if (choice.kind == Choice::Kind::words)
      text += fmt::format("complete -c cda -n '{}' -a {}\n", condition, fish_quoted(joined(choice.words)));
  }
  return text;
}

std::string fish_script(const OptionTree& tree) {
  std::string text =
      "# Completion of cda for fish, made by `cda completion fish`.\n"
      "#   cda completion fish | source\n\n"
      "function __cda_command\n"
      "  set -l words (commandline -opc)\n"
      "  test (count $words) -ge 2; and test $words[2] = $argv[1]\n"
      "end\n"
      "function __cda_no_command\n"
      "  test (count (commandline -opc)) -eq 1\n"
      "end\n"
      "# Variants of options for one table are offered where one is begun, or was just written.\n"
      "function __cda_one_table\n"
      "  set -l words (commandline -opc)\n"
      "  string match -q -r -- '^--[xy]-' (commandline -ct) $words[-1]\n"
      "end\n\n"
      "complete -c cda -f\n";
  for (const CommandEntry& command : tree.commands)
    text +=
        fmt::format("complete -c cda -n __cda_no_command -a {} -d {}\n", command.name, fish_quoted(command.summary));
  text += fish_options(tree.program, "__cda_no_command");
  for (const CommandEntry& command : tree.commands) text += fish_options(command, "__cda_command " + command.name);
  return text;
}

void completion(const std::string& shell, const OptionTree& tree) {
  const std::map<std::string, std::string (*)(const OptionTree&)> scripts = {
      {"bash", bash_script}, {"fish", fish_script}, {"zsh", zsh_script}};
  const auto script = scripts.find(shell);
  if (script == scripts.end()) unknown_name("shell", shell, {"bash", "zsh", "fish"});
  check_standard_output();
  print(script->second(tree));
}

}  // namespace

Action add_completion(CLI::App& app, Session& /*session*/) {
  CLI::App* command = app.add_subcommand("completion",
                                         "A script with which the shell completes commands, options and values\n\n"
                                         "Examples:\n"
                                         "  source <(cda completion bash)        this shell only; the same for zsh\n"
                                         "  cda completion fish | source\n"
                                         "  cda completion bash > ~/.local/share/bash-completion/completions/cda\n"
                                         "  cda completion fish > ~/.config/fish/completions/cda.fish\n"
                                         "  cda completion zsh > _cda            in a folder of $fpath\n");
  auto shell = std::make_shared<std::string>();
  command->add_option("SHELL", *shell, "the shell that is to read it")->type_name("bash|zsh|fish")->required();
  return [&app, shell](Session&) { completion(*shell, option_tree(app)); };
}

}  // namespace cda::command
