#include "console.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "json.hpp"

namespace cda::command {
namespace {

std::atomic<bool> says_nothing{false};

// A width that a variable or the terminal states, or 0 where that is none.
std::size_t sensible(long columns) { return columns > 0 && columns <= 10'000 ? static_cast<std::size_t>(columns) : 0; }

std::size_t terminal_width(int descriptor) {
  winsize size{};
  return ioctl(descriptor, TIOCGWINSZ, &size) == 0 ? sensible(size.ws_col) : 0;
}

std::size_t wanted_width() {
  const char* columns = std::getenv("COLUMNS");
  return columns == nullptr ? 0 : sensible(std::strtol(columns, nullptr, 10));
}

// By the first of the variables that decide it, as the C library does.
bool utf8_locale() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const char* value = std::getenv(name);
    if (value == nullptr || *value == '\0') continue;
    std::string text(value);
    std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
    return text.find("utf-8") != std::string::npos || text.find("utf8") != std::string::npos;
  }
  return false;
}

[[noreturn]] void output_failed(int code) {
  throw Error(Fault::io, "output.write", fmt::format("cannot write to standard output: {}", std::strerror(code)));
}

}  // namespace

void Session::warn(const std::string& text) {
  warnings.push_back(text);
  if (!json) print_error(fmt::format("cda: warning: {}\n", text));
}

void Session::note(const std::string& text) const {
  if (!quiet && !json) print_error(fmt::format("cda: {}\n", text));
}

void Session::refuse_warnings() const {
  if (!strict || warnings.empty()) return;
  throw Error(
      Fault::numerical, "strict.warnings",
      fmt::format("{} with --strict: {}", warnings.size() == 1 ? "a warning" : "warnings", fmt::join(warnings, "; ")),
      "without --strict the work is done in spite of warnings");
}

void Session::repeat_warnings() const {
  if (json || warnings.empty()) return;
  print_error(fmt::format("cda: {} warning{}:\n", warnings.size(), warnings.size() == 1 ? "" : "s"));
  for (const std::string& warning : warnings) print_error(fmt::format("  {}\n", warning));
}

void hold_standard_streams() {
  // Lowest first: open() takes the lowest free number.
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(descriptor, F_GETFD) != -1 || errno != EBADF) continue;
    const int mode = descriptor == STDERR_FILENO ? O_WRONLY : O_RDONLY;
    if (open("/dev/null", mode) != descriptor) _exit(static_cast<int>(Fault::io));
  }
}

void be_silent() { says_nothing = true; }
bool silent() { return says_nothing; }

void print(const std::string& text) {
  if (silent()) return;
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t count = write(STDOUT_FILENO, text.data() + done, text.size() - done);
    if (count >= 0)
      done += static_cast<std::size_t>(count);
    else if (errno != EINTR)
      output_failed(errno);
  }
}

void print_error(const std::string& text) {
  if (!silent()) print_error_anyway(text);
}

void print_error_anyway(const std::string& text) {
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t count = write(STDERR_FILENO, text.data() + done, text.size() - done);
    if (count < 0 && errno != EINTR) return;  // nobody is left to tell
    if (count > 0) done += static_cast<std::size_t>(count);
  }
}

void check_standard_output() {
  const int flags = fcntl(STDOUT_FILENO, F_GETFL);
  if (flags == -1 || (flags & O_ACCMODE) == O_RDONLY) output_failed(EBADF);
}

std::string error_json(const std::string& code, const Place& place, const std::string& message,
                       const std::string& hint) {
  const auto or_null = [](bool known, const auto& value) { return known ? Json(value) : Json(nullptr); };
  Json error;
  error["code"] = code;
  error["file"] = or_null(!place.file.empty(), place.file);
  error["line"] = or_null(place.line > 0, place.line);
  error["column"] = or_null(place.column > 0, place.column);
  error["message"] = message;
  error["hint"] = or_null(!hint.empty(), hint);
  const Json whole = {{"error", std::move(error)}};
  return whole.dump(-1, ' ', false, Json::error_handler_t::replace);
}

bool terminal(int descriptor) {
  const char* kind = std::getenv("TERM");
  return isatty(descriptor) == 1 && !(kind != nullptr && std::strcmp(kind, "dumb") == 0);
}

std::size_t line_width(int descriptor) {
  const std::size_t real = terminal_width(descriptor), wanted = wanted_width();
  if (real > 0 && wanted > 0) return std::min(real, wanted);
  return real + wanted > 0 ? real + wanted : Page().width;
}

bool colours(int descriptor) {
  const char* refused = std::getenv("NO_COLOR");
  return terminal(descriptor) && (refused == nullptr || *refused == '\0');
}

std::string bold(const std::string& text, bool on) { return on ? "\033[1m" + text + "\033[0m" : text; }

Page page_of(int descriptor) {
  Page page;
  page.colour = colours(descriptor);
  page.terminal = isatty(descriptor) == 1;
  if (!page.terminal) return page;
  page.blocks = utf8_locale();
  if (const std::size_t width = wanted_width() > 0 ? wanted_width() : terminal_width(descriptor); width > 0)
    page.width = std::max<std::size_t>(width, 20);
  return page;
}

}  // namespace cda::command
