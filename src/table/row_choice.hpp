// Some rows of a long table, whatever order they come in. Every row has a hash of its content. Kept are the contents
// with the smallest hashes, and how often each of them occurs: once a content is dropped it never returns, so the
// counts of those that are left are exact. Where there are few different rows, all of them are kept.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cda/extend/executor.hpp"
#include "cda/types.hpp"

namespace cda {

class RowChoice {
 public:
  // Of different contents. `names` are the columns' and enter the hashes, so that their order plays no part.
  RowChoice(Index most, const std::vector<std::string>& names);

  // Adds to the hashes of some rows what all columns contribute.
  void add_hashes(const Eigen::Ref<const Matrix>& rows, std::uint64_t* hashes) const;
  // The next rows, of which `hashes` are the sums over all columns; `first` counts rows from the beginning.
  void offer(const Eigen::Ref<const Matrix>& rows, const std::vector<std::uint64_t>& hashes, Index first,
             const Executor& executor);

  // At most `most` rows, each content as often as its share, ordered by their hashes.
  Matrix rows(Index most) const;

 private:
  struct Entry {
    std::uint64_t hash = 0;
    Index row = 0;    // the first with this content
    Index count = 0;  // how many have it
    Index slot = -1;  // where it is among kept_; -1: not yet
  };
  void settle();  // one entry for each content, the smallest ones

  Index most_;
  std::vector<std::uint64_t> factors_;
  std::vector<Entry> entries_;
  std::uint64_t limit_;  // hashes above it need not be looked at
  Matrix kept_;
};

}  // namespace cda
