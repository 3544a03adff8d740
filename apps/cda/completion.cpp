// Completion. `cda __complete WORDS...` answers what could stand in the place of the last of these words of a command
// line, and `cda completion SHELL` prints the few lines with which a shell asks for it. The first line of an answer
// says where offers come from: `words` that follow, each with what it means after a tab, or the `file`s or the
// `directory`s that the shell lists. The shell drops offers that begin otherwise, as it was told to compare.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "cda/extend/catalogue.hpp"
#include "commands.hpp"
#include "option_tree.hpp"

namespace cda::command {
namespace {

using Words = std::vector<std::string>;

constexpr const char* bash_script = R"(# Completion of cda for bash, which asks the command.
#   source <(cda completion bash)

_cda() {
  local current=${COMP_WORDS[COMP_CWORD]} kind offers
  # bash makes a word of the = in --method=NAME.
  [[ $current == = ]] && current=''
  mapfile -t offers < <("${COMP_WORDS[0]/#\~/"$HOME"}" __complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  kind=${offers[0]}
  unset 'offers[0]'
  COMPREPLY=()
  case $kind in
    words) mapfile -t COMPREPLY < <(compgen -W "${offers[*]%%$'\t'*}" -- "$current") ;;
    file | directory)
      mapfile -t COMPREPLY < <(compgen -A "$kind" -- "$current")
      compopt -o filenames 2>/dev/null
      ;;
  esac
  return 0
}
complete -F _cda cda
)";

constexpr const char* zsh_script = R"(#compdef cda
# Completion of cda for zsh, which asks the command.
#   source <(cda completion zsh)

_cda() {
  local -a offers=("${(@f)$(${~${(Q)words[1]}} __complete "${(@Q)words[2,CURRENT-1]}" "$PREFIX" 2>/dev/null)}")
  local kind=$offers[1]
  offers=("${(@)offers[2,-1]//(#m)[\\:]/\\$MATCH}")
  offers=("${(@)offers/$'\t'/:}")
  case $kind in
    words) _describe offer offers ;;
    file | directory)
      compset -P 1 '--*=' || compset -P '-[^-]'
      _files ${${kind:#file}:+-/}
      ;;
  esac
}

if [[ $funcstack[1] == _cda ]]; then
  _cda "$@"
else
  compdef _cda cda
fi
)";

constexpr const char* fish_script = R"(# Completion of cda for fish, which asks the command.
#   cda completion fish | source

function __cda_ask
  set -l words (commandline -opc)
  set -l current (commandline -ct)
  set -l command (string replace -r '^~' ~ -- $words[1])
  set -l answer
  type -q $command; and set answer ($command __complete $words[2..] "$current" 2>/dev/null)
  # fish would look for the letters in what offers mean, too.
  set -l begun (string escape --style=regex -- "$current")
  set -g __cda_offers (string match -r -i -- "^$begun.*|^[^\t]*\$" $answer[2..])
  test "$answer[1]" = directory; and set -g __cda_offers (__fish_complete_directories "$current")
  test "$answer[1]" != file
end
complete -c cda -n __cda_ask -f -a '$__cda_offers'
)";

// Where the value begins in --method=NAME and -oFILE; npos where the word is a name and no more.
std::size_t value_in(const std::string& word) {
  if (!word.starts_with("--")) return word.size() > 2 ? 2 : std::string::npos;
  const std::size_t sign = word.find('=');
  return sign == std::string::npos ? sign : sign + 1;
}

const OptionEntry* option_in(const CommandEntry& command, const std::string& word) {
  const std::string name = word.starts_with("--") ? word.substr(0, word.find('=')) : word.substr(0, 2);
  for (const OptionEntry& option : command.options)
    if (std::find(option.names.begin(), option.names.end(), name) != option.names.end()) return &option;
  return nullptr;
}

std::string values(const OptionEntry& option, const std::string& before = {}) {
  const Choice choice = choice_of(option.type);
  if (choice.kind == Choice::Kind::file) return "file\n";
  if (choice.kind == Choice::Kind::directory) return "directory\n";
  std::string answer = "words\n";
  for (const std::string& word : choice.words) answer += fmt::format("{}{}\n", before, word);
  return answer;
}

// Those for one table are offered where one is begun.
std::string options(const CommandEntry& command, const std::set<const OptionEntry*>& given,
                    const std::string& current) {
  const bool one_table = current.starts_with("--x-") || current.starts_with("--y-");
  std::string answer = "words\n";
  for (const OptionEntry& option : command.options)
    if ((one_table || !option.hidden()) && (option.repeatable || given.count(&option) == 0))
      for (const std::string& name : option.names) answer += fmt::format("{}\t{}\n", name, option.description);
  return answer;
}

std::string first_words(const OptionTree& tree, const std::string& current) {
  if (current.starts_with('-')) return options(tree.program, {}, current);
  std::string answer = "words\n";
  for (const CommandEntry& command : tree.commands) answer += fmt::format("{}\t{}\n", command.name, command.summary);
  return answer;
}

// Words behind the command, without the last.
std::string further_words(const CommandEntry& command, const Words& before, const std::string& current) {
  std::set<const OptionEntry*> given;
  const OptionEntry* open = nullptr;  // its value comes next
  std::size_t place = 0;
  bool options_end = false;
  for (const std::string& word : before) {
    if (open != nullptr) {
      open = nullptr;
    } else if (options_end || word.size() < 2 || word[0] != '-') {
      ++place;
    } else if (word == "--") {
      options_end = true;
    } else if (const OptionEntry* option = option_in(command, word); option != nullptr) {
      given.insert(option);
      if (option->takes_value() && value_in(word) == std::string::npos) open = option;
    }
  }
  if (open != nullptr) return values(*open);
  if (!options_end && current.starts_with('-')) {
    const OptionEntry* option = option_in(command, current);
    const std::size_t value = value_in(current);
    const bool has_value = option != nullptr && option->takes_value() && value != std::string::npos;
    return has_value ? values(*option, current.substr(0, value)) : options(command, given, current);
  }
  return place < command.positionals.size() ? values(command.positionals[place]) : "words\n";
}

}  // namespace

std::string completions(const CLI::App& app, Words words) {
  const OptionTree tree = option_tree(app);
  std::string current;
  if (!words.empty()) current = std::move(words.back());
  if (!words.empty()) words.pop_back();
  std::erase(words, "=");  // bash makes three words of --method=NAME
  if (current == "=") current.clear();
  if (words.empty()) return first_words(tree, current);
  for (const CommandEntry& command : tree.commands)
    if (command.name == words[0]) return further_words(command, {words.begin() + 1, words.end()}, current);
  return "words\n";
}

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
  return [shell](Session&) {
    const std::map<std::string, const char*> scripts = {
        {"bash", bash_script}, {"fish", fish_script}, {"zsh", zsh_script}};
    const auto script = scripts.find(*shell);
    if (script == scripts.end()) unknown_name("shell", *shell, {"bash", "zsh", "fish"});
    check_standard_output();
    print(script->second);
  };
}

}  // namespace cda::command
