#include "time_limit.hpp"

#include <fmt/format.h>

#include <charconv>
#include <chrono>
#include <cmath>

#include "cda/error.hpp"
#include "interrupt.hpp"

namespace cda::command {

double seconds_of(const std::string& option, const std::string& text) {
  constexpr double longest = 3.2e9;  // a century
  double number = 0.0;
  const char* const end = text.data() + text.size();
  const auto [rest, failure] = std::from_chars(text.data(), end, number, std::chars_format::fixed);
  const std::string unit(rest, end);
  const double factor = unit.empty() || unit == "s" ? 1.0 : unit == "m" ? 60.0 : unit == "h" ? 3600.0 : 0.0;
  if (failure != std::errc() || !(number * factor > 0.0) || !(number * factor <= longest))
    throw Error(Fault::usage, "option.value",
                fmt::format("{} is {}, expected a time above zero such as 90, 90s, 5m or 2h", option, in_quotes(text)));
  return number * factor;
}

std::function<std::string()> enough_after(const std::optional<double>& seconds, bool keep_partial) {
  using Clock = std::chrono::steady_clock;
  if (!seconds && !keep_partial) return {};
  const auto time_is_up = [began = Clock::now(), seconds] {
    return seconds && std::chrono::duration<double>(Clock::now() - began).count() >= *seconds;
  };
  return [time_is_up]() -> std::string {
    if (partial_wanted()) return "interrupted";
    return time_is_up() ? "time limit" : "";
  };
}

}  // namespace cda::command
