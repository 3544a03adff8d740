// Progress of one step made of pieces on several threads, and the way to stop it.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <string>
#include <utility>

#include "cda/cluster.hpp"
#include "cda/error.hpp"

namespace cda {

class StepWatch {
 public:
  StepWatch(const ClusterObserver& observer, std::string what, double total)
      : observer_(observer), what_(std::move(what)), total_(total) {
    ask();
  }

  // Throws an Error with code "interrupted" once the observer wants to stop; it is asked 50 times a second. Any thread.
  void going_on() {
    if (!stopped_ && observer_ && Clock::now().time_since_epoch().count() >= next_.load(std::memory_order_relaxed))
      ask();
    if (stopped_) throw Error(Fault::usage, "interrupted", "stopped before it was finished");
  }
  void done(double weight) {
    {
      const std::lock_guard lock(mutex_);
      finished_ += weight;
    }
    going_on();
  }

 private:
  using Clock = std::chrono::steady_clock;
  void ask() {
    if (!observer_) return;
    const std::lock_guard lock(mutex_);
    next_ = (Clock::now() + std::chrono::milliseconds(20)).time_since_epoch().count();
    if (!stopped_ && !observer_(what_, total_ > 0.0 ? std::min(1.0, finished_ / total_) : 0.0)) stopped_ = true;
  }

  const ClusterObserver& observer_;
  std::string what_;
  double total_, finished_ = 0.0;
  std::mutex mutex_;
  std::atomic<bool> stopped_{false};
  std::atomic<Clock::rep> next_{0};
};

}  // namespace cda
