// What the command says: results on standard output, talk on standard error. Writing to standard output either
// succeeds whole or is an error (a full disk or a closed pipe must not look like success).
#pragma once

#include <chrono>
#include <mutex>
#include <string>
#include <vector>

#include "cda/error.hpp"

namespace cda::command {

// The options every command has, and the warnings met so far.
struct Session {
  bool json = false;
  bool quiet = false;
  bool verbose = false;
  bool strict = false;
  std::vector<std::string> warnings;

  // Shown at once on standard error (not with --json: there they are part of the result).
  void warn(const std::string& text);
  // Talk for people: not with --quiet or --json.
  void note(const std::string& text) const;
  // With --strict, warnings are an error. Called before outputs are written.
  void refuse_warnings() const;
  // All of them at the end of a long output, with their count, so that none scrolls away.
  void repeat_warnings() const;
};

// File descriptors 0 to 2 that are closed would be given to the next file that is opened, and results or messages would
// end up in it. Gives them to /dev/null, standard output in a way that writing to it fails.
void hold_standard_streams();

void print(const std::string& text);  // to standard output, whole or Error
void print_error(const std::string& text);

// Throws now if standard output is closed: a long computation should not end with nowhere to put its result.
void check_standard_output();

std::string error_json(const std::string& code, const Place& place, const std::string& message,
                       const std::string& hint);

// A name from outside as it may be shown on a terminal: control and bidirectional characters as \u{..}, broken UTF-8 as
// \xNN, cut after `limit` characters.
std::string shown(const std::string& name, std::size_t limit = 40);
std::size_t shown_width(const std::string& text);  // characters, not bytes

bool colours(int descriptor);  // a terminal, and NO_COLOR is not set
std::string bold(const std::string& text, bool on);

// One line that redraws itself: share done, time gone, time left. Only on a terminal. Any thread may call show().
class ProgressBar {
 public:
  explicit ProgressBar(bool wanted);
  ~ProgressBar();
  void show(double share, const std::string& what);
  void clear();

 private:
  using Clock = std::chrono::steady_clock;
  bool on_;
  bool drawn_ = false;
  std::mutex mutex_;
  Clock::time_point started_ = Clock::now();
  Clock::time_point last_ = started_;
};

// Rows of text as columns, the first line as header; cells are padded by what a terminal shows.
std::string text_table(const std::vector<std::vector<std::string>>& rows, const std::string& indent = "");

}  // namespace cda::command
