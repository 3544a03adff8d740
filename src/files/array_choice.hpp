// Files that hold several arrays: which of them is the table.
#pragma once

#include <string>
#include <vector>

namespace cda {

struct NamedArray {
  std::string name;
  std::string what;  // its type and size, in words
};

// The place in the list of the one asked for or, where there is only one and none is asked for, of that. Throws with
// the list otherwise.
std::size_t chosen_array(const std::vector<NamedArray>& arrays, const std::string& variable, const std::string& file);

}  // namespace cda
