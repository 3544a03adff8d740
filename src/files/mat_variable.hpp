// What a MATLAB file holds, whichever of its four formats it is in: variables with a name, a class and a size.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "cda/extend/format.hpp"

namespace cda {

struct MatVariable {
  std::string name;
  std::string kind = {};  // its class in MATLAB: "double", "sparse double", "cell"
  std::vector<std::int64_t> size = {};
  bool complex = false;
  std::function<Matrix(Index& rounded)> read = {};  // where it holds numbers
};

// The variable asked for, or the only one that can be a table; an Error lists what is there.
RawTable table_of(const std::vector<MatVariable>& variables, const ReadOptions& options, const std::string& file);

// Throws where a matrix of this size takes more memory than allowed.
void check_mat_memory(const std::vector<std::int64_t>& size, const std::string& file, std::uint64_t most_bytes);

// The variables of a file as MATLAB 4 and as MATLAB 5 to 7.2 write it. They refer to `bytes`.
std::vector<MatVariable> mat4_variables(std::string_view bytes, const std::string& file, std::uint64_t most_bytes);
std::vector<MatVariable> mat5_variables(std::string_view bytes, const std::string& file, std::uint64_t most_bytes);

}  // namespace cda
