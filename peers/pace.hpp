// How far work on several threads has come, for a caller who listens one call at a time: every unit of work done moves
// the share on. Whoever asked it to end is heard at the next unit.
#pragma once

#include <algorithm>
#include <mutex>
#include <string>

#include "cda/extend/baseline.hpp"

namespace cda {

class Pace {
 public:
  Pace(const BaselineTask& task, double units) : task_(task), units_(units) {}

  // Throws where the task's advance() does.
  void advance(double units) {
    const std::lock_guard lock(mutex_);
    done_ += units;
    if (task_.advance) task_.advance(std::clamp(done_ / units_, 0.0, 1.0));
  }
  std::string enough() {
    const std::lock_guard lock(mutex_);
    if (reason_.empty() && task_.enough) reason_ = task_.enough();
    return reason_;
  }

 private:
  const BaselineTask& task_;
  double units_, done_ = 0.0;
  std::mutex mutex_;
  std::string reason_;
};

}  // namespace cda
