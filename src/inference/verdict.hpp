// Figures to words.
#pragma once

#include "inference/study.hpp"

namespace cda {

// Fills verdict, statement and notes of each pair, and the global statement, from the figures.
void conclude(const Study& study, Evidence& evidence);

}  // namespace cda
