// The memory that the control groups of this process allow. A process is in a group, that group in another and so on,
// and the least of all their limits is the one that ends it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace cda::command {

// In bytes; nothing where there is no limit. `root` stands before /proc and /sys, for tests.
std::optional<std::uint64_t> control_group_limit(const std::string& root = {});

}  // namespace cda::command
