#include "files.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <optional>

#include "cda/error.hpp"
#include "cda/report.hpp"
#include "cda/table.hpp"
#include "console.hpp"
#include "interrupt.hpp"

namespace cda::command {
namespace {

std::optional<struct stat> status(const std::string& path) {
  struct stat info {};
  const int failed = path == "-" ? fstat(STDIN_FILENO, &info) : stat(path.c_str(), &info);
  if (failed != 0) return std::nullopt;
  return info;
}

bool same(const struct stat& a, const struct stat& b) { return a.st_dev == b.st_dev && a.st_ino == b.st_ino; }

[[noreturn]] void cannot(const char* what, const std::string& path, int code) {
  throw Error(Fault::io, "file.read", fmt::format("cannot {} {}: {}", what, quoted(path, 200), std::strerror(code)));
}

}  // namespace

bool same_file(const std::string& a, const std::string& b) {
  const auto first = status(a);
  const auto second = status(b);
  return first && second && S_ISREG(first->st_mode) && same(*first, *second);
}

void refuse_shared_stream(const std::vector<std::string>& inputs) {
  for (std::size_t i = 0; i < inputs.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const auto first = status(inputs[i]);
      const auto second = status(inputs[j]);
      const bool stream = first && second &&
                          (S_ISFIFO(first->st_mode) || S_ISSOCK(first->st_mode) ||
                           (S_ISCHR(first->st_mode) && inputs[i] != "/dev/null"));
      if ((inputs[i] == "-" && inputs[j] == "-") || (stream && same(*first, *second)))
        throw Error(Fault::usage, "input.twice", "the same stream cannot be read twice",
                    "give one of the two inputs as a file");
    }
}

void check_output(const std::string& output, const std::vector<std::string>& inputs) {
  if (silent()) return;
  if (output == "-") return check_standard_output();
  for (const std::string& input : inputs)
    if (same_file(output, input))
      throw Error(Fault::usage, "output.is-input",
                  fmt::format("the output {} is also an input ({})", quoted(output, 200), quoted(input, 200)),
                  "choose another name for the output");
  check_writable(output);
}

void require_report(const std::string& path) {
  if (path == "-")
    throw Error(Fault::usage, "usage", "a report is a file to open, not for standard output", "--report page.html");
  if (!report_is_built())
    throw Error(Fault::usage, "report.not-built", "this cda was built without the report",
                "build it with -DCDA_WITH_REPORT=ON");
}

std::string read_text(const std::string& path) {
  const bool standard = path == "-";
  const int descriptor = standard ? STDIN_FILENO : open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) cannot("open", path, errno);
  std::string text;
  std::string buffer(1 << 16, '\0');
  ssize_t count = 0;
  int code = 0;
  do {
    count = read(descriptor, buffer.data(), buffer.size());
    code = errno;
    if (count > 0) text.append(buffer.data(), static_cast<std::size_t>(count));
  } while (count > 0 || (count < 0 && code == EINTR));
  if (!standard) close(descriptor);
  if (count < 0) cannot("read", path, code);
  return text;
}

void write_output(const std::string& path, const std::string& content) {
  if (silent()) return;
  if (path == "-") return print(content);
  const WhileWriting guard;
  write_file(path, content);
}

}  // namespace cda::command
