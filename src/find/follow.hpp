#pragma once

#include "cda/fit.hpp"

namespace cda {

// follow() with other options than the model's.
Model follow_as(const FitOptions& options, const Model& model, const Table& x, const Table& y,
                const FitObserver& observer);

}  // namespace cda
