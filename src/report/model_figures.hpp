// The figures of a model's report, each with the sentence that says what it shows.
#pragma once

#include <vector>

#include "cda/model.hpp"
#include "report/page.hpp"

namespace cda {

constexpr std::size_t most_pairs_drawn = 50;

Section divergence_section(const Model& model);
Section density_section(const Model& model);
Section quantile_section(const Model& model);
Section loading_section(const Model& model);
Section relation_section(const Model& model);
Section joint_section(const Model& model);
Section null_section(const Model& model);
Section convergence_section(const Model& model);
Section input_section(const Model& model);

}  // namespace cda
