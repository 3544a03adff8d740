// Work on several threads whose results do not depend on how many there are. Rows are cut into chunks of a fixed size,
// each chunk's part is computed whole by one thread, and parts are added in the order of the chunks.
// Threads live for one call (no pool: nothing to hang after fork). A call made from inside another runs inline.
// Chunks form blocks, at most 64 however many rows there are, and what blocks add up to is added in their order.
// Where rows are split over ranks (cda/extend/communicator.hpp) the executor knows them: each rank has some of the
// blocks, one rank after the other, and sums are those of all ranks, to the same bits as in one place. Those who ask
// for a sum need not know.
#pragma once

#include <algorithm>
#include <functional>
#include <type_traits>
#include <utility>
#include <vector>

#include "cda/extend/communicator.hpp"
#include "cda/types.hpp"

namespace cda {

class Executor {
 public:
  static constexpr Index chunk_rows = 4096;

  // 0 threads: as many as this process may use. The ranks are not owned; one rank is as good as none.
  explicit Executor(int threads = 0, const Communicator* ranks = nullptr);

  int threads() const { return threads_; }
  // The ranks that rows are split over, or nullptr where all of them are here. Not to be called from inside a task:
  // ranks talk in one order.
  const Communicator* ranks() const;
  Executor without_ranks() const { return Executor(threads_); }
  // For tasks that may talk to other ranks: one after the other, each with all threads.
  Executor for_talking() const { return ranks_ == nullptr ? *this : Executor(1); }
  Index total(Index rows) const;  // of all ranks together

  // Calls task(i) once for each i in [0, count), in any order. If some throw, the one with the lowest i is rethrown.
  void for_each(Index count, const std::function<void(Index)>& task) const;

  // Calls task(begin, end) for each chunk of rows.
  void for_rows(Index rows, const std::function<void(Index begin, Index end)>& task) const;

  // The parts of all chunks, of all ranks; add_chunk(begin, end, part) adds rows [begin, end) to a part that starts as
  // zero. A part is a number, a vector or matrix, or has a member each_number(add) that calls add for all it consists
  // of.
  template <class Part, class AddChunk>
  Part sum_rows(Index rows, const Part& zero, const AddChunk& add_chunk) const {
    return sum_blocks(rows, zero, [&](Index begin, Index end, Part& block) {
      if (end - begin <= chunk_rows) {
        add_chunk(begin, end, block);
        return;
      }
      for (; begin < end; begin += chunk_rows) {
        Part part(zero);
        add_chunk(begin, std::min(begin + chunk_rows, end), part);
        block += part;
      }
    });
  }

  // The same for parts that are too large for chunks of their own: add_block(begin, end, part) does a block at a time.
  // In as few waves as memory allows, since threads have to be started for each. Blocks are added one by one in order:
  // waves leave no trace.
  template <class Part, class AddBlock>
  Part sum_blocks(Index rows, const Part& zero, const AddBlock& add_block) const {
    const Index length = block_rows(total(rows)), blocks = (rows + length - 1) / length;
    const Index wave = alone() ? 1 : std::max<Index>(2 * threads_, wave_numbers / numbers_of(zero));
    std::vector<Part> parts = room_for(zero, std::min(wave, blocks));
    Sum<Part> sum(zero, ranks_ != nullptr);
    for (Index first = 0; first < blocks; first += wave) {
      const Index count = std::min(wave, blocks - first);
      for_each(count, [&](Index i) {
        Part& part = parts[static_cast<std::size_t>(i)];
        part = zero;
        add_block((first + i) * length, std::min((first + i + 1) * length, rows), part);
      });
      sum.add_blocks(parts, count, *this);
    }
    if (ranks_ != nullptr) sum.add_over(*ranks());
    return std::move(sum.total);
  }

  // The sum of what every rank has, in whatever order; for numbers that one rank has, or that are only told.
  template <class Part>
  void add_over_ranks(Part& part) const {
    if (ranks_ == nullptr) return;
    if constexpr (std::is_same_v<Part, double>)
      ranks()->sum(&part, 1);
    else
      ranks()->sum(part.data(), part.size());
  }

  // How many of so many rows form a block, and where the rows of each rank begin (one more than there are ranks).
  static Index block_rows(Index rows) {
    return chunk_rows * std::max<Index>(1, (rows + most_blocks * chunk_rows - 1) / (most_blocks * chunk_rows));
  }
  static std::vector<Index> rank_begins(Index rows, int ranks);

