// Is a share of replicates more, or less, than it should be? Exact binomial tests, one-sided.
#pragma once

#include <string>

#include "cda/extend/experiment.hpp"

namespace cda {

// Of counting at least (at most) this many where each case counts with the given chance.
double chance_of_at_least(const Share& share, double chance);
double chance_of_at_most(const Share& share, double chance);

// "not above .05 (P = .31)" or "ABOVE .05 (P = .002)", at 5 %; likewise for below.
std::string compared_with_level(const Share& share, double level);
std::string compared_with_power(const Share& share, double power);

// 0.05 -> ".05"
std::string short_number(double value, int decimals);

}  // namespace cda
