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
  if (found == json_->end()) fail(fmt::format("{}/{} is missing", place(), key));
  std::string pointer = fmt::format("{}/{}", pointer_, key);
  origin_->known.insert(pointer);
  return {*found, std::move(pointer), *origin_};
}

bool Field::has(const char* key) const { return json_->is_object() && json_->contains(key); }

std::vector<Field> Field::items() const {
  if (!json_->is_array()) wrong("a list");
  std::vector<Field> fields;
  for (std::size_t i = 0; i < json_->size(); ++i)
    fields.emplace_back((*json_)[i], fmt::format("{}/{}", pointer_, i), *origin_);
  return fields;
}

std::vector<std::pair<std::string, Field>> Field::entries() const {
  if (!json_->is_object()) wrong("an object");
  std::vector<std::pair<std::string, Field>> fields;
  for (const auto& [key, value] : json_->items()) {
    std::string pointer = fmt::format("{}/{}", pointer_, key);
    origin_->known.insert(pointer);
    fields.emplace_back(key, Field(value, std::move(pointer), *origin_));
  }
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

void Field::check_size(Index size) const {
  if (!json_->is_array() || static_cast<Index>(json_->size()) != size)
    wrong(json_->is_array() ? fmt::format("a list of {} entries, not {}", size, json_->size())
                            : fmt::format("a list of {} entries", size));
}

Vector Field::vector(Index size) const {
  check_size(size);
  Vector numbers(size);
  Index i = 0;
  for (const Json& entry : *json_) {
    // Fields are made for entries that are wrong only: there may be millions of right ones.
    if (!entry.is_number() || !std::isfinite(entry.get<double>()))
      numbers[i] = Field(entry, fmt::format("{}/{}", pointer_, i), *origin_).number();
    else
      numbers[i] = entry.get<double>();
    ++i;
  }
  return numbers;
}

Matrix Field::matrix(Index rows, Index columns) const {
  check_size(rows);
  const std::vector<Field> all = items();
  for (const Field& row : all) row.check_size(columns);
  Matrix numbers(rows, columns);
  for (std::size_t i = 0; i < all.size(); ++i) numbers.row(static_cast<Index>(i)) = all[i].vector(columns);
  return numbers;
}

void Field::wrong(const std::string& expected) const {
  fail(fmt::format("{} must be {}", pointer_.empty() ? "the file" : place(), expected));
}

std::string Field::place() const {
  const std::string safe = quoted(pointer_);
  return safe.size() == pointer_.size() + 2 ? pointer_ : safe;
}

void Field::fail(const std::string& message) const {
  throw Error(Fault::input, "model.content", message, {}, {origin_->file});
}

std::vector<std::string> Field::unknown() const {
  std::vector<std::string> pointers;
  collect_unknown(pointers);
  return pointers;
}

void Field::collect_unknown(std::vector<std::string>& pointers) const {
  const auto visit = [&](const Json& value, std::string pointer, bool named) {
    if (named && origin_->known.count(pointer) == 0)
      pointers.push_back(std::move(pointer));
    else if (value.is_structured())
      Field(value, std::move(pointer), *origin_).collect_unknown(pointers);
  };
  if (json_->is_object())
    for (const auto& [key, value] : json_->items()) visit(value, fmt::format("{}/{}", pointer_, key), true);
  else if (json_->is_array() && !json_->empty() && json_->front().is_structured())
    for (std::size_t i = 0; i < json_->size(); ++i) visit((*json_)[i], fmt::format("{}/{}", pointer_, i), false);
}

namespace {

// Refuses keys that occur twice and nesting deeper than any model has, in time that grows with the text: the library's
// own parser with a callback looks through all elements of a list at the end of each. What is not JSON is for the
// parser to say.
class Guard final : public nlohmann::json_sax<Json> {
 public:
  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(Json::number_integer_t) override { return true; }
  bool number_unsigned(Json::number_unsigned_t) override { return true; }
  bool number_float(Json::number_float_t, const std::string&) override { return true; }
  bool string(std::string&) override { return true; }
  bool binary(Json::binary_t&) override { return true; }
  bool start_object(std::size_t) override { return open(); }
  bool end_object() override { return close(); }
  bool start_array(std::size_t) override { return open(); }
  bool end_array() override { return close(); }
  bool key(std::string& name) override {
    if (!keys_.back().insert(name).second) throw std::runtime_error("the key " + cda::quoted(name) + " occurs twice");
    return true;
  }
  bool parse_error(std::size_t, const std::string&, const Json::exception&) override { return false; }

 private:
  bool open() {
    constexpr std::size_t deepest = 32;
    if (keys_.size() == deepest) throw std::runtime_error("it is nested too deeply");
    keys_.emplace_back();
    return true;
  }
  bool close() {
    keys_.pop_back();
    return true;
  }

  std::vector<std::set<std::string>> keys_;  // of the objects and lists that are open
};

}  // namespace

Json parsed_json(const std::string& text, const std::string& source) {
  try {
    Guard guard;
    Json::sax_parse(text, &guard);
    return Json::parse(text);
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
