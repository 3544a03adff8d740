// What marks results as those of one study: who wrote them, and everything that was in force.
#pragma once

#include <map>
#include <string>

#include "cda/extend/experiment.hpp"

namespace cda {

std::string written_by();
// How a note begins that says that data were not there.
constexpr const char* nothing_measured = "nothing was measured: ";
// `whole`: with all its options (Catalogue::complete).
std::map<std::string, std::string> options_in_force(const PartSpec& whole, const ExperimentOptions& options);

}  // namespace cda
