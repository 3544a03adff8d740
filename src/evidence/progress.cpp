#include "evidence/progress.hpp"

namespace cda {

void Pieces::begin(std::string what, double share, Index pieces) {
  const std::lock_guard lock(mutex_);
  what_ = std::move(what);
  before_ += share_;
  share_ = share;
  pieces_ = std::max<Index>(1, pieces);
  finished_ = 0;
  if (!report()) interrupted();
}

void Pieces::done() {
  const std::lock_guard lock(mutex_);
  ++finished_;
  if (!report()) interrupted();
}

bool Pieces::going_on() {
  const std::lock_guard lock(mutex_);
  return report();
}

bool Pieces::report() {
  if (stopped_) return false;
  if (!observer_) return true;
  const double within = static_cast<double>(finished_) / static_cast<double>(pieces_);
  if (!observer_({what_, std::min(1.0, before_ + share_ * within)})) stopped_ = true;
  return !stopped_;
}

void Pieces::interrupted() { throw Error(Fault::usage, "interrupted", "stopped before it was finished"); }

}  // namespace cda
