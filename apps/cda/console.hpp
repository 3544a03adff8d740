// What the command says: results on standard output, talk on standard error. Writing to standard output either
// succeeds whole or is an error (a full disk or a closed pipe must not look like success).
#pragma once

#include <string>
#include <vector>

#include "cda/error.hpp"
#include "text.hpp"

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

// From now on neither says anything: of several ranks one speaks for all (ranks.hpp).
void be_silent();
bool silent();
void print_error_anyway(const std::string& text);

// Throws now if standard output is closed: a long computation should not end with nowhere to put its result.
void check_standard_output();

std::string error_json(const std::string& code, const Place& place, const std::string& message,
                       const std::string& hint);

bool terminal(int descriptor);           // one that can redraw a line
std::size_t line_width(int descriptor);  // of a line on that terminal that must not run over
bool colours(int descriptor);            // a terminal, and NO_COLOR is not set
std::string bold(const std::string& text, bool on);

// What results may use of the place they are shown in. Off a terminal it is always the same, so that what is piped or
// kept does not depend on a window.
struct Page {
  bool terminal = false;
  std::size_t width = 80;
  bool colour = false;
  bool blocks = false;  // bars of Unicode blocks, not of #
};
Page page_of(int descriptor);

}  // namespace cda::command
