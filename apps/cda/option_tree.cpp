#include "option_tree.hpp"

#include <algorithm>
#include <cctype>
#include <sstream>

#include "cda/cda.hpp"
#include "cda/extend/divergence.hpp"
#include "cda/extend/format.hpp"
#include "cda/extend/formulation.hpp"
#include "cda/extend/optimiser.hpp"
#include "cda/extend/preparation.hpp"
#include "commands.hpp"
#include "experiment_options.hpp"
#include "studies.hpp"

namespace cda::command {
namespace {

OptionEntry entry_of(const CLI::Option& option) {
  OptionEntry entry;
  if (option.get_positional()) {
    entry.names = {option.get_name(true, false)};
  } else {
    for (const std::string& name : option.get_lnames()) entry.names.push_back("--" + name);
    for (const std::string& name : option.get_snames()) entry.names.push_back("-" + name);
  }
  if (option.get_items_expected_max() > 0) entry.type = option.get_type_name();
  entry.description = option.get_description();
  entry.standard = option.get_default_str();
  entry.group = option.get_group();
  entry.repeatable = option.get_expected_max() >= CLI::detail::expected_max_vector_size;
  entry.required = option.get_required();
  return entry;
}

CommandEntry entry_of(const CLI::App& app) {
  CommandEntry entry;
  entry.name = app.get_name();
  for (const CLI::Option* option : app.get_options())
    (option->get_positional() ? entry.positionals : entry.options).push_back(entry_of(*option));
  std::istringstream description(app.get_description());
  std::string line;
  bool before_examples = true, in_examples = false;
  while (std::getline(description, line)) {
    if (line == "Examples:") {
      in_examples = true;
      before_examples = false;
    } else if (in_examples && !line.empty()) {
      entry.examples.push_back(line);
    } else if (before_examples) {
      if (!line.empty()) entry.summary += (entry.summary.empty() ? "" : " ") + line;
    } else {
      if (!in_examples) entry.details += line + "\n";
      in_examples = false;
    }
  }
  return entry;
}

bool placeholder(const std::string& word) {
  return std::all_of(word.begin(), word.end(), [](unsigned char c) { return std::isupper(c) != 0; });
}

std::vector<std::string> method_names() {
  std::vector<std::string> names;
  for (const MethodInfo& method : methods()) names.push_back(method.name);
  return names;
}

std::vector<std::string> study_names() {
  std::vector<std::string> names;
  for (const PartInfo& study : studies()) names.push_back(study.name);
  return names;
}

// Of the command that another program runs, as it is declared there.
CommandEntry experiment_entry(const CLI::App& program) {
  CLI::App app;
  app.set_help_flag("-h,--help", program.get_help_ptr()->get_description());
  Session session;
  ExperimentRequest request;
  declare_experiment(app, session, request, studies());
  return entry_of(*app.get_subcommand("experiment"));
}

std::vector<std::string> with(std::vector<std::string> names, const char* further) {
  names.emplace_back(further);
  return names;
}

}  // namespace

OptionTree option_tree(const CLI::App& app) {
  OptionTree tree;
  tree.program = entry_of(app);
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    tree.commands.push_back(command->get_name() == "experiment" && !studies_program().empty() ? experiment_entry(app)
                                                                                              : entry_of(*command));
  return tree;
}

Choice choice_of(const std::string& type) {
  const auto words = [](std::vector<std::string> names) { return Choice{Choice::Kind::words, std::move(names)}; };
  if (type == "FILE" || type.find('.') != std::string::npos) return {Choice::Kind::file, {}};
  if (type == "DIR") return {Choice::Kind::directory, {}};
  if (type == "METHOD") return words(method_names());
  if (type == "DIVERGENCE") return words(divergences().names());
  if (type == "FORMULATION") return words(formulations().names());
  if (type == "OPTIMISER") return words(optimisers().names());
  if (type == "PREPARATION") return words(with(preparations().names(), "none"));
  if (type == "FORMAT") return words(formats().names());
  if (type == "STUDY") return words(with(study_names(), "all"));
  if (type == "KIND") return words(list_kinds());
  if (type.find('|') == std::string::npos) return {};
  std::vector<std::string> names;
  std::istringstream parts(type);
  for (std::string word; std::getline(parts, word, '|');)
    if (!placeholder(word)) names.push_back(word);
  return words(std::move(names));
}

}  // namespace cda::command
