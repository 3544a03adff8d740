// A fit by one of the methods that CDA is compared with.
#pragma once

#include "cda/fit.hpp"

namespace cda {

Model fit_baseline(const Table& x, const Table& y, const FitOptions& options, const FitObserver& observer);
// See completed().
FitOptions completed_baseline(FitOptions options);

}  // namespace cda
