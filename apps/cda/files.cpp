#include "files.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <optional>
#include <string_view>

#include "cda/error.hpp"
#include "cda/extend/format.hpp"
#include "cda/files.hpp"
#include "cda/report.hpp"
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

void check_outputs(const std::vector<std::string>& outputs, const std::vector<std::string>& inputs) {
  if (silent()) return;
  std::vector<std::string> taken;
  for (const std::string& output : outputs) {
    for (const std::string& input : inputs)
      if (output != "-" && same_file(output, input))
        throw Error(Fault::usage, "output.is-input",
                    fmt::format("the output {} is also an input ({})", in_quotes(output, 200), in_quotes(input, 200)),
                    "choose another name for the output");
    check_writable(output);
    taken.push_back(output_place(output));
    if (std::find(taken.begin(), taken.end() - 1, taken.back()) != taken.end() - 1)
      throw Error(Fault::usage, "io.same-output", "two outputs go to the same file: " + in_quotes(output, 200),
                  "give each a name of its own");
  }
}

void require_csv(const char* what, const std::string& output) {
  if (format_to_write(output) != "csv")
    throw Error(Fault::usage, "usage", fmt::format("{} are written as CSV", what), "end the name in .csv");
}

void require_report(const std::string& path) {
  if (path == "-")
    throw Error(Fault::usage, "usage", "a report is a file to open, not for standard output", "--report page.html");
}

std::string read_text(const std::string& path) { return read_file(path); }

std::string read_json(const std::string& path) {
  return read_file(path, [](std::string_view head) {
    constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
    if (head.starts_with(byte_order_mark)) head.remove_prefix(byte_order_mark.size());
    const std::size_t first = head.find_first_not_of(" \t\r\n");
    // A list is none either, but only the parser knows whether it is a whole one, and says which field it should have.
    return first == std::string_view::npos || head[first] == '{' || head[first] == '[';
  });
}

void write_output(const std::string& path, const std::string& content) {
  if (silent()) return;
  if (path == "-") return print(content);
  write_outputs({{path, content}});
}

void write_outputs(const std::vector<OutputFile>& outputs) {
  if (silent() || outputs.empty()) return;
  const WhileWriting guard;
  write_files(outputs);
}

}  // namespace cda::command
