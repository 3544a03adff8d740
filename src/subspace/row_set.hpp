// A set of rows as bits: unions and overlaps of clusters 64 rows at a time.
#pragma once

#include <bit>
#include <cstdint>
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
