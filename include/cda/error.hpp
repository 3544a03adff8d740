// One error type for everything a caller may have to hear about. It carries what went wrong, a stable code for
// programs, where it happened, and one hint for people. Numerical outcomes that are answers (an iteration limit, a
// failed line search) are not errors: they are a StopReason in an Outcome.
#pragma once

#include <stdexcept>
#include <string>

namespace cda {

// Whose move it is. The values are the exit codes of the command line.
enum class Fault {
  internal = 1,   // ours: a bug
  usage = 2,      // the request makes no sense: unknown name, option out of range
  input = 3,      // the content of a file or table is wrong
  io = 4,         // the system refused: missing file, no permission, full disk
  numerical = 5,  // the data are degenerate, or the method has no answer for them
  resource = 6,   // it would need more memory or time than allowed
};

// A position in an input file. Lines and columns (field numbers) count from 1; 0 means unknown.
struct Place {
  std::string file;
  long line = 0;
  long column = 0;
};

class Error : public std::runtime_error {
 public:
  Error(Fault fault, std::string code, std::string message, std::string hint = {}, Place place = {});

  Fault fault() const { return fault_; }
  const std::string& code() const { return code_; }        // e.g. "csv.ragged"; stable
  const std::string& message() const { return message_; }  // one sentence, without place and hint
  const std::string& hint() const { return hint_; }        // what to do, or empty
  const Place& place() const { return place_; }

 private:
  Fault fault_;
  std::string code_, message_, hint_;
  Place place_;
};

// what() of an Error: `x.csv:17:3: message (hint: ...)`.
std::string describe(const Place& place, const std::string& message, const std::string& hint);

// Text from outside, made safe to show: quoted, what steers a terminal or hides as \xNN, at most `limit` bytes.
std::string in_quotes(const std::string& text, std::size_t limit = 60);

}  // namespace cda
