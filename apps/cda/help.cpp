#include "help.hpp"

#include <algorithm>

#include "text.hpp"

namespace cda::command {

HelpPages::HelpPages(std::size_t width) : width_(std::clamp<std::size_t>(width, 60, 100)) {
  column_width(34);
  label("SUBCOMMAND", "COMMAND ...");
  label("TEXT", "");
}

std::string HelpPages::make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const {
  std::string text = Formatter::make_help(app, std::move(name), mode);
  for (std::size_t at = text.find("\n\n\n"); at != std::string::npos; at = text.find("\n\n\n", at)) text.erase(at, 1);
  while (text.size() > 1 && text.compare(text.size() - 2, 2, "\n\n") == 0) text.pop_back();
  return text;
}

std::string HelpPages::make_option(const CLI::Option* option, bool is_positional) const {
  return entry(make_option_name(option, is_positional) + make_option_opts(option), make_option_desc(option),
               column_width_);
}

std::string HelpPages::make_subcommand(const CLI::App* command) const {
  const std::string description = command->get_description();
  return entry(command->get_name(), description.substr(0, description.find('\n')), 14);
}

std::string HelpPages::entry(const std::string& name, const std::string& text, std::size_t column) const {
  const std::string start = "  " + name, indent(column, ' ');
  const std::string described = wrapped(text, width_, indent);
  if (start.size() + 1 >= column) return start + "\n" + described;
  return start + described.substr(start.size());
}

}  // namespace cda::command
