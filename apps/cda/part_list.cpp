#include "part_list.hpp"

namespace cda::command {

Json parts_json(const std::vector<PartInfo>& parts) {
  Json all = Json::array();
  for (const PartInfo& part : parts) {
    Json options = Json::array();
    for (const OptionInfo& option : part.options)
      options.push_back({{"name", option.name}, {"value", option.value}, {"summary", option.summary}});
    all.push_back({{"name", part.name},
                   {"summary", part.summary},
                   {"reference", part.reference},
                   {"options", std::move(options)}});
  }
  return all;
}

std::vector<PartInfo> parts_from(const Json& list) {
  std::vector<PartInfo> parts;
  for (const Json& part : list) {
    parts.push_back({part["name"], part["summary"], part["reference"], {}});
    for (const Json& option : part["options"])
      parts.back().options.push_back({option["name"], option["value"], option["summary"]});
  }
  return parts;
}

}  // namespace cda::command
