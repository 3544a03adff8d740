#include "base/json_fields.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace cda {

// {"column": value, ...} in the order of the columns; null where there are none (weights of a map that is not linear).
Json JsonWriter::list(const ResultField& info, const Vector& values) const {
  const std::vector<std::string>* names = columns(info);
  if (names == nullptr) return written(values);
  if (values.size() == 0) return nullptr;
  Json object = Json::object();
  for (std::size_t j = 0; j < names->size(); ++j) object[(*names)[j]] = values[static_cast<Index>(j)];
  return object;
}

Json JsonWriter::matrix(const ResultField& info, const Matrix& values) const {
  const std::vector<std::string>* names = columns(info);
  if (names == nullptr) return written(values);
  Json object = Json::object();
  for (std::size_t j = 0; j < names->size(); ++j)
    object[(*names)[j]] = written(Vector(values.row(static_cast<Index>(j))));
  return object;
}

Index JsonReader::count(const ResultField& info, const Field& field, std::size_t bytes) {
  const double most = bytes < 8 ? 2147483647.0 : std::ldexp(1.0, 50);
  return field.count(static_cast<Index>(info.lowest), static_cast<Index>(std::min(info.highest, most)));
}

std::size_t JsonReader::chosen(const Field& field, const char* const* names, std::size_t size) {
  const std::string name = field.text();
  const auto* const found = std::find(names, names + size, name);
  if (found == names + size) {
    std::string expected = names[0];
    for (std::size_t i = 1; i < size; ++i) expected += (i + 1 < size ? ", " : " or ") + std::string(names[i]);
    field.wrong(expected);
  }
  return static_cast<std::size_t>(found - names);
}

}  // namespace cda
