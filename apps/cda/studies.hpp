// The studies are a program of their own, cda-experiment, which not everybody needs: `cda experiment` becomes that
// program where it stands beside this one.
#pragma once

#include <string>
#include <vector>

#include "cda/extend/catalogue.hpp"

namespace cda::command {

constexpr const char* studies_missing = "The studies are not installed (scripts/add studies)";

std::string studies_program();  // its path; empty where it is not there

// Becomes that program where the command line is one of `cda experiment`.
void hand_over_studies(int count, char** arguments);

std::vector<PartInfo> studies();  // what it says it has

}  // namespace cda::command
