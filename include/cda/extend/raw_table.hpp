// Columns as a file holds them, before it is decided which are wanted and what becomes of text.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cda/error.hpp"
#include "cda/types.hpp"

namespace cda {

// A column as a file holds it: numbers, text, or what is neither.
struct RawColumn {
  enum class Use { values, encode, index, none };

  std::string name = {};
  Use use = Use::values;
  Index numbers = -1;                   // which column of RawTable::numbers it is; -1: none
  std::vector<std::string> texts = {};  // one per row where it holds text; an empty one is missing
  bool names_rows = false;              // the file says so itself
  std::optional<Error> fault = {};      // of what is neither: what is said where it is used
};

struct RawTable {
  std::string file = {};    // as shown in messages
  std::string format = {};  // its name in the catalogue
  Index rows = 0;
  std::vector<RawColumn> columns = {};
  Matrix numbers = {};  // rows x columns of numbers; a missing cell is NaN; columns that are used have no infinity
  // True where the format saw to names and uses itself, because it knows them before it reads the rows.
  bool chosen = false;
  std::vector<std::string> warnings = {};
};

}  // namespace cda
