#include "files/atomic_file.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <thread>

#include "cda/files.hpp"
#include "support.hpp"

namespace {

using namespace cda;
using data_tests::error_of;
using data_tests::Folder;
using Names = std::vector<std::string>;

// Files may grow to this many bytes and no further: a full disk that needs no privilege.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    rlimit limited = before_;
    limited.rlim_cur = bytes;
    handler_ = std::signal(SIGXFSZ, SIG_IGN);
    ::setrlimit(RLIMIT_FSIZE, &limited);
  }
  ~FileSizeLimit() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }

 private:
  rlimit before_{};
  void (*handler_)(int) = nullptr;
};

mode_t mode_of(const std::string& path) {
  struct stat status {};
  EXPECT_EQ(::stat(path.c_str(), &status), 0);
  return status.st_mode & 07777u;
}

TEST(AtomicFile, IsWrittenWholeAndLeavesNothingElse) {
  const Folder folder;
  write_file(folder / "out.txt", "one");
  write_file(folder / "out.txt", std::string(1 << 20, 'x'));
  EXPECT_EQ(folder.read("out.txt"), std::string(1 << 20, 'x'));
  EXPECT_EQ(folder.names(), Names{"out.txt"});
}

TEST(AtomicFile, LeavesTheOldFileIntactWhenSpaceRunsOut) {
  const Folder folder;
  folder.write("out.txt", "old");
  const FileSizeLimit limit(1000);
  const Error error = error_of([&] { write_file(folder / "out.txt", std::string(5000, 'x')); });
  EXPECT_EQ(error.fault(), Fault::io);
  EXPECT_EQ(folder.read("out.txt"), "old");
  EXPECT_EQ(folder.names(), Names{"out.txt"});
}

TEST(AtomicFile, ReportsAFullDevice) {
  const Error error = error_of([] { write_file("/dev/full", "text"); });
  EXPECT_EQ(error.fault(), Fault::io);
  EXPECT_NE(error.message().find("No space left on device"), std::string::npos);
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/full"));
  for (const auto& entry : std::filesystem::directory_iterator("/dev"))
    EXPECT_NE(entry.path().filename().string().rfind(".full.tmp", 0), 0u);
}

TEST(AtomicFile, WritesDevicesAndPipesWithoutReplacingThem) {
  write_file("/dev/null", "text");
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
  const Folder folder;
  const std::string pipe = folder / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  std::string received;
  std::thread reader([&] { received = folder.read("pipe"); });
  write_file(pipe, "through the pipe");
  reader.join();
  EXPECT_EQ(received, "through the pipe");
  EXPECT_TRUE(std::filesystem::is_fifo(pipe));
}

TEST(AtomicFile, WritesToADescriptorThatIsOpenAlready) {
  const Folder folder;
  const std::string path = folder.write("out.txt", "");
  const int file = ::open(path.c_str(), O_WRONLY);
  write_file("/dev/fd/" + std::to_string(file), "one ");
  write_file("/proc/self/fd/" + std::to_string(file), "two");  // goes on where the first ended
  ::close(file);
  EXPECT_EQ(folder.read("out.txt"), "one two");
  EXPECT_EQ(error_of([&] { check_writable("/dev/fd/" + std::to_string(file)); }).fault(), Fault::io);
}

TEST(AtomicFile, KeepsTheModeOfTheFileItReplaces) {
  const Folder folder;
  const std::string path = folder.write("out.txt", "old");
  ASSERT_EQ(::chmod(path.c_str(), 0640), 0);
  write_file(path, "new");
  EXPECT_EQ(mode_of(path), 0640u);
}

TEST(AtomicFile, FollowsLinksAndKeepsThem) {
  const Folder folder;
  std::filesystem::create_directory(folder / "deep");
  std::filesystem::create_symlink("deep/real.txt", folder / "link");  // leads nowhere yet
  std::filesystem::create_symlink("link", folder / "second");
  write_file(folder / "second", "text");
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link"));
  EXPECT_EQ(folder.read("deep/real.txt"), "text");
  EXPECT_EQ(folder.names(), (Names{"deep", "link", "second"}));
  EXPECT_TRUE(same_file(folder / "second", folder / "deep/real.txt"));
  EXPECT_FALSE(same_file(folder / "second", folder / "nothing"));
}

