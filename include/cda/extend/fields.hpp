// What a struct holds, said once. Beside each struct of results or of options stands a function
//
//   template <class Visit, Of<Alternative> Self>
//   void fields(Visit& visit, Self& self);
//
// that names its members in their order, each with what there is to know of it. Whatever has to know them all is a
// visitor: JSON both ways and its schema, what the command prints with --json, options on the command line and in
// Python, what is in force, the line that does it again, tables of the documents. A visitor that fills members in has
// `Visit::reads`.
#pragma once

#include <array>
#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "cda/types.hpp"

namespace cda {

// One member of a struct of results.
struct ResultField {
  const char* name;   // in JSON and in Python
  const char* words;  // what it is, in a line
  double lowest = 0.0;
  double highest = std::numeric_limits<double>::infinity();  // of counts; numbers may be anything finite
  Index size = -1;                                           // of a list: so many entries; -1: any number
  Index width = -1;                                          // of a matrix: entries of each row
  bool sparse = false;  // left out of a file where it is empty, zero or false; read where it is there
  enum class By { number, x_column, y_column };
  By by = By::number;  // what the entries of a list belong to: as many as these columns, shown with their names
  enum class In { both, file, shown };
  In in = In::both;  // whether it is in files, or only in what is shown (--json, Python)
};

template <class Value>
constexpr bool is_optional = false;
template <class Value>
constexpr bool is_optional<std::optional<Value>> = true;

template <class Self, class Struct>
concept Of = std::is_same_v<std::remove_const_t<Self>, Struct>;

// One member of a struct of options.
struct OptionField {
  const char* name;   // max_columns: --max-columns on the command line
  const char* takes;  // in the words of a usage line: R, yes|no; empty for a flag
  const char* words;  // what it does, in a line
  const char* group = "Method";
  double lowest = -std::numeric_limits<double>::infinity();
  double highest = std::numeric_limits<double>::infinity();
  const char* saved = nullptr;  // its name in a model, where that is another one; empty: it does not shape the result
  const char* also = nullptr;   // a further spelling on the command line
  const char* zero = nullptr;   // what 0 is called, where that is none of the numbers it takes
  bool parts = false;           // for methods made of parts only
};

// Closed sets. Beside an enum stands `constexpr std::array<const char*, n> names_of(E)`, in the order of its values.
template <class E>
concept Named = std::is_enum_v<E> && requires(E value) {
  names_of(value);
};

template <Named E>
std::string to_string(E value) {
  return names_of(value)[static_cast<std::size_t>(value)];
}

template <Named E>
std::optional<E> named(std::string_view name) {
  const auto names = names_of(E{});
  for (std::size_t i = 0; i < names.size(); ++i)
    if (name == names[i]) return static_cast<E>(i);
  return std::nullopt;
}

}  // namespace cda
