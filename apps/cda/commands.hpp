// The commands. Each adds itself to the option tree and returns what is to be run when it was chosen.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <vector>

#include "console.hpp"

namespace cda::command {

using Action = std::function<void(Session&)>;

Action add_fit(CLI::App& app, Session& session);
Action add_test(CLI::App& app, Session& session);
Action add_transform(CLI::App& app, Session& session);
Action add_nearest(CLI::App& app, Session& session);
Action add_transfer(CLI::App& app, Session& session);
Action add_score(CLI::App& app, Session& session);
Action add_match(CLI::App& app, Session& session);
Action add_cluster(CLI::App& app, Session& session);
Action add_report(CLI::App& app, Session& session);
Action add_experiment(CLI::App& app, Session& session);
Action add_describe(CLI::App& app, Session& session);
Action add_synth(CLI::App& app, Session& session);
Action add_list(CLI::App& app, Session& session);
Action add_completion(CLI::App& app, Session& session);
Action add_man(CLI::App& app, Session& session);

std::string completions(const CLI::App& app, std::vector<std::string> words);  // the answer of `cda __complete`
std::vector<std::string> list_kinds();                                         // what `cda list` can be asked for

}  // namespace cda::command
