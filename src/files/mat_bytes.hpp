// The bytes of a MATLAB file from front to back, in either byte order, never beyond their end.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "cda/error.hpp"
#include "cda/types.hpp"
#include "files/raw_numbers.hpp"

namespace cda {

enum class MatNumber { int8, uint8, int16, uint16, int32, uint32, int64, uint64, single, real };

inline std::size_t mat_number_bytes(MatNumber type) {
  switch (type) {
    case MatNumber::int8:
    case MatNumber::uint8:
      return 1;
    case MatNumber::int16:
    case MatNumber::uint16:
      return 2;
    case MatNumber::int32:
    case MatNumber::uint32:
    case MatNumber::single:
      return 4;
    default:
      return 8;
  }
}

class MatBytes {
 public:
  // The file was written on this kind of machine (little-endian) or on the other.
  MatBytes(std::string_view bytes, bool swapped, const std::string& file)
      : bytes_(bytes), swapped_(swapped), file_(&file) {}

  bool done() const { return bytes_.empty(); }
  std::size_t left() const { return bytes_.size(); }
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
    return number_at<Number>(take(sizeof(Number)).data());
  }

  // All that is left as numbers of this type: one column, which can be given another shape without a copy.
  Matrix numbers(MatNumber type, Index& rounded) const {
    switch (type) {
      case MatNumber::int8:
        return all<std::int8_t>(rounded);
      case MatNumber::uint8:
        return all<std::uint8_t>(rounded);
      case MatNumber::int16:
        return all<std::int16_t>(rounded);
      case MatNumber::uint16:
        return all<std::uint16_t>(rounded);
      case MatNumber::int32:
        return all<std::int32_t>(rounded);
      case MatNumber::uint32:
        return all<std::uint32_t>(rounded);
      case MatNumber::int64:
        return all<std::int64_t>(rounded);
      case MatNumber::uint64:
        return all<std::uint64_t>(rounded);
      case MatNumber::single:
        return all<float>(rounded);
      case MatNumber::real:
        return all<double>(rounded);
    }
    damaged("it holds numbers of an unknown type");
  }

  [[noreturn]] void damaged(const std::string& why) const {
    throw Error(Fault::input, "mat.damaged", "this MATLAB file is damaged: " + why,
                "the file is damaged or incomplete: copy it again", {.file = *file_});
  }

 private:
  template <class Number>
  Number number_at(const char* from) const {
    static_assert(std::endian::native == std::endian::little);
    char bytes[sizeof(Number)];
    for (std::size_t i = 0; i < sizeof bytes; ++i) bytes[i] = from[swapped_ ? sizeof bytes - 1 - i : i];
    Number value;
    std::memcpy(&value, bytes, sizeof value);
    return value;
  }
  template <class Number>
  Matrix all(Index& rounded) const {
    const std::size_t count = bytes_.size() / sizeof(Number);
    Matrix values(static_cast<Index>(count), 1);
    for (std::size_t i = 0; i < count; ++i) {
      const auto value = number_at<Number>(bytes_.data() + i * sizeof(Number));
      if constexpr (std::is_integral_v<Number>)
        values(static_cast<Index>(i), 0) = nearest_double(value, rounded);
      else
        values(static_cast<Index>(i), 0) = static_cast<double>(value);
    }
    return values;
  }

  std::string_view bytes_;
  bool swapped_;
  const std::string* file_;
};

}  // namespace cda
