// One page that shows what was found and how far to trust it: a single file of HTML that needs nothing else, the same
// bytes for the same model.
#pragma once

#include <string>

#include "cda/model.hpp"

namespace cda {

// Figures of the tables are drawn from Model::summary, verdicts from Model::evidence; where one is not there, the page
// says how to get it.
std::string report_html(const Model& model);

}  // namespace cda
