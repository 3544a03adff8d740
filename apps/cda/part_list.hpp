// What a catalogue has, as JSON and back.
#pragma once

#include <vector>

#include "cda/extend/catalogue.hpp"
#include "json.hpp"

namespace cda::command {

Json parts_json(const std::vector<PartInfo>& parts);
std::vector<PartInfo> parts_from(const Json& list);

}  // namespace cda::command
