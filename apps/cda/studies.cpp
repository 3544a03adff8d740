#include "studies.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <system_error>

#include "commands.hpp"
#include "experiment_options.hpp"
#include "part_list.hpp"
#include "text.hpp"

namespace cda::command {

std::string studies_program() {
  std::error_code error;
  const auto path = std::filesystem::read_symlink("/proc/self/exe", error).parent_path() / "cda-experiment";
  return !error && ::access(path.c_str(), X_OK) == 0 ? path.string() : "";
}

void hand_over_studies(int count, char** arguments) {
  if (count < 2 || std::strcmp(arguments[1], "experiment") != 0) return;
  if (const std::string program = studies_program(); !program.empty()) ::execv(program.c_str(), arguments + 1);
}

std::vector<PartInfo> studies() {
  const std::string program = studies_program();
  if (program.empty()) return {};
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> pipe(
      ::popen((single_quoted(program) + " --catalogue").c_str(), "re"), ::pclose);
  if (pipe == nullptr) throw Error(Fault::io, "studies.program", fmt::format("{} cannot be run", program));
  std::string text;
  for (int c = std::fgetc(pipe.get()); c != EOF; c = std::fgetc(pipe.get())) text += static_cast<char>(c);
  return parts_from(Json::parse(text));
}

// Where that program is there this is met only in `cda --help`; option_tree.cpp has its whole description.
Action add_experiment(CLI::App& app, Session& /*session*/) {
  app.add_subcommand("experiment", fmt::format("{}\n\n{}\n", experiment_summary, studies_missing))->allow_extras();
  return [](Session&) {
    throw Error(Fault::usage, "studies.missing", "the studies are not installed",
                "scripts/add studies adds the program that runs them, cda-experiment, to a build");
  };
}

}  // namespace cda::command
