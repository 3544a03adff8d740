// Shapes that turn up in many tables for many reasons: a match of one of them is weaker evidence than its p says.
#pragma once

#include <optional>
#include <string>

#include "cda/types.hpp"

namespace cda {

// The common shape that a deviation from the normal quantile function (256 blocks) is close to, in words, if any.
std::optional<std::string> common_shape(const Vector& deviation);

}  // namespace cda