 private:
  static constexpr Index most_blocks = 64;
  static constexpr Index wave_numbers = Index{1} << 20;  // 8 MB

  // Blocks added one after the other: as they come or, where other ranks' come first, once these are known.
  template <class Part>
  struct Sum {
    Part total;
    bool waits;
    std::vector<Part> waiting = {};

    Sum(const Part& zero, bool has_ranks) : total(zero), waits(has_ranks) {}
    void add_block(const Part& block) {
      if (waits)
        waiting.push_back(block);
      else
        total += block;
    }
    // Large ones piece by piece, on all threads: each number is still added in the order of the blocks.
    void add_blocks(const std::vector<Part>& blocks, Index count, const Executor& executor) {
      if constexpr (requires { total.data(); }) {
        constexpr Index piece = 16384;
        if (!waits && count > 1 && total.size() >= 2 * piece) {
          executor.for_each((total.size() + piece - 1) / piece, [&](Index at) {
            const Index begin = at * piece, end = std::min(begin + piece, total.size());
            for (Index i = 0; i < count; ++i) {
              const auto* block = blocks[static_cast<std::size_t>(i)].data();
              for (Index k = begin; k < end; ++k) total.data()[k] += block[k];
            }
          });
          return;
        }
      }
      for (Index i = 0; i < count; ++i) add_block(blocks[static_cast<std::size_t>(i)]);
    }
    void add_over(const Communicator& ranks) {
      if constexpr (std::is_same_v<Part, double>) {
        add_numbers(ranks, total, [](Part& part) { return std::pair(&part, Index{1}); });
      } else if constexpr (requires { total.data(); }) {
        add_numbers(ranks, total, [](Part& part) {
          constexpr auto words = static_cast<Index>(sizeof(*part.data()) / sizeof(double));  // two of a complex number
          return std::pair(reinterpret_cast<double*>(part.data()), words * part.size());
        });
      } else {
        std::vector<double> numbers = flat(total);
        ranks.in_turn(numbers.data(), static_cast<Index>(numbers.size()), [&] {
          for (Part& block : waiting) {
            const std::vector<double> added = flat(block);
            for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] += added[i];
          }
        });
        const double* from = numbers.data();
        total.each_number([&](auto& part) { from = filled(part, from); });
      }
    }

   private:
    template <class Numbers>
    void add_numbers(const Communicator& ranks, Part& all, const Numbers& numbers_of) {
      const auto [numbers, count] = numbers_of(all);
      ranks.in_turn(numbers, count, [&] {
        for (const Part& block : waiting) all += block;
      });
    }
    static std::vector<double> flat(Part& part) {
      std::vector<double> numbers;
      part.each_number([&](auto& each) {
        if constexpr (std::is_same_v<std::decay_t<decltype(each)>, double>)
          numbers.push_back(each);
        else
          numbers.insert(numbers.end(), each.data(), each.data() + each.size());
      });
      return numbers;
    }
    template <class Each>
    static const double* filled(Each& each, const double* from) {
      if constexpr (std::is_same_v<Each, double>) {
        each = *from++;
      } else {
        std::copy(from, from + each.size(), each.data());
        from += each.size();
      }
      return from;
    }
  };

  template <class Part>
  static std::vector<Part> room_for(const Part& zero, Index count) {
    if constexpr (std::is_default_constructible_v<Part>)
      return std::vector<Part>(static_cast<std::size_t>(count));
    else
      return std::vector<Part>(static_cast<std::size_t>(count), zero);
  }
  template <class Part>
  static Index numbers_of(const Part& part) {
    if constexpr (std::is_same_v<Part, double>) {
      return 1;
    } else if constexpr (requires { part.data(); }) {
      return std::max<Index>(1, part.size());
    } else {
      Index count = 1;
      Part(part).each_number([&](const auto& each) {
        if constexpr (requires { each.size(); })
          count += each.size();
        else
          ++count;
      });
      return count;
    }
  }

  bool alone() const;  // one thread, or already inside a task
  static Index chunk_count(Index rows) { return (rows + chunk_rows - 1) / chunk_rows; }
  int threads_;
  const Communicator* ranks_;
};

// How many threads this process may run at once (its CPU affinity, not the machine's cores).
int available_threads();

// True once the system has granted this process fewer threads than an executor asked for. Results are the same, later.
bool threads_were_refused();

}  // namespace cda
