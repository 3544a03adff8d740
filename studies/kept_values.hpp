// The result of a replicate as text, and back to the last bit: numbers as the shortest decimals that read as the same
// number, words with their length in front, parts one after another. A study's own struct takes part by naming its
// members once:
//
//   struct Found {
//     Share sources;
//     double error = 0.0;
//     static auto fields(auto& self) { return std::tie(self.sources, self.error); }
//   };
#pragma once

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <vector>

#include "cda/types.hpp"
#include "cda/experiment.hpp"

namespace cda {

struct KeptWriter {
  std::string text;
};

// Once something does not read as what it should be, nothing does.
struct KeptReader {
  std::string_view left;
  bool good = true;

  std::string_view word() {
    const std::size_t end = left.find(' ');
    good = good && end != std::string_view::npos;
    if (!good) return {};
    const std::string_view found = left.substr(0, end);
    left.remove_prefix(end + 1);
    return found;
  }
};

template <class T>
concept KeptNumber = std::is_same_v<T, double> ||(std::is_integral_v<T> && !std::is_same_v<T, bool>);

template <KeptNumber T>
void put(KeptWriter& writer, T value) {
  writer.text += fmt::format("{} ", value);
}
template <KeptNumber T>
void take(KeptReader& reader, T& value) {
  const std::string_view word = reader.word();
  if (!reader.good) return;
  const auto read = std::from_chars(word.data(), word.data() + word.size(), value);
  reader.good = read.ec == std::errc() && read.ptr == word.data() + word.size();
}

inline void put(KeptWriter& writer, bool value) { put(writer, value ? 1 : 0); }
inline void take(KeptReader& reader, bool& value) {
  int number = 0;
  take(reader, number);
  value = number != 0;
}

inline void put(KeptWriter& writer, const std::string& value) {
  put(writer, value.size());
  writer.text += value;
}
inline void take(KeptReader& reader, std::string& value) {
  std::size_t size = 0;
  take(reader, size);
  reader.good = reader.good && size <= reader.left.size();
  if (!reader.good) return;
  value = reader.left.substr(0, size);
  reader.left.remove_prefix(size);
}

inline void put(KeptWriter& writer, const Share& value) {
  put(writer, value.count);
  put(writer, value.of);
}
inline void take(KeptReader& reader, Share& value) {
  take(reader, value.count);
  take(reader, value.of);
}

inline void put(KeptWriter& writer, const Vector& value) {
  put(writer, value.size());
  for (const double each : value) put(writer, each);
}
inline void take(KeptReader& reader, Vector& value) {
  Index size = 0;
  take(reader, size);
  reader.good = reader.good && size >= 0 && static_cast<std::size_t>(size) <= reader.left.size();
  if (!reader.good) return;
  value.resize(size);
  for (double& each : value) take(reader, each);
}

// What can be kept. A result that cannot is computed anew when a study goes on.
template <class T>
concept Keepable = requires(KeptWriter& writer, KeptReader& reader, const T& value, T& place) {
  put(writer, value);
  take(reader, place);
};

template <class T>
requires requires(T& value) { T::fields(value); }
void put(KeptWriter& writer, const T& value) {
  std::apply([&](const auto&... each) { (put(writer, each), ...); }, T::fields(value));
}
template <class T>
requires requires(T& value) { T::fields(value); }
void take(KeptReader& reader, T& value) {
  std::apply([&](auto&... each) { (take(reader, each), ...); }, T::fields(value));
}

template <Keepable T>
void put(KeptWriter& writer, const std::optional<T>& value) {
  put(writer, value.has_value());
  if (value) put(writer, *value);
}
template <Keepable T>
void take(KeptReader& reader, std::optional<T>& value) {
  bool there = false;
  take(reader, there);
  value.reset();
  if (reader.good && there) take(reader, value.emplace());
}

template <Keepable T>
void put(KeptWriter& writer, const std::vector<T>& value) {
  put(writer, value.size());
  for (const T& each : value) put(writer, each);
}
template <Keepable T>
void take(KeptReader& reader, std::vector<T>& value) {
  std::size_t size = 0;
  take(reader, size);
  reader.good = reader.good && size <= reader.left.size();
  if (!reader.good) return;
  value.resize(size);
  for (T& each : value) take(reader, each);
}

template <Keepable T, std::size_t size>
void put(KeptWriter& writer, const std::array<T, size>& value) {
  for (const T& each : value) put(writer, each);
}
template <Keepable T, std::size_t size>
void take(KeptReader& reader, std::array<T, size>& value) {
  for (T& each : value) take(reader, each);
}

template <Keepable T>
void put(KeptWriter& writer, const std::map<std::string, T>& value) {
  put(writer, value.size());
  for (const auto& [name, each] : value) {
    put(writer, name);
    put(writer, each);
  }
}
template <Keepable T>
void take(KeptReader& reader, std::map<std::string, T>& value) {
  std::size_t size = 0;
  take(reader, size);
  value.clear();
  for (std::size_t i = 0; i < size && reader.good; ++i) {
    std::string name;
    take(reader, name);
    take(reader, value[name]);
  }
}

template <Keepable T>
std::string kept_text(const T& value) {
  KeptWriter writer;
  put(writer, value);
  return std::move(writer.text);
}
// Nothing where the text is not that of a T.
template <Keepable T>
std::optional<T> from_kept_text(std::string_view text) {
  KeptReader reader{text};
  T value{};
  take(reader, value);
  if (!reader.good || !reader.left.empty()) return std::nullopt;
  return value;
}

}  // namespace cda
