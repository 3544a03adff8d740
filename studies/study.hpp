// How a study offers itself: one class, made from its options.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/part.hpp"
#include "cda/extend/experiment.hpp"

namespace cda {

template <class Study>
Catalogue<Experiment>::Entry study(const std::string& summary, const std::string& reference,
                                   const std::vector<OptionInfo>& options = {}) {
  return {.info = {.name = {}, .summary = summary, .reference = reference, .options = options},
          .make = [](const Settings& settings) { return std::make_unique<Study>(settings); }};
}

}  // namespace cda
