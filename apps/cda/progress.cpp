#include "progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <system_error>

#include "console.hpp"
#include "interrupt.hpp"

namespace cda::command {
namespace {

std::string clock_text(double seconds) {
  const long whole = std::lround(std::min(seconds, 359999.0));
  return whole >= 3600 ? fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60)
                       : fmt::format("{}:{:02}", whole / 60, whole % 60);
}

// Seconds matter in the last minutes only; more digits would only flicker.
double rounded(double seconds) {
  const double step = seconds < 20.0 ? 1.0 : seconds < 120.0 ? 5.0 : seconds < 1200.0 ? 30.0 : 300.0;
  return std::max(1.0, std::round(seconds / step) * step);
}

}  // namespace

std::optional<double> TimeLeft::after(double seconds, double share) {
  // An estimate from the first hundredth of the work, or the first second, would be noise.
  if (share < 0.01 || seconds < 1.0) return std::nullopt;
  const double passed = seconds - seconds_;
  if (share > share_ && passed >= 1.0) {  // not by every report: they may come in bursts
    const bool first = pace_ == 0.0;
    const double memory = std::max(3.0, seconds / 4.0);
    const double pace = (share - share_) / passed;
    pace_ = first ? pace : pace_ + (1.0 - std::exp(-passed / memory)) * (pace - pace_);
    share_ = share;
    seconds_ = seconds;
    if (first) {
      left_ = (1.0 - share) / pace_;
      left_at_ = seconds;
    }
  }
  // What the pace says, less what has passed since, and how far that is believed at once.
  const double left = (1.0 - share_) / pace_;
  const double expected = std::max(left - (seconds - seconds_), left / 2.0);
  const double since = seconds - left_at_;
  const double run_down = std::max(left_ - since, 0.0);
  left_ = run_down + (1.0 - std::exp(-since / 2.0)) * (expected - run_down);
  left_at_ = seconds;
  return left_;
}

std::string progress_line(double share, const std::string& what, double seconds, std::optional<double> left,
                          std::size_t width) {
  constexpr std::size_t shortest_bar = 10, longest_bar = 30, frame = 3, shortest_words = 8;
  const std::string percent = fmt::format("{:3.0f} %", std::floor(100.0 * share));
  std::string end = left ? fmt::format("about {} left", clock_text(rounded(*left))) : "estimating";
  if (percent.size() + 2 + end.size() > width) return percent.substr(0, width);
  std::size_t room = width - percent.size() - 2 - end.size();
  // What there is room for, in this order: a bar, the time gone, words, a longer bar.
  std::size_t bar = room >= shortest_bar + frame ? shortest_bar : 0;
  room -= bar > 0 ? bar + frame : 0;
  if (const std::string gone = clock_text(seconds) + ", "; gone.size() <= room) {
    end = gone + end;
    room -= gone.size();
  }
  std::string words;
  if (room >= shortest_words + 2) {
    words = shown_within(what, room - 2) + "  ";
    room -= shown_width(words);
  }
  if (bar > 0) bar = std::min(bar + room, longest_bar);
  const auto full = static_cast<std::size_t>(std::lround(share * static_cast<double>(bar)));
  const std::string drawn = bar > 0 ? fmt::format("[{:#<{}}{:.<{}}] ", "", full, "", bar - full) : "";
  return drawn + percent + "  " + words + end;
}

ProgressBar::ProgressBar(bool wanted) : on_(wanted && terminal(STDERR_FILENO)) {
  if (!on_) return;
  try {
    ticker_ = std::jthread([this](const std::stop_token& end) {
      std::unique_lock lock(mutex_);
      while (!ended_.wait_for(lock, end, std::chrono::milliseconds(500), [&] { return end.stop_requested(); }))
        if (!what_.empty()) draw(Clock::now());
    });
  } catch (const std::system_error&) {  // no thread to be had: the line then moves with the work alone
  }
}

ProgressBar::~ProgressBar() {
  if (ticker_.joinable()) {
    ticker_.request_stop();
    ticker_.join();
  }
  if (!drawn_) return;
  print_error("\r\033[K");
  line_to_clear(false);
}

void ProgressBar::show(double share, const std::string& what) {
  if (!on_) return;
  const std::lock_guard lock(mutex_);
  share_ = std::max(share_, std::clamp(share, 0.0, 1.0));
  what_ = what;
  const auto now = Clock::now();
  if (drawn_ ? now - last_ >= std::chrono::milliseconds(100) : now - started_ >= std::chrono::milliseconds(300))
    draw(now);
}

void ProgressBar::draw(Clock::time_point now) {
  last_ = now;
  drawn_ = true;
  line_to_clear(true);
  const double seconds = std::chrono::duration<double>(now - started_).count();
  // The last column stays free: some terminals go on to the next line once it is written to.
  const std::size_t width = line_width(STDERR_FILENO) - 1;
  print_error("\r\033[K" + progress_line(share_, what_, seconds, left_.after(seconds, share_), width));
}

}  // namespace cda::command
