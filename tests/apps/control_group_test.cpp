// Limits of memory as the system shows them to a process.
#include "control_group.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <string>

#include "files/support.hpp"

namespace cda::command {
namespace {

using Files = std::map<std::string, std::string>;

// On a system with these files.
std::optional<std::uint64_t> limit(const Files& files) {
  const data_tests::Folder root;
  for (const auto& [path, content] : files) {
    std::filesystem::create_directories(std::filesystem::path(root / path).parent_path());
    root.write(path, content);
  }
  return control_group_limit(root / "");
}

TEST(ControlGroup, LimitsByTheLeastOnTheWayUp) {
  EXPECT_EQ(limit({{"proc/self/cgroup", "0::/system.slice/job.service\n"},
                   {"sys/fs/cgroup/system.slice/memory.max", "5000\n"},
                   {"sys/fs/cgroup/system.slice/job.service/memory.max", "7000\n"}}),
            5000u);
  EXPECT_EQ(limit({{"proc/self/cgroup", "0::/user.slice/job:1\n"},
                   {"sys/fs/cgroup/user.slice/memory.max", "max\n"},
                   {"sys/fs/cgroup/user.slice/job:1/memory.max", "7000\n"}}),
            7000u);
}

TEST(ControlGroup, OfAContainerStandsAtTheTop) {
  EXPECT_EQ(limit({{"proc/self/cgroup", "0::/\n"}, {"sys/fs/cgroup/memory.max", "4096\n"}}), 4096u);
  // The path is that of the host, which is not to be seen from inside.
  EXPECT_EQ(limit({{"proc/self/cgroup", "0::/docker/4711\n"}, {"sys/fs/cgroup/memory.max", "4096\n"}}), 4096u);
  EXPECT_EQ(limit({{"proc/self/cgroup", "0::/../other\n"},
                   {"sys/fs/cgroup/memory.max", "4096\n"},
                   {"sys/fs/other/memory.max", "1\n"}}),
            4096u);
}

TEST(ControlGroup, OfTheFirstVersionHasAHierarchyForMemory) {
  EXPECT_EQ(limit({{"proc/self/cgroup", "9:cpu,cpuacct:/a\n4:hugetlb,memory:/a/b\n1:name=systemd:/a\n0::/a\n"},
                   {"sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n"},
                   {"sys/fs/cgroup/memory/a/memory.limit_in_bytes", "3000\n"},
                   {"sys/fs/cgroup/memory/a/b/memory.limit_in_bytes", "9223372036854771712\n"},
                   {"sys/fs/cgroup/cpu/a/memory.limit_in_bytes", "1\n"}}),
            3000u);
}

TEST(ControlGroup, IsNoLimitWhereNoneIsSet) {
  const Files without[] = {
      {},
      {{"proc/self/cgroup", ""}},
      {{"proc/self/cgroup", "nonsense\n0::\n"}},
      {{"proc/self/cgroup", "0::/a\n"}, {"sys/fs/cgroup/a/memory.max", "max\n"}},
      {{"proc/self/cgroup", "0::/a\n"}, {"sys/fs/cgroup/a/memory.max", "12x\n"}},
      {{"proc/self/cgroup", "4:memory:/\n"}, {"sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n"}},
  };
  for (const Files& files : without) EXPECT_EQ(limit(files), std::nullopt);
}

}  // namespace
}  // namespace cda::command
