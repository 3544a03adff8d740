// Evidence as it is kept in a model file.
#pragma once

#include "base/json_field.hpp"
#include "cda/model.hpp"

namespace cda {

Json written(const Evidence& evidence);
Evidence read_evidence(const Field& field, const Model& model);

}  // namespace cda
