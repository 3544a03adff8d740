// `cda man`: the manual page cda(1), in the language of man, from the same tree that parses the command line.
#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "cda/cda.hpp"
#include "cda/extend/version.hpp"
#include "commands.hpp"
#include "option_tree.hpp"

namespace cda::command {
namespace {

// Text as roff takes it literally: no escapes, no requests, minus signs that can be copied.
std::string escaped(const std::string& text) {
  std::string roff;
  bool line_begins = true;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (line_begins && (c == '.' || c == '\'')) roff += "\\&";
    line_begins = c == '\n';
    switch (c) {
      case '\\':
        roff += "\\e";
        break;
      case '-':
        roff += "\\-";
        break;
      case '\'':
        roff += "\\(aq";
        break;
      case '`':
        roff += "\\(ga";
        break;
      case '"':
        roff += "\\(dq";
        break;
      case '^':
        roff += "\\(ha";
        break;
      case '~':
        roff += "\\(ti";
        break;
      default:
        roff += c;
    }
  }
  return roff;
}

std::string paragraph(const std::string& text) { return ".PP\n" + escaped(text) + "\n"; }

std::string verbatim(const std::vector<std::string>& lines) {
  std::string text = ".PP\n.EX\n";
  for (const std::string& line : lines) text += escaped(line) + "\n";
  return text + ".EE\n";
}

// \fB--output\fR, \fB-o\fR \fImodel.json\fR
std::string tag(const OptionEntry& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.names) names.push_back("\\fB" + escaped(name) + "\\fR");
  std::string text = fmt::format("{}", fmt::join(names, ", "));
  if (option.takes_value()) text += " \\fI" + escaped(option.type) + "\\fR";
  return text;
}

std::string described(const OptionEntry& option) {
  std::string text = option.description;
  if (!option.standard.empty()) text += fmt::format(" [{}]", option.standard);
  if (option.required) text += " (required)";
  return fmt::format(".TP\n{}\n{}\n", tag(option), escaped(text));
}

// Under the headings of the help, in its order.
std::string options_text(const CommandEntry& command) {
  std::string text;
  for (const OptionEntry& positional : command.positionals) text += described(positional);
  std::vector<std::string> groups;
  for (const OptionEntry& option : command.options)
    if (!option.hidden() && std::find(groups.begin(), groups.end(), option.group) == groups.end())
      groups.push_back(option.group);
  for (const std::string& group : groups) {
    text += ".PP\n" + escaped(group) + ":\n";
    for (const OptionEntry& option : command.options)
      if (option.group == group) text += described(option);
  }
  std::vector<std::string> hidden;
  for (const OptionEntry& option : command.options)
    if (option.hidden())
      for (const std::string& name : option.names) hidden.push_back("\\fB" + escaped(name) + "\\fR");
  if (!hidden.empty())
    text += fmt::format(".PP\nThe reading options for one table only: {}.\n", fmt::join(hidden, ", "));
  return text;
}

std::string command_text(const CommandEntry& command) {
  std::string usage = "cda " + command.name;
  for (const OptionEntry& positional : command.positionals)
    usage += positional.required ? " " + positional.names[0] : " [" + positional.names[0] + "]";
  std::string text = fmt::format(".SS \"{} [options]\"\n", escaped(usage)) + escaped(command.summary) + ".\n";
  if (!command.examples.empty()) text += verbatim(command.examples);
  std::istringstream lines(command.details);
  std::vector<std::string> details;
  for (std::string line; std::getline(lines, line);) details.push_back(line);
  if (!details.empty()) text += verbatim(details);
  return text + options_text(command);
}

std::string definitions(const std::vector<std::pair<std::string, std::string>>& entries) {
  std::string text;
  for (const auto& [name, meaning] : entries)
    text += fmt::format(".TP\n\\fB{}\\fR\n{}\n", escaped(name), escaped(meaning));
  return text;
}

std::string exit_codes() {
  const auto code = [](Fault fault) { return fmt::format("{}", static_cast<int>(fault)); };
  return definitions({{"0", "done"},
                      {code(Fault::internal), "a bug of ours"},
                      {code(Fault::usage), "the request makes no sense: an unknown name, an option out of range"},
                      {code(Fault::input), "the content of a file is wrong; file, line and column are named"},
                      {code(Fault::io), "a file cannot be read or written"},
                      {code(Fault::numerical), "the data or the method have no answer; or warnings with --strict"},
                      {code(Fault::resource), "not enough memory"},
                      {"129, 130, 143", "ended by SIGHUP, by Ctrl-C, by SIGTERM"}});
}

std::string environment() {
  return definitions(
      {{"NO_COLOR", "if set and not empty, output has no colours"},
       {"COLUMNS", "the width of the terminal that findings and help are to fit"},
       {"LC_ALL, LC_CTYPE, LANG", "bars on a terminal are drawn with blocks where these name UTF-8, else with #"},
       {"TERM", "dumb: no colours, no line of progress"},
       {"CDA_DATA", "the folder of data that studies on real data need"},
       {"CDA_MODULES",
        "the folder of the modules for HDF5 and MPI, where they are neither beside the program nor installed"},
       {"CDA_DUCKDB", "the file of the library that reads Parquet, where it is not beside the program"}});
}

std::string files() {
  return definitions({{"model.json",
                       "a model, as cda fit -o writes it: JSON with the SHA-256 of its own content, no rows of the "
                       "tables. The same input, options and seed give the same bytes."},
                      {"X.csv, Y.csv", "tables: CSV with a header, or another format of `cda list formats`"},
                      {"truth.json", "what cda synth knows about the tables it made, for cda score --truth"}});
}

std::string man_page(const OptionTree& tree) {
  std::string text = fmt::format(".\\\" Made by `cda man`.\n.TH CDA 1 \"\" \"cda {}\" \"User Commands\"\n", version());
  text += ".nr HY 0\n.nh\n.ad l\n";  // names broken by hyphens could not be copied
  text += ".SH NAME\ncda \\- Canonical Divergence Analysis of two tables that share neither rows nor columns\n";
  text += ".SH SYNOPSIS\n.B cda\n.I command\n.RI [ options ]\n.PP\n";
  text += ".B cda\n.I command\n.B \\-\\-help\n";
  text += ".SH DESCRIPTION\n" + escaped(tree.program.summary) + "\n";
  text += paragraph("Results go to standard output, talk to standard error; --json makes both fit for programs.");
  text += ".SH EXAMPLES\n" + verbatim(tree.program.examples);
  text += ".SH OPTIONS\n" + options_text(tree.program);
  text += ".SH COMMANDS\n";
  for (const CommandEntry& command : tree.commands) text += command_text(command);
  text += ".SH EXIT STATUS\n" + exit_codes();
  text += ".SH ENVIRONMENT\n" + environment();
  text += ".SH FILES\n" + files();
  text += ".SH SEE ALSO\n" +
          escaped(
              "README.md and docs/ of the project: the method and its limits, what each figure of cda test says, "
              "formats of files.\n"
              "H.-V. Nguyen and J. Vreeken, Canonical Divergence Analysis.") +
          "\n";
  return text;
}

}  // namespace

Action add_man(CLI::App& app, Session& /*session*/) {
  app.add_subcommand("man",
                     "The manual page of cda\n\n"
                     "Examples:\n"
                     "  cda man | man -l -          read it\n"
                     "  cda man > cda.1             keep it\n");
  return [&app](Session&) {
    check_standard_output();
    print(man_page(option_tree(app)));
  };
}

}  // namespace cda::command
