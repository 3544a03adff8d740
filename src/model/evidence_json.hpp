// Evidence as it is kept in a model file.
#pragma once

#include "cda/model.hpp"
#include "model/json_field.hpp"

namespace cda {

Json written(const Evidence& evidence);
Evidence read_evidence(const Field& field, const Model& model);

}  // namespace cda
