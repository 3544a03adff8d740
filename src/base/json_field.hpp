// JSON that is not to be believed: every access checks type, size and range, and a complaint names the place.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "cda/error.hpp"
#include "cda/types.hpp"

namespace cda {

using Json = nlohmann::ordered_json;

// What was read of a file, and where it is, for messages.
struct JsonSource {
  std::string file;
  std::string kind = "a model";      // what the file should be
  std::string code = "model";        // what codes of errors begin with
  std::set<std::string> known = {};  // pointers of all that was asked for
};

// A value in the file together with its JSON pointer, for messages.
class Field {
 public:
  Field(const Json& json, std::string pointer, JsonSource& origin)
      : json_(&json), pointer_(std::move(pointer)), origin_(&origin) {}

  Field at(const char* key) const;
  bool has(const char* key) const;
  std::vector<Field> items() const;
  std::vector<std::pair<std::string, Field>> entries() const;  // of an object whose keys are content
  std::string text() const;
  bool flag() const;
  double number() const;
  Index count(Index lowest, Index highest) const;
  std::uint64_t seed() const;
  std::vector<std::string> texts() const;
  void check_size(Index size) const;  // a list of so many entries; to be asked before memory is taken for them
  Vector vector(Index size) const;
  Matrix matrix(Index rows, Index columns) const;
  const Json& json() const { return *json_; }
  std::vector<std::string> unknown() const;  // pointers of what nobody asked for, here and below

  [[noreturn]] void wrong(const std::string& expected) const;
  [[noreturn]] void fail(const std::string& message) const;

 private:
  // The pointer; quoted where a key of the file brought into it what a message must not hold.
  std::string place() const;
  void collect_unknown(std::vector<std::string>& pointers) const;

  const Json* json_;
  std::string pointer_;
  JsonSource* origin_;
};

// The text as JSON; keys that occur twice and deep nesting are refused, and a broken file is placed by line and column.
Json parsed_json(const std::string& text, const JsonSource& source);

// As people and their programs read it: two blanks to a level, bytes that are not UTF-8 replaced.
std::string document(const Json& json);

// Writing: numbers in their shortest form that reads back exactly.
Json written(const Vector& vector);
Json written(const Matrix& matrix);  // by row

}  // namespace cda
