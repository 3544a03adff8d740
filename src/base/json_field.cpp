#include "base/json_field.hpp"

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
  const std::string safe = in_quotes(pointer_);
  return safe.size() == pointer_.size() + 2 ? pointer_ : safe;
}

void Field::fail(const std::string& message) const {
  throw Error(Fault::input, origin_->code + ".content", message, {}, {origin_->file});
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

// Builds the value while it reads, in time that grows with the text: the library's own parser looks through all keys of
// an object for each new one, and with a callback through all elements of a list at the end of each. Keys that occur
// twice and nesting deeper than any model has are refused on the way.
class Builder final : public nlohmann::json_sax<Json> {
 public:
  bool null() override { return add(nullptr); }
  bool boolean(bool value) override { return add(value); }
  bool number_integer(Json::number_integer_t value) override { return add(value); }
  bool number_unsigned(Json::number_unsigned_t value) override { return add(value); }
  bool number_float(Json::number_float_t value, const std::string&) override { return add(value); }
  bool string(std::string& value) override { return add(std::move(value)); }
  bool binary(Json::binary_t& value) override { return add(std::move(value)); }
  bool start_object(std::size_t) override { return open(Json::object()); }
  bool end_object() override { return close(); }
  bool start_array(std::size_t) override { return open(Json::array()); }
  bool end_array() override { return close(); }
  bool key(std::string& name) override {
    if (!open_.back().keys.insert(name).second)
      throw std::runtime_error("the key " + cda::in_quotes(name) + " occurs twice");
    // Behind all others, without a look at them: that is what takes the time.
    open_.back().value->get_ref<Json::object_t&>().emplace_back(std::move(name), nullptr);
    return true;
  }
  bool parse_error(std::size_t position, const std::string& token, const Json::exception& error) override {
    const bool too_large = dynamic_cast<const Json::out_of_range*>(&error) != nullptr;
    broken_ = {position, too_large ? fmt::format("the number {} is too large for a double", cda::in_quotes(token))
                                   : "the JSON ends early or is broken here"};
    return false;
  }

  struct Broken {
    std::size_t byte;
    std::string why;
  };
  const std::optional<Broken>& broken() const { return broken_; }  // where the text could not be read further
  Json take() { return std::move(root_); }

 private:
  struct Open {
    Json* value;  // the last element of what is open around it, which grows again only when this is closed
    std::set<std::string> keys;
  };

  Json* place(Json value) {
    if (open_.empty()) return &(root_ = std::move(value));
    Json& around = *open_.back().value;
    if (around.is_array()) return &around.get_ref<Json::array_t&>().emplace_back(std::move(value));
    return &(around.get_ref<Json::object_t&>().back().second = std::move(value));
  }
  bool add(Json value) {
    place(std::move(value));
    return true;
  }
  bool open(Json value) {
    constexpr std::size_t deepest = 32;
    if (open_.size() == deepest) throw std::runtime_error("it is nested too deeply");
    open_.push_back({place(std::move(value)), {}});
    return true;
  }
  bool close() {
    open_.pop_back();
    return true;
  }

  Json root_;
  std::vector<Open> open_;
  std::optional<Broken> broken_;
};

// The place of a byte as a person counts: lines from 1, and bytes of the line up to it.
Place place_of_byte(const std::string& text, std::size_t byte, const std::string& file) {
  const std::size_t at = std::min(byte, text.size());
  const auto line = std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n');
  const std::size_t line_start = at == 0 ? std::string::npos : text.rfind('\n', at - 1);
  const std::size_t column = line_start == std::string::npos ? at : at - line_start - 1;
  return {file, static_cast<long>(line) + 1, static_cast<long>(column)};
}

}  // namespace

Json parsed_json(const std::string& text, const JsonSource& source) {
  const auto refuse = [&](const std::string& why, Place place) {
    throw Error(Fault::input, source.code + ".json", fmt::format("this is not {}: {}", source.kind, why), {},
                std::move(place));
  };
  Builder builder;
  try {
    Json::sax_parse(text, &builder);
  } catch (const std::bad_alloc&) {
    throw;  // says nothing about the file
  } catch (const std::exception& error) {
    refuse(error.what(), {source.file});
  }
  if (const auto& broken = builder.broken()) refuse(broken->why, place_of_byte(text, broken->byte, source.file));
  return builder.take();
}

Json written(const Vector& vector) { return Json(std::vector<double>(vector.data(), vector.data() + vector.size())); }

Json written(const Matrix& matrix) {
  Json rows = Json::array();
  for (Index i = 0; i < matrix.rows(); ++i) rows.push_back(written(Vector(matrix.row(i))));
  return rows;
}

std::string document(const Json& json) { return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n"; }

}  // namespace cda
