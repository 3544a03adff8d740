// Figures to words.
#pragma once

#include "evidence/study.hpp"

namespace cda {

// Fills verdict, statement and notes of each pair, and the global statement, from the figures. `by_shape`: pairs are
// held against unrelated shapes, not against Gaussian tables.
void conclude(const Study& study, bool by_shape, Evidence& evidence);

}  // namespace cda
