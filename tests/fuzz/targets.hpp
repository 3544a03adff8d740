// What is fuzzed: functions that take any bytes at all and end the process where a promise is broken. The same
// functions run under libFuzzer (scripts/fuzz) and, on the files of corpus/, in the test `fuzz_replay`.
#pragma once

#include <array>
#include <string>
#include <string_view>

namespace cda::fuzz {

void csv_reader(std::string_view input);     // against a plain reader, and written and read again
void number_parser(std::string_view input);  // against strtod
void table_file(std::string_view input);     // any format of ours: a sound table, or an Error
void model_json(std::string_view input);     // loaded, saved and loaded: the same
void name_escape(std::string_view input);    // a name in messages, JSON and CSV: harmless, and the same when read back
void fit_tiny(std::string_view input);       // tables of special numbers: a finite model, or an Error

struct Target {
  const char* name;
  void (*run)(std::string_view);
};
inline constexpr std::array<Target, 6> targets{{{"csv_reader", csv_reader},
                                                {"number_parser", number_parser},
                                                {"table_file", table_file},
                                                {"model_json", model_json},
                                                {"name_escape", name_escape},
                                                {"fit_tiny", fit_tiny}}};

// Ends the process with this message where the promise is broken, so that the fuzzer keeps the input.
void require(bool promise, const std::string& message);

// Nothing that steers a terminal, hides, or is not UTF-8; `newlines` may be in it.
bool harmless(std::string_view text, bool newlines = false);

// Takes bytes from the front of the input, zeros after its end: choices of options.
class Choices {
 public:
  explicit Choices(std::string_view& input) : input_(input) {}
  unsigned next(unsigned below) {
    if (input_.empty()) return 0;
    const auto byte = static_cast<unsigned char>(input_.front());
    input_.remove_prefix(1);
    return byte % below;
  }

 private:
  std::string_view& input_;
};

}  // namespace cda::fuzz
