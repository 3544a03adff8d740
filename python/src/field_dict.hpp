// Structs of results as dicts, by what they say of themselves (cda/extend/fields.hpp). What was not computed is None.
#pragma once

#include <pybind11/stl.h>

#include <string>
#include <type_traits>
#include <vector>

#include "arrays.hpp"
#include "cda/extend/fields.hpp"

namespace cda::python {

class FieldDict {
 public:
  static constexpr bool reads = false;

  template <class Value>
  void operator()(const ResultField& info, const Value& value) {
    if (info.in != ResultField::In::file) all_[info.name] = object_of(value);
  }

  template <class Struct>
  static py::object of(const Struct& value) {
    FieldDict dict;
    fields(dict, value);
    return std::move(dict.all_);
  }

 private:
  template <class Value>
  static py::object object_of(const Value& value) {
    if constexpr (is_optional<Value>)
      return value ? object_of(*value) : py::none();
    else if constexpr (std::is_same_v<Value, Vector> || std::is_same_v<Value, Matrix>)
      return value.size() > 0 ? py::object(to_array(value)) : py::none();
    else if constexpr (Named<Value>)
      return py::str(to_string(value));
    else if constexpr (requires(FieldDict dict) { fields(dict, value); })
      return of(value);
    else
      return py::cast(value);
  }
  template <class Value>
  static py::object object_of(const std::vector<Value>& values) {
    py::list all;
    for (const Value& value : values) all.append(object_of(value));
    return all;
  }

  py::dict all_;
};

}  // namespace cda::python