TEST(AtomicFile, PassesByATemporaryFileThatIsNotItsOwn) {
  const Folder folder;
  const std::string stale = ".out.txt.tmp." + std::to_string(::getpid());
  folder.write(stale, "left behind");
  write_file(folder / "out.txt", "new");
  EXPECT_EQ(folder.read("out.txt"), "new");
  EXPECT_EQ(folder.read(stale), "left behind");
}

TEST(AtomicFile, TakesTheLongestNameThereIs) {
  const Folder folder;
  const std::string name(255, 'n');
  write_file(folder / name, "text");
  EXPECT_EQ(folder.names(), Names{name});
}

TEST(CheckWritable, RefusesWhatCannotBeWrittenAndTouchesNothing) {
  const Folder folder;
  folder.write("out.txt", "old");
  const auto before = std::filesystem::last_write_time(folder / "out.txt");
  check_writable(folder / "out.txt");
  check_writable(folder / "new.txt");
  check_writable("/dev/full");
  EXPECT_EQ(folder.names(), Names{"out.txt"});
  EXPECT_EQ(folder.read("out.txt"), "old");
  EXPECT_EQ(std::filesystem::last_write_time(folder / "out.txt"), before);
  for (const char* name : {"missing/out.txt", ".", "out.txt/x", "missing/"})
    EXPECT_EQ(error_of([&] { check_writable(folder / name); }).fault(), Fault::io) << name;
  EXPECT_EQ(error_of([] { check_writable(""); }).fault(), Fault::usage);
}

TEST(SeveralFiles, AppearTogetherOrNotAtAll) {
  const Folder folder;
  folder.write("a.txt", "old");
  {
    const FileSizeLimit limit(1000);
    EXPECT_THROW(write_files({{folder / "a.txt", "new"}, {folder / "b.txt", std::string(5000, 'x')}}), Error);
  }
  EXPECT_THROW(write_files({{folder / "a.txt", "new"}, {"/dev/full", "x"}}), Error);
  for (const char* again : {"a.txt", "./a.txt"})
    EXPECT_THROW(write_files({{folder / "a.txt", "new"}, {folder / again, "newer"}}), Error) << again;
  EXPECT_EQ(folder.names(), Names{"a.txt"});
  EXPECT_EQ(folder.read("a.txt"), "old");
  write_files({{folder / "a.txt", "new"}, {folder / "b.txt", "also"}});
  EXPECT_EQ(folder.read("a.txt"), "new");
  EXPECT_EQ(folder.read("b.txt"), "also");
}

TEST(OutputPlace, IsOneForEveryPathThatLeadsThere) {
  const Folder folder;
  const std::string place = output_place(folder / "new.txt");
  EXPECT_EQ(output_place(folder / "./new.txt"), place);
  std::filesystem::create_directory(folder / "in");
  EXPECT_EQ(output_place(folder / "in/../new.txt"), place);
  std::filesystem::create_symlink("new.txt", folder / "link.txt");
  EXPECT_EQ(output_place(folder / "link.txt"), place);
  EXPECT_NE(output_place(folder / "other.txt"), place);
  EXPECT_EQ(output_place("-"), output_place("/dev/stdout"));
  EXPECT_EQ(error_of([&] { output_place(folder / "missing/new.txt"); }).fault(), Fault::io);
}

TEST(ReadFile, StopsAtTheBeginningOfWhatIsNotWanted) {
  const Folder folder;
  const std::string content(10'000, 'x');
  folder.write("x", content);
  EXPECT_EQ(read_file(folder / "x"), content);
  EXPECT_EQ(read_file(folder / "x", [](std::string_view head) { return head.front() == 'x'; }), content);
  EXPECT_EQ(read_file(folder / "x", [](std::string_view) { return false; }), content.substr(0, 4096));
  EXPECT_EQ(error_of([&] { read_file(folder / "none"); }).fault(), Fault::io);
}

TEST(UnfinishedFiles, CanBeRemovedFromOutside) {
  const Folder folder;
  PendingFile pending{Target(folder / "out.txt")};
  pending.stage("text");
  EXPECT_EQ(folder.names().size(), 1u);
  remove_unfinished_files();
  EXPECT_TRUE(folder.names().empty());
}

}  // namespace
