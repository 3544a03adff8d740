// Help pages: examples first, then the options, in lines of a width that can be read.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace cda::command {

class HelpPages : public CLI::Formatter {
 public:
  explicit HelpPages(std::size_t width);
  std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const override;
  std::string make_option(const CLI::Option* option, bool is_positional) const override;
  // In the list of commands each has one line; its examples lead its own help.
  std::string make_subcommand(const CLI::App* command) const override;

 private:
  std::string entry(const std::string& name, const std::string& text, std::size_t column) const;

  std::size_t width_;
};

}  // namespace cda::command
