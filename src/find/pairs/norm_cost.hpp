// What stands in for the constraint U'U = I where directions are free.
#pragma once

#include <memory>
#include <string>

#include "cda/extend/formulation.hpp"

namespace cda {

// unit: weight |U'U - I|_F^2, the form that keeps norms near one on any data.
std::shared_ptr<const NormCost> unit_norm_cost(double weight);

// reconstruction: weight * mean |UU'x - x|^2 over centred rows = weight tr[(UU' - I)^2 S], the paper's. It rewards
// variance, so unless the data are white it pulls towards principal components, and with weight <= 1/2 towards zero.
std::shared_ptr<const NormCost> reconstruction_cost(double weight, const Sample& sample);

// The cost of one side, as the options of a formulation name it: "unit" or "paper".
std::shared_ptr<const NormCost> norm_cost(const std::string& kind, double weight, const Sample& sample);

// The options the two soft formulations share.
std::vector<OptionInfo> norm_cost_options();
struct NormCostChoice {
  std::string kind;
  double x_weight, y_weight;  // lambda, delta
  explicit NormCostChoice(const Settings& settings);
};

}  // namespace cda
