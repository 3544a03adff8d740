// JSON as the command prints it: fields in the order they were set, two blanks to a level, bytes that are not UTF-8
// replaced.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace cda::command {

using Json = nlohmann::ordered_json;

inline std::string document(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace cda::command
