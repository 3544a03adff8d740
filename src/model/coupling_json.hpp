// What cCDA says of its alignment, as it is kept in a model file and printed.
#pragma once

#include "base/json_field.hpp"
#include "cda/coupling.hpp"

namespace cda {

Json written(const Coupling& coupling);
Coupling read_coupling(const Field& field);

}  // namespace cda
