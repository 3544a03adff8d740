// The bytes of a MATLAB file from front to back, in either byte order, never beyond their end.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "cda/error.hpp"
#include "cda/types.hpp"
#include "files/raw_numbers.hpp"

namespace cda {

class MatBytes {
 public:
  // The file was written on this kind of machine (little-endian) or on the other.
  MatBytes(std::string_view bytes, bool swapped, const std::string& file)
      : bytes_(bytes), swapped_(swapped), file_(&file) {}

  bool done() const { return bytes_.empty(); }
  std::size_t left() const { return bytes_.size(); }
  std::string_view rest() const { return bytes_; }
  bool swapped() const { return swapped_; }
  const std::string& file() const { return *file_; }

  std::string_view take(std::uint64_t count) {
    if (count > bytes_.size()) damaged("it ends early");
    const std::string_view taken = bytes_.substr(0, count);
    bytes_.remove_prefix(count);
    return taken;
  }
  MatBytes part(std::uint64_t count) { return {take(count), swapped_, *file_}; }
  template <class Number>
  Number number() {
    return stored<Number>(take(sizeof(Number)).data(), swapped_);
  }

  // All that is left as numbers of this type: one column, which can be given another shape without a copy.
  Matrix numbers(StoredType type, Index& rounded) const {
    type.big_endian = swapped_;
    Matrix values(static_cast<Index>(bytes_.size() / type.bytes), 1);
    read_numbers(bytes_.data(), type, values.data(), values.rows(), rounded);
    return values;
  }

  [[noreturn]] void damaged(const std::string& why) const {
    throw Error(Fault::input, "mat.damaged", "this MATLAB file is damaged: " + why,
                "the file is damaged or incomplete: copy it again", {.file = *file_});
  }

 private:
  std::string_view bytes_;
  bool swapped_;
  const std::string* file_;
};

}  // namespace cda
