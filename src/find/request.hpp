// What a caller asked for, checked and completed.
#pragma once

#include "cda/fit.hpp"
#include "find/pairs/search.hpp"

namespace cda {

// The same options; throws where a number makes no sense.
const FitOptions& checked(const FitOptions& options);

// The method with everything the caller asked for instead, every name checked and every option filled in.
MethodParts chosen_parts(const FitOptions& options);

bool ends_whitened(const MethodParts& parts);

// How hard to search for such parts.
SearchOptions search_options(const FitOptions& options, const MethodParts& parts, const Divergence& divergence);

// Everything in force, as a model holds it.
FitOptions in_force(FitOptions options, const MethodParts& parts, const SearchOptions& search);
// The same options but for what has no part in the result.
FitOptions without_means(FitOptions options);

}  // namespace cda
