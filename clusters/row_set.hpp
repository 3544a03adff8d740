// A set of rows (or columns) as bits: unions and overlaps of clusters 64 rows at a time.
#pragma once

#include <bit>
#include <compare>
#include <cstdint>
#include <string_view>
#include <vector>

#include "cda/types.hpp"

namespace cda {

class RowSet {
 public:
  RowSet() = default;
  explicit RowSet(Index rows) : words_(static_cast<std::size_t>((rows + 63) / 64), 0) {}
  RowSet(Index rows, const std::vector<Index>& members) : RowSet(rows) {
    for (const Index row : members) add(row);
  }

  bool has(Index row) const { return (words_[static_cast<std::size_t>(row / 64)] >> (row % 64) & 1U) != 0; }
  std::vector<Index> members() const {
    std::vector<Index> all;
    for (std::size_t i = 0; i < words_.size(); ++i)
      for (std::uint64_t word = words_[i]; word != 0; word &= word - 1)
        all.push_back(static_cast<Index>(64 * i) + std::countr_zero(word));
    return all;
  }
  auto operator<=>(const RowSet& other) const = default;
  std::string_view bytes() const {
    return {reinterpret_cast<const char*>(words_.data()), words_.size() * sizeof(std::uint64_t)};
  }

  void add(Index row) { words_[static_cast<std::size_t>(row / 64)] |= std::uint64_t{1} << (row % 64); }
  void add(const RowSet& others) {
    for (std::size_t i = 0; i < words_.size(); ++i) words_[i] |= others.words_[i];
  }
  Index size() const {
    Index count = 0;
    for (const std::uint64_t word : words_) count += std::popcount(word);
    return count;
  }
  Index common(const RowSet& others) const {
    Index count = 0;
    for (std::size_t i = 0; i < words_.size(); ++i) count += std::popcount(words_[i] & others.words_[i]);
    return count;
  }
  Index without(const RowSet& others) const {  // how many are not among the others
    Index count = 0;
    for (std::size_t i = 0; i < words_.size(); ++i) count += std::popcount(words_[i] & ~others.words_[i]);
    return count;
  }

 private:
  std::vector<std::uint64_t> words_;
};

}  // namespace cda
