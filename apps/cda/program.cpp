#include "program.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstring>
#include <exception>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include "cda/cda.hpp"
#include "cda/extend/catalogue.hpp"
#include "cda/extend/memory.hpp"
#include "cda/extend/version.hpp"
#include "cda/peers.hpp"
#include "console.hpp"
#include "help.hpp"
#include "interrupt.hpp"
#include "memory.hpp"
#include "ranks.hpp"

namespace cda::command {
namespace {

// Asked for by hand: errors in the command line itself are reported in the form it asks for.
bool wants_json(int count, char** arguments) {
  for (int i = 1; i < count && std::strcmp(arguments[i], "--") != 0; ++i)
    if (std::strcmp(arguments[i], "--json") == 0) return true;
  return false;
}

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  return names;
}

// CLI11 stops at the first thing it notices, which is often a consequence. A name nobody knows comes first.
[[noreturn]] void usage_error(const CLI::App& app, const CLI::ParseError& failure) {
  const auto chosen = app.get_subcommands();
  const CLI::App& command = chosen.empty() ? app : *chosen.front();
  const std::string help = chosen.empty() ? "cda --help" : fmt::format("cda {} --help", command.get_name());
  const std::vector<std::string> extras = app.remaining(true);
  for (const std::string& extra : extras) {
    if (chosen.empty() && extra[0] != '-') {
      std::vector<std::string> names;
      for (const CLI::App* known : app.get_subcommands([](const CLI::App*) { return true; }))
        names.push_back(known->get_name());
      unknown_name("command", extra, names);
    }
    if (extra.size() < 2 || extra[0] != '-') continue;
    const std::string name = extra.substr(0, extra.find('='));
    const auto near = nearest_names(name, option_names(command));
    throw Error(Fault::usage, "option.unknown", fmt::format("there is no option {}", in_quotes(name)),
                near.empty() ? help : fmt::format("did you mean {}?", fmt::join(near, " or ")));
  }
  if (!extras.empty())
    throw Error(Fault::usage, "usage", fmt::format("{} is one argument too many", in_quotes(extras.front())), help);
  if (chosen.empty()) throw Error(Fault::usage, "usage", "a command is required", help);
  throw Error(Fault::usage, "usage", failure.what(), help);
}

// `--seed=` without a value would take the next word for it, whatever that is, and `-o=` the sign itself. Names that
// the command does not know are left to the parser, which says so.
void refuse_empty_values(CLI::App& app, int count, char** arguments) {
  if (count < 2) return;
  const auto named = app.get_subcommands([&](const CLI::App* known) { return known->check_name(arguments[1]); });
  for (int i = 2; i < count && !named.empty() && std::strcmp(arguments[i], "--") != 0; ++i) {
    const std::string_view text = arguments[i];
    if (text.size() < 3 || text[0] != '-' || text.find('=') != text.size() - 1) continue;
    const std::string name(text.substr(0, text.size() - 1));
    const CLI::Option* option = named.front()->get_option_no_throw(name);
    if (option == nullptr) continue;
    const bool flag = option->get_items_expected_max() == 0;
    throw Error(Fault::usage, "option.value", fmt::format("{} is followed by = and nothing", name),
                flag ? name : fmt::format("{} {}", name, option->get_type_name()));
  }
}

// An empty text, such as a variable of a shell that holds nothing, would count as an option that was not given. Lists
// may have an empty entry (--na "").
void refuse_empty_texts(const CLI::App& command) {
  for (const CLI::Option* option : command.get_options()) {
    if (!option->nonpositional() || option->get_expected_max() > 1) continue;
    const std::vector<std::string> given = option->results();
    if (std::find(given.begin(), given.end(), "") != given.end()) {
      // get_name() is silent on hidden ones.
      const std::string name = option->get_lnames().empty() ? option->get_name() : "--" + option->get_lnames().front();
      throw Error(Fault::usage, "option.value", fmt::format("{} is followed by an empty text", name),
                  fmt::format("{} {}", name, option->get_type_name()));
    }
  }
}

struct Command {
  CLI::App* app;
  Action action;
};

int run(int count, char** arguments, const Program& program, Session& session) {
  CLI::App app(program.introduction, "cda");
  app.set_version_flag("--version", fmt::format("cda {}", version()), "print the version");
  app.set_help_flag("-h,--help", "print this help");
  app.require_subcommand(1);
  const Page page = page_of(STDOUT_FILENO);
  app.formatter(std::make_shared<HelpPages>(page.terminal ? page.width : 100));
  std::vector<Command> commands;
  for (const auto add : program.commands) {
    Action action = add(app, session);
    CLI::App* command = app.get_subcommands([](const CLI::App*) { return true; }).back();
    command->group("Commands");
    commands.push_back({command, std::move(action)});
  }
  if (program.complete != nullptr && count > 1 && std::string_view(arguments[1]) == "__complete") {
    print(program.complete(app, {arguments + 2, arguments + count}));
    return 0;
  }
  refuse_empty_values(app, count, arguments);
  try {
    app.parse(count, arguments);
  } catch (const CLI::CallForHelp&) {
    print(app.help());
    return 0;
  } catch (const CLI::CallForVersion&) {
    print(fmt::format("cda {}\n", version()));
    return 0;
  } catch (const CLI::ParseError& failure) {
    usage_error(app, failure);
  }
  for (const Command& command : commands) {
    if (!command.app->parsed()) continue;
    refuse_empty_texts(*command.app);
    if (ranks() != nullptr && command.app->get_name() != "fit")
      throw Error(Fault::usage, "ranks.command",
                  fmt::format("`cda {}` is not for several processes", command.app->get_name()),
                  "run it without mpirun; `cda fit` is for several");
    command.action(session);
  }
  return 0;
}

Ending failed(const Session& session, int exit_code, const std::string& code, const Place& place,
              const std::string& message, const std::string& hint = {}) {
  return {exit_code, session.json ? error_json(code, place, message, hint) + "\n"
                                  : fmt::format("cda: error: {}\n", describe(place, message, hint))};
}

Ending ran(int count, char** arguments, const Program& program) {
  Session session;
  session.json = wants_json(count, arguments);
  const bool json = session.json;
  constexpr const char* please_report = "this is a bug in cda: please report it with the command line and the version";
  watch_signals(json);
  try {
    add_peers();
    join_ranks();
    return {run(count, arguments, program, session)};
  } catch (const Error& error) {
    session.json = json;
    if (stop_signal() != 0 && ranks() != nullptr && error.code() != "interrupted.partial")
      return {128 + stop_signal()};  // see end_without_words()
    if (stop_signal() != 0)
      return failed(session, 128 + stop_signal(), "interrupted", {},
                    error.code() == "interrupted.partial" ? error.message() : "interrupted");
    const bool ours = error.fault() == Fault::internal && error.hint().empty();
    const bool memory = error.fault() == Fault::resource && error.hint().empty();
    return failed(session, static_cast<int>(error.fault()), error.code(), error.place(), error.message(),
                  ours ? please_report : (memory ? allowed_memory() : error.hint()));
  } catch (const AnotherRankFailed&) {
    return {AnotherRankFailed::exit_code};
  } catch (const std::bad_alloc&) {
    session.json = json;
    return failed(session, static_cast<int>(Fault::resource), "memory", {}, out_of_memory(),
                  "use fewer rows or columns, or a machine with more memory");
  } catch (const std::exception& failure) {
    session.json = json;
    return failed(session, static_cast<int>(Fault::internal), "internal", {}, failure.what(), please_report);
  } catch (...) {
    session.json = json;
    return failed(session, static_cast<int>(Fault::internal), "internal", {}, "something unknown was thrown",
                  please_report);
  }
}

}  // namespace

int run_program(int count, char** arguments, const Program& program) {
  hold_standard_streams();
  keep_freed_memory();
  return concluded(ran(count, arguments, program));
}

}  // namespace cda::command
