// The header of a NumPy array (.npy): a Python dictionary as text, of which a small part of the language is understood
// and nothing is evaluated.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cda/error.hpp"
#include "cda/types.hpp"
#include "files/raw_numbers.hpp"

namespace cda {

// One value of an array. There are two more kinds: S bytes, U text.
struct NpyType : StoredType {
  bool text() const { return kind == 'S' || kind == 'U'; }
};

struct NpyField {
  std::string name;  // of a record's field; empty for a plain array
  NpyType type;
  std::size_t offset = 0;           // in the item
  std::optional<Error> fault = {};  // of a record's field that is neither numbers nor text
};

struct NpyHeader {
  std::vector<NpyField> fields;  // one for a plain array
  bool records = false;
  bool column_major = false;
  std::vector<std::uint64_t> shape;
  std::size_t item_bytes = 0;

  std::uint64_t items() const;  // product of the shape; overflow was refused
};

// From the text between the magic bytes and the data. Throws an Error with `file` where anything is not as expected.
NpyHeader parsed_npy_header(const std::string& text, const std::string& file);

}  // namespace cda
