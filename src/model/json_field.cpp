#include "model/json_field.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <new>
#include <set>

namespace cda {

Field Field::at(const char* key) const {
  if (!json_->is_object()) wrong("an object");
  const auto found = json_->find(key);
  if (found == json_->end()) fail(fmt::format("{}/{} is missing", pointer_, key));
  return {*found, fmt::format("{}/{}", pointer_, key), *source_};
}

std::vector<Field> Field::items() const {
  if (!json_->is_array()) wrong("a list");
  std::vector<Field> fields;
  for (std::size_t i = 0; i < json_->size(); ++i)
    fields.emplace_back((*json_)[i], fmt::format("{}/{}", pointer_, i), *source_);
  return fields;
}

std::string Field::text() const {
  if (!json_->is_string()) wrong("text");
  return json_->get<std::string>();
}

bool Field::flag() const {
  if (!json_->is_boolean()) wrong("true or false");
  return json_->get<bool>();
}

double Field::number() const {
  if (!json_->is_number() || !std::isfinite(json_->get<double>())) wrong("a finite number");
  return json_->get<double>();
}

std::optional<double> Field::optional_number(const char* key) const {
  return has(key) ? std::optional(at(key).number()) : std::nullopt;
}

Index Field::count(Index lowest, Index highest) const {
  if (!json_->is_number_integer() || number() < static_cast<double>(lowest) || number() > static_cast<double>(highest))
    wrong(fmt::format("a whole number from {} to {}", lowest, highest));
  return json_->get<Index>();
}

std::uint64_t Field::seed() const {
  if (!json_->is_number_unsigned()) wrong("a whole number");
  return json_->get<std::uint64_t>();
}

std::vector<std::string> Field::texts() const {
  std::vector<std::string> all;
  for (const Field& item : items()) all.push_back(item.text());
  return all;
}

Vector Field::vector(Index size) const {
  const std::vector<Field> all = items();
  if (static_cast<Index>(all.size()) != size) wrong(fmt::format("a list of {} numbers, not {}", size, all.size()));
  Vector numbers(size);
  for (std::size_t i = 0; i < all.size(); ++i) numbers[static_cast<Index>(i)] = all[i].number();
  return numbers;
}

Matrix Field::matrix(Index rows, Index columns) const {
  const std::vector<Field> all = items();
  if (static_cast<Index>(all.size()) != rows) wrong(fmt::format("a list of {} rows, not {}", rows, all.size()));
  Matrix numbers(rows, columns);
  for (std::size_t i = 0; i < all.size(); ++i) numbers.row(static_cast<Index>(i)) = all[i].vector(columns);
  return numbers;
}

void Field::wrong(const std::string& expected) const {
  fail(fmt::format("{} must be {}", pointer_.empty() ? "the file" : pointer_, expected));
}

void Field::fail(const std::string& message) const {
  throw Error(Fault::input, "model.content", message, {}, {*source_});
}

namespace {

// Refuses keys that occur twice and nesting deeper than any model has.
class Guard {
 public:
  bool operator()(int depth, Json::parse_event_t event, Json& parsed) {
    constexpr int deepest = 32;
    if (depth > deepest) throw std::runtime_error("it is nested too deeply");
    if (event == Json::parse_event_t::object_start) keys_.emplace_back();
    if (event == Json::parse_event_t::object_end) keys_.pop_back();
    if (event == Json::parse_event_t::key && !keys_.back().insert(parsed.get<std::string>()).second)
      throw std::runtime_error("the key " + quoted(parsed.get<std::string>()) + " occurs twice");
    return true;
  }

 private:
  std::vector<std::set<std::string>> keys_;
};

}  // namespace

Json parsed_json(const std::string& text, const std::string& source) {
  try {
    return Json::parse(text, [guard = Guard()](int depth, Json::parse_event_t event, Json& json) mutable {
      return guard(depth, event, json);
    });
  } catch (const Json::parse_error& error) {
    const std::size_t at = std::min(error.byte, text.size());
    const auto line = std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n');
    const std::size_t line_start = at == 0 ? std::string::npos : text.rfind('\n', at - 1);
    const std::size_t column = line_start == std::string::npos ? at : at - line_start - 1;
    throw Error(Fault::input, "model.json", "this is not a model: the JSON ends early or is broken here", {},
                {source, static_cast<long>(line) + 1, static_cast<long>(column)});
  } catch (const std::bad_alloc&) {
    throw;  // says nothing about the file
  } catch (const std::exception& error) {
    throw Error(Fault::input, "model.json", fmt::format("this is not a model: {}", error.what()), {}, {source});
  }
}

Json written(const Vector& vector) { return Json(std::vector<double>(vector.data(), vector.data() + vector.size())); }

Json written(const Matrix& matrix) {
  Json rows = Json::array();
  for (Index i = 0; i < matrix.rows(); ++i) rows.push_back(written(Vector(matrix.row(i))));
  return rows;
}

void put(Json& json, const char* key, const std::optional<double>& value) {
  if (value) json[key] = *value;
}

}  // namespace cda
