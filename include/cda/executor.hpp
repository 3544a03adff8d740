// Work on several threads whose results do not depend on how many there are. Rows are cut into chunks of a fixed size,
// each chunk's part is computed whole by one thread, and parts are added in the order of the chunks.
// Threads live for one call (no pool: nothing to hang after fork). A call made from inside another runs inline.
#pragma once

#include <functional>
#include <vector>

#include "cda/types.hpp"

namespace cda {

class Executor {
 public:
  static constexpr Index chunk_rows = 4096;

  explicit Executor(int threads = 0);  // 0: as many as this process may use

  int threads() const { return threads_; }

  // Calls task(i) once for each i in [0, count), in any order. If some throw, the one with the lowest i is rethrown.
  void for_each(Index count, const std::function<void(Index)>& task) const;

  // Calls task(begin, end) for each chunk of rows.
  void for_rows(Index rows, const std::function<void(Index begin, Index end)>& task) const;

  // zero + the parts of all chunks; add_chunk(begin, end, part) adds rows [begin, end) to a part that starts as zero.
  template <class Part, class AddChunk>
  Part sum_rows(Index rows, const Part& zero, const AddChunk& add_chunk) const {
    const Index chunks = chunk_count(rows);
    if (chunks <= 1) {
      Part part = zero;
      if (rows > 0) add_chunk(Index{0}, rows, part);
      return part;
    }
    // In waves, so that memory does not grow with the rows. Parts are added one by one in order: waves leave no trace.
    const Index wave = alone() ? 1 : std::min<Index>(chunks, 8 * threads_);
    std::vector<Part> parts(static_cast<std::size_t>(wave), zero);
    Part total = zero;
    for (Index first = 0; first < chunks; first += wave) {
      const Index count = std::min(wave, chunks - first);
      for_each(count, [&](Index i) {
        const Index begin = (first + i) * chunk_rows;
        Part& part = parts[static_cast<std::size_t>(i)];
        part = zero;
        add_chunk(begin, std::min(begin + chunk_rows, rows), part);
      });
      for (Index i = 0; i < count; ++i) total += parts[static_cast<std::size_t>(i)];
    }
    return total;
  }

 private:
  bool alone() const;  // one thread, or already inside a task
  static Index chunk_count(Index rows) { return (rows + chunk_rows - 1) / chunk_rows; }
  int threads_;
};

// How many threads this process may run at once (its CPU affinity, not the machine's cores).
int available_threads();

// True once the system has granted this process fewer threads than an executor asked for. Results are the same, later.
bool threads_were_refused();

}  // namespace cda
