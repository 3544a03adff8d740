// What a report shows, as it is kept in a model file.
#pragma once

#include "base/json_field.hpp"
#include "cda/model.hpp"

namespace cda {

Json written(const FitSummary& summary);
FitSummary read_fit_summary(const Field& field, const Model& model);

Json written(const std::vector<Trace>& traces);
std::vector<Trace> read_traces(const Field& field);

}  // namespace cda
