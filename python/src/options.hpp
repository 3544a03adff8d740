// What Python asks of a fit, as the library takes it. The package has checked types; names and ranges are checked here
// and below, by what the command line is checked by.
#pragma once

#include <pybind11/pybind11.h>

#include "cda/extend/formulation.hpp"
#include "cda/extend/preparation.hpp"
#include "cda/fit.hpp"

namespace cda::python {

// Keys are those of CDA's parameters; a key that is missing or None leaves the library's default.
FitOptions fit_options(const pybind11::dict& asked);

}  // namespace cda::python
