// How far long work has come, on one line of a terminal that redraws itself.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

namespace cda::command {

// How long work will still take, by the share done and the time gone. The pace of a moment says little and that of an
// hour ago may be another: the estimate follows the pace slowly, and runs down with the clock between reports.
class TimeLeft {
 public:
  // Seconds, or nothing while too little was done to tell. Shares and times never go back.
  std::optional<double> after(double seconds, double share);

 private:
  double pace_ = 0.0;                   // share per second; 0: not known yet
  double share_ = 0.0, seconds_ = 0.0;  // where it was measured last
  double left_ = 0.0, left_at_ = 0.0;   // the last answer, and when it was given
};

// The line as it is drawn: share done, what is under way, time gone and left, in at most `width` columns.
std::string progress_line(double share, const std::string& what, double seconds, std::optional<double> left,
                          std::size_t width);

// Only on a terminal, and only once the work has taken a moment. Any thread may call show(); between calls a thread of
// its own lets the clocks run. Nothing stays on the screen when it goes.
class ProgressBar {
 public:
  explicit ProgressBar(bool wanted);
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;
  void show(double share, const std::string& what);

 private:
  using Clock = std::chrono::steady_clock;
  void draw(Clock::time_point now);

  bool on_;
  std::mutex mutex_;
  std::condition_variable_any ended_;
  bool drawn_ = false;
  Clock::time_point started_ = Clock::now();
  Clock::time_point last_ = started_;
  double share_ = 0.0;
  std::string what_;
  TimeLeft left_;
  std::jthread ticker_;
};

}  // namespace cda::command
