// Progress of work made of many independent pieces on several threads, and the way to stop it.
#pragma once

#include <atomic>
#include <mutex>
#include <string>

#include "cda/evidence.hpp"

namespace cda {

class Pieces {
 public:
  explicit Pieces(const EvidenceObserver& observer) : observer_(observer) {}

  // The step that begins, its share of the whole, and its number of pieces.
  void begin(std::string what, double share, Index pieces);
  void done();      // one piece; any thread
  bool going_on();  // false once the observer wants to stop; any thread
  [[noreturn]] static void interrupted();
  // For the fits inside a piece: they stop when all is to stop.
  FitObserver fit_observer() {
    return [this](const FitProgress&) { return going_on(); };
  }

 private:
  bool report();

  const EvidenceObserver& observer_;
  std::mutex mutex_;
  std::atomic<bool> stopped_{false};
  std::string what_;
  double before_ = 0.0, share_ = 0.0;
  Index pieces_ = 1, finished_ = 0;
};

}  // namespace cda
