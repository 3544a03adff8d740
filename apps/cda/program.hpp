// A program of commands: reads the command line, runs one command, and turns whatever went wrong into an exit code and
// one message. 0 ok, 1 a bug of ours, 2 usage, 3 input, 4 the system, 5 the numbers, 6 a limit, 129, 130 and 143
// signals.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "commands.hpp"

namespace cda::command {

// No memory of its own: what runs out of it is told only inside run_program().
struct Program {
  const char* introduction;  // of its help
  std::span<Action (*const)(CLI::App&, Session&)> commands;
  std::string (*complete)(const CLI::App&, std::vector<std::string>) = nullptr;  // answers `cda __complete`
};

// What main() returns.
int run_program(int count, char** arguments, const Program& program);

}  // namespace cda::command
