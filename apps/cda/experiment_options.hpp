// The options of `cda experiment`, which a program of its own runs (studies.hpp): it reads them by this description,
// and the manual and the completion of the command are made from it.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "cda/extend/catalogue.hpp"
#include "console.hpp"

namespace cda::command {

constexpr const char* experiment_summary = "Repeat a study of how well the method works where the truth is known";

struct ExperimentRequest {
  std::string study, output, report;
  std::optional<std::string> runs, threads;
  std::string seed = "0";
  bool quick = false, full = false;
};

void declare_experiment(CLI::App& app, Session& session, ExperimentRequest& request,
                        const std::vector<PartInfo>& studies);

}  // namespace cda::command
