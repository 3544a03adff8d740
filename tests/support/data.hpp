// Where the files of tests/data are.
#pragma once

#include <string>

namespace cda {

extern const std::string test_data;

}  // namespace cda
