// The result of a replicate as text, and back to the last bit: numbers as the shortest decimals that read as the same
// number, words with their length in front, parts one after another. One walk over the parts serves both ways. A
// study's own struct takes part by naming its members once:
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

#include "cda/extend/experiment.hpp"
#include "cda/types.hpp"

namespace cda {

// Written into, or read from. Once something does not read as what it should be, nothing does.
struct KeptText {
  bool writing = true;
  std::string text = {};
  std::string_view left = {};
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
void walk(KeptText& kept, T& value) {
  if (kept.writing) {
    kept.text += fmt::format("{} ", value);
    return;
  }
  const std::string_view word = kept.word();
  if (!kept.good) return;
  const auto read = std::from_chars(word.data(), word.data() + word.size(), value);
  kept.good = read.ec == std::errc() && read.ptr == word.data() + word.size();
}

inline void walk(KeptText& kept, bool& value) {
  int number = value ? 1 : 0;
  walk(kept, number);
  value = number != 0;
}

// How many parts follow: never more than there are characters.
inline std::size_t walk_size(KeptText& kept, std::size_t size) {
  walk(kept, size);
  kept.good = kept.good && (kept.writing || size <= kept.left.size());
  return kept.good ? size : 0;
}

inline void walk(KeptText& kept, std::string& value) {
  const std::size_t size = walk_size(kept, value.size());
  if (kept.writing) {
    kept.text += value;
    return;
  }
  value = kept.left.substr(0, size);
  kept.left.remove_prefix(size);
}

inline void walk(KeptText& kept, Share& value) {
  walk(kept, value.count);
  walk(kept, value.of);
}

inline void walk(KeptText& kept, Vector& value) {
  value.conservativeResize(static_cast<Index>(walk_size(kept, static_cast<std::size_t>(value.size()))));
  for (double& each : value) walk(kept, each);
}

// What can be kept. A result that cannot is computed anew when a study goes on.
template <class T>
concept Keepable = requires(KeptText& kept, T& value) {
  walk(kept, value);
};

template <class T>
requires requires(T& value) { T::fields(value); }
void walk(KeptText& kept, T& value) {
  std::apply([&](auto&... each) { (walk(kept, each), ...); }, T::fields(value));
}

template <Keepable T>
void walk(KeptText& kept, std::optional<T>& value) {
  bool there = value.has_value();
  walk(kept, there);
  if (!there) value.reset();
  if (there && !value) value.emplace();
  if (value) walk(kept, *value);
}

template <Keepable T>
void walk(KeptText& kept, std::vector<T>& value) {
  value.resize(walk_size(kept, value.size()));
  for (T& each : value) walk(kept, each);
}

template <Keepable T, std::size_t size>
void walk(KeptText& kept, std::array<T, size>& value) {
  for (T& each : value) walk(kept, each);
}

template <Keepable T>
void walk(KeptText& kept, std::map<std::string, T>& value) {
  std::vector<std::pair<std::string, T>> entries(value.begin(), value.end());
  entries.resize(walk_size(kept, entries.size()));
  for (auto& [name, each] : entries) {
    walk(kept, name);
    walk(kept, each);
  }
  value = {entries.begin(), entries.end()};
}

template <Keepable T>
std::string kept_text(T value) {
  KeptText kept;
  walk(kept, value);
  return std::move(kept.text);
}
// Nothing where the text is not that of a T.
template <Keepable T>
std::optional<T> from_kept_text(std::string_view text) {
  KeptText kept{.writing = false, .left = text};
  T value{};
  walk(kept, value);
  if (!kept.good || !kept.left.empty()) return std::nullopt;
  return value;
}

}  // namespace cda
