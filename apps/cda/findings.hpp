// A fitted model as it is shown: a readable block per pair for people.
#pragma once

#include <string>
#include <vector>

#include "cda/model.hpp"
#include "console.hpp"

namespace cda::command {

struct FindingsOptions {
  Page page = {};
  bool every_column = false;  // a table of all weights and loadings under each pair
};

std::string findings_text(const Model& model, const std::string& x_name, const std::string& y_name,
                          const FindingsOptions& options);

}  // namespace cda::command
