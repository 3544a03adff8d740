// Which of the planted sources a fit has found.
#pragma once

#include <vector>

#include "cda/model.hpp"
#include "cda/synthetic.hpp"

namespace cda {

// For each pair the source that it is: the one whose true values correlate with the pair's by more than .9 (absolute)
// on both sides; -1 where there is none. No pair can be two sources, for these do not correlate.
std::vector<Index> sources_of_pairs(const SyntheticPair& data, const Matrix& x_values, const Matrix& y_values);
std::vector<Index> sources_of_pairs(const SyntheticPair& data, const Model& model);

// For each source whether some pair is it.
std::vector<bool> found_sources(const std::vector<Index>& sources_of_pairs, Index sources);

}  // namespace cda
