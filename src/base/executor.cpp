#include "cda/extend/executor.hpp"

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>

#include "cda/error.hpp"

namespace cda {
namespace {

thread_local bool inside_a_task = false;
std::atomic<bool> refused{false};  // says something of the process, as its number of threads does

// The failure of the task with the lowest number, whichever thread met it first.
class FirstFailure {
 public:
  void note(Index task) {
    const std::lock_guard lock(mutex_);
    if (failure_ && task_ <= task) return;
    failure_ = std::current_exception();
    task_ = task;
  }
  void rethrow() const {
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  std::mutex mutex_;
  std::exception_ptr failure_;
  Index task_ = 0;
};

}  // namespace

int available_threads() {
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof allowed, &allowed) == 0) return std::max(1, CPU_COUNT(&allowed));
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

bool threads_were_refused() { return refused; }

Executor::Executor(int threads, const Communicator* ranks)
    : threads_(threads > 0 ? threads : available_threads()),
      ranks_(ranks != nullptr && ranks->size() > 1 ? ranks : nullptr) {}

const Communicator* Executor::ranks() const {
  if (ranks_ != nullptr && inside_a_task)
    throw Error(Fault::internal, "ranks.order", "ranks are to be talked to from one thread at a time");
  return ranks_;
}

Index Executor::total(Index rows) const {
  if (ranks() == nullptr) return rows;
  auto all = static_cast<std::uint64_t>(rows);
  ranks()->sum(&all, 1);
  return static_cast<Index>(all);
}

bool Executor::alone() const { return threads_ == 1 || inside_a_task; }

void Executor::for_each(Index count, const std::function<void(Index)>& task) const {
  const Index workers = std::min<Index>(threads_, count);
  if (workers <= 1 || alone()) {
    for (Index i = 0; i < count; ++i) task(i);
    return;
  }
  std::atomic<Index> next{0};
  FirstFailure failure;
  const auto work = [&] {
    inside_a_task = true;
    for (Index i = next++; i < count; i = next++) {
      try {
        task(i);
      } catch (...) {
        failure.note(i);
        next = count;  // all before it have begun, so none with a lower number is missed
      }
    }
    inside_a_task = false;
  };
  {
    std::vector<std::jthread> helpers;
    try {
      for (Index i = 1; i < workers; ++i) helpers.emplace_back(work);
    } catch (const std::system_error&) {
      // The system grants no further thread: those that started, and this one, do all of it.
      refused = true;
    }
    work();
  }
  failure.rethrow();
}

std::vector<Index> Executor::rank_begins(Index rows, int ranks) {
  const Index length = block_rows(rows), blocks = (rows + length - 1) / length;
  std::vector<Index> begins;
  for (Index r = 0; r <= ranks; ++r) begins.push_back(std::min(rows, r * blocks / ranks * length));
  return begins;
}

void Executor::for_rows(Index rows, const std::function<void(Index, Index)>& task) const {
  for_each(chunk_count(rows), [&](Index chunk) {
    const Index begin = chunk * chunk_rows;
    task(begin, std::min(begin + chunk_rows, rows));
  });
}

}  // namespace cda
