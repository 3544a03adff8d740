// /proc/self/cgroup has a line "number:controllers:path" for each hierarchy the process is in. Version 2 is one
// hierarchy for all controllers, "0::/path", below /sys/fs/cgroup; version 1 has one of its own for memory,
// "4:memory:/path", below /sys/fs/cgroup/memory. Inside a container the path may be that of the host, of which nothing
// is to be seen but what stands at the top: groups that are not there are passed by.
#include "control_group.hpp"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <sstream>

namespace cda::command {
namespace {

// "max", and the largest number of pages there is, mean that there is no limit.
std::optional<std::uint64_t> limit_in(const std::string& path) {
  constexpr std::uint64_t beyond_any_machine = std::uint64_t{1} << 60;
  std::string text;
  std::uint64_t bytes = 0;
  if (!(std::ifstream(path) >> text)) return std::nullopt;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), bytes);
  if (failure != std::errc() || end != text.data() + text.size() || bytes >= beyond_any_machine) return std::nullopt;
  return bytes;
}

bool among(const std::string& name, const std::string& names) {
  std::istringstream list(names);
  for (std::string one; std::getline(list, one, ',');)
    if (one == name) return true;
  return false;
}

}  // namespace

std::optional<std::uint64_t> control_group_limit(const std::string& root) {
  std::optional<std::uint64_t> least;
  std::ifstream groups(root + "/proc/self/cgroup");
  for (std::string number, controllers, group;
       std::getline(groups, number, ':') && std::getline(groups, controllers, ':') && std::getline(groups, group);) {
    const bool unified = controllers.empty();
    if (!unified && !among("memory", controllers)) continue;
    const std::string top = root + (unified ? "/sys/fs/cgroup" : "/sys/fs/cgroup/memory");
    const char* file = unified ? "/memory.max" : "/memory.limit_in_bytes";
    if (group.find("/..") != std::string::npos) group.clear();  // outside of what this process sees
    while (!group.empty() && group.back() == '/') group.pop_back();
    for (;; group.resize(group.rfind('/'))) {
      if (const auto limit = limit_in(top + group + file)) least = std::min(least.value_or(*limit), *limit);
      if (group.rfind('/') == std::string::npos) break;
    }
  }
  return least;
}

}  // namespace cda::command
