// Visitors of fields (cda/extend/fields.hpp) that write JSON, for files and for people's programs, and read it back
// without believing anything.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/json_field.hpp"
#include "cda/extend/fields.hpp"

namespace cda {

// Names of columns by which lists are shown.
struct ShownColumns {
  const std::vector<std::string>* x = nullptr;
  const std::vector<std::string>* y = nullptr;
};

// For a file, where what is not there is left out; or to be shown, where it is null and columns have their names.
class JsonWriter {
 public:
  static constexpr bool reads = false;
  explicit JsonWriter(const ShownColumns* shown = nullptr) : shown_(shown) {}

  template <class Value>
  void operator()(const ResultField& info, const Value& value) {
    if (info.in == (shown_ != nullptr ? ResultField::In::file : ResultField::In::shown)) return;
    if (shown_ == nullptr && (info.sparse || is_optional<Value>)&&!there(value)) return;
    json_[info.name] = info.sparse && !there(value) ? Json(nullptr) : of(info, value);
  }
  Json take() { return std::move(json_); }

  template <class Struct>
  static Json of_struct(const Struct& value, const ShownColumns* shown = nullptr) {
    JsonWriter writer(shown);
    fields(writer, value);
    return writer.take();
  }

 private:
  template <class Value>
  static bool there(const Value& value) {
    if constexpr (is_optional<Value>)
      return value.has_value();
    else if constexpr (requires { value.size(); })
      return value.size() > 0;
    else if constexpr (std::is_arithmetic_v<Value>)
      return value != Value{};
    else
      return true;
  }

  template <class Value>
  Json of(const ResultField& info, const Value& value) const {
    if constexpr (is_optional<Value>) {
      return value ? of(info, *value) : Json(nullptr);
    } else if constexpr (std::is_same_v<Value, Vector>) {
      return list(info, value);
    } else if constexpr (std::is_same_v<Value, Matrix>) {
      return matrix(info, value);
    } else if constexpr (Named<Value>) {
      return to_string(value);
    } else if constexpr (requires(JsonWriter writer) { fields(writer, value); }) {
      return of_struct(value, shown_);
    } else if constexpr (
        requires { value.begin(); } && !std::is_convertible_v<Value, std::string> &&
        !requires { typename Value::mapped_type; }) {
      Json all = Json::array();
      for (const auto& one : value) all.push_back(of(info, one));
      return all;
    } else {
      return value;
    }
  }

  const std::vector<std::string>* columns(const ResultField& info) const {
    if (shown_ == nullptr || info.by == ResultField::By::number) return nullptr;
    return info.by == ResultField::By::x_column ? shown_->x : shown_->y;
  }
  Json list(const ResultField& info, const Vector& values) const;
  Json matrix(const ResultField& info, const Matrix& values) const;

  const ShownColumns* shown_;
  Json json_ = Json::object();
};

// How many columns there are: so many entries lists by column must have.
struct ColumnCounts {
  Index x = 0, y = 0;
};

class JsonReader {
 public:
  static constexpr bool reads = true;
  JsonReader(const Field& object, const ColumnCounts& columns) : object_(object), columns_(columns) {}

  template <class Value>
  void operator()(const ResultField& info, Value& value) {
    if (info.in == ResultField::In::shown) return;
    if ((info.sparse || is_optional<Value>)&&!object_.has(info.name)) return;
    read(info, object_.at(info.name), value);
  }
  // What only all members together can tell.
  void require(bool fine, const char* name, const std::string& expected) const {
    if (!fine) object_.at(name).wrong(expected);
  }

  template <class Struct>
  static Struct of_struct(const Field& object, const ColumnCounts& columns = {}) {
    Struct value;
    JsonReader reader(object, columns);
    fields(reader, value);
    return value;
  }

 private:
  template <class Value>
  void read(const ResultField& info, const Field& field, Value& value) const {
    if constexpr (is_optional<Value>) {
      read(info, field, value.emplace());
    } else if constexpr (std::is_same_v<Value, bool>) {
      value = field.flag();
    } else if constexpr (std::is_same_v<Value, std::string>) {
      value = field.text();
    } else if constexpr (std::is_floating_point_v<Value>) {
      value = field.number();
    } else if constexpr (std::is_same_v<Value, std::uint64_t>) {
      value = field.seed();
    } else if constexpr (std::is_integral_v<Value>) {
      value = static_cast<Value>(count(info, field, sizeof(Value)));
    } else if constexpr (std::is_same_v<Value, Vector>) {
      const Index size = entries(info);
      value = field.vector(size >= 0 ? size : static_cast<Index>(field.items().size()));
    } else if constexpr (std::is_same_v<Value, Matrix>) {
      value = field.matrix(entries(info), info.width);
    } else if constexpr (Named<Value>) {
      value = static_cast<Value>(chosen(field, names_of(value).data(), names_of(value).size()));
    } else if constexpr (requires { typename Value::mapped_type; }) {
      for (const auto& [key, entry] : field.entries()) read(info, entry, value[key]);
    } else if constexpr (requires { value.push_back({}); }) {
      if (info.size >= 0) field.check_size(info.size);
      for (const Field& item : field.items()) read(info, item, value.emplace_back());
    } else if constexpr (requires { std::tuple_size<Value>::value; }) {
      field.check_size(static_cast<Index>(value.size()));
      const std::vector<Field> items = field.items();
      for (std::size_t i = 0; i < items.size(); ++i) read(info, items[i], value[i]);
    } else {
      value = of_struct<Value>(field, columns_);
    }
  }
  Index entries(const ResultField& info) const {
    using By = ResultField::By;
    return info.by == By::x_column ? columns_.x : info.by == By::y_column ? columns_.y : info.size;
  }
  static Index count(const ResultField& info, const Field& field, std::size_t bytes);
  static std::size_t chosen(const Field& field, const char* const* names, std::size_t size);

  const Field& object_;
  ColumnCounts columns_;
};

}  // namespace cda
