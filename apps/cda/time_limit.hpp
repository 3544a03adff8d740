// How long a command may take. The clock runs from when the command begins; what is asked afterwards is only whether
// the time is up.
#pragma once

#include <functional>
#include <optional>
#include <string>

namespace cda::command {

// "90", "90s", "1.5m", "2h" -> seconds; an Error names the option.
double seconds_of(const std::string& option, const std::string& text);

// The reason to finish with what there is: "time limit" once so many seconds have passed from now on, "interrupted"
// once a signal asked to stop and partial results are kept (interrupt.hpp). Empty where neither was asked for.
std::function<std::string()> enough_after(const std::optional<double>& seconds, bool keep_partial);

}  // namespace cda::command
