#include "console.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <nlohmann/json.hpp>

namespace cda::command {
namespace {

// The character that starts at text[at] and its length in bytes; length 0 where the bytes are not UTF-8.
struct Character {
  char32_t code = 0;
  std::size_t length = 0;
};

Character character_at(const std::string& text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[at + i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return {first, 1};
  const std::size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || at + length > text.size()) return {};
  char32_t code = first & (0xff >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return {};
    code = (code << 6) | (byte(i) & 0x3f);
  }
  const bool overlong = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
  const bool surrogate = code >= 0xd800 && code <= 0xdfff;
  if (overlong || surrogate || code > 0x10ffff) return {};
  return {code, length};
}

// What would move the cursor, reorder the line or be seen by nobody.
bool unsafe(char32_t code) {
  return code < 0x20 || (code >= 0x7f && code <= 0x9f) || (code >= 0x200b && code <= 0x200f) ||
         (code >= 0x2028 && code <= 0x202e) || (code >= 0x2060 && code <= 0x206f) || code == 0xfeff || code == 0x61c;
}

bool terminal(int descriptor) {
  const char* kind = std::getenv("TERM");
  return isatty(descriptor) == 1 && !(kind != nullptr && std::strcmp(kind, "dumb") == 0);
}

std::string clock_text(double seconds) {
  const long whole = std::lround(std::min(seconds, 359999.0));
  return whole >= 3600 ? fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60)
                       : fmt::format("{}:{:02}", whole / 60, whole % 60);
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

void print(const std::string& text) {
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
  using Json = nlohmann::ordered_json;
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

std::string shown(const std::string& name, std::size_t limit) {
  std::string text;
  std::size_t count = 0;
  for (std::size_t at = 0; at < name.size(); ++count) {
    if (count == limit) return text + "...";
    const Character character = character_at(name, at);
    if (character.length == 0)
      text += fmt::format("\\x{:02x}", static_cast<unsigned char>(name[at]));
    else if (unsafe(character.code))
      text += fmt::format("\\u{{{:x}}}", static_cast<std::uint32_t>(character.code));
    else
      text += name.substr(at, character.length);
    at += std::max<std::size_t>(character.length, 1);
  }
  return text;
}

std::size_t shown_width(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

bool colours(int descriptor) {
  const char* refused = std::getenv("NO_COLOR");
  return terminal(descriptor) && (refused == nullptr || *refused == '\0');
}

std::string bold(const std::string& text, bool on) { return on ? "\033[1m" + text + "\033[0m" : text; }

ProgressBar::ProgressBar(bool wanted) : on_(wanted && terminal(STDERR_FILENO)) {}

ProgressBar::~ProgressBar() { clear(); }

void ProgressBar::show(double share, const std::string& what) {
  if (!on_) return;
  const std::lock_guard lock(mutex_);
  const auto now = Clock::now();
  if (drawn_ ? now - last_ < std::chrono::milliseconds(100) : now - started_ < std::chrono::milliseconds(300)) return;
  last_ = now;
  drawn_ = true;
  constexpr int width = 30;
  share = std::clamp(share, 0.0, 1.0);
  const int full = static_cast<int>(std::lround(share * width));
  const double gone = std::chrono::duration<double>(now - started_).count();
  // An estimate from the first hundredth of the work would be noise.
  const std::string left =
      share >= 0.01 ? fmt::format("about {} left", clock_text(gone * (1.0 - share) / share)) : "estimating";
  print_error(fmt::format("\r\033[K[{:#<{}}{:.<{}}] {:3.0f} %  {}  {}, {}", "", full, "", width - full, 100.0 * share,
                          what, clock_text(gone), left));
}

void ProgressBar::clear() {
  const std::lock_guard lock(mutex_);
  if (drawn_) print_error("\r\033[K");
  drawn_ = false;
}

std::string text_table(const std::vector<std::vector<std::string>>& rows, const std::string& indent) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows)
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (widths.size() <= i) widths.push_back(0);
      widths[i] = std::max(widths[i], shown_width(row[i]));
    }
  std::string text;
  for (const auto& row : rows) {
    text += indent;
    for (std::size_t i = 0; i < row.size(); ++i) {
      text += row[i];
      if (i + 1 < row.size()) text += std::string(widths[i] - shown_width(row[i]) + 2, ' ');
    }
    text += '\n';
  }
  return text;
}

}  // namespace cda::command
