#include "files/isolated.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <cstdio>
#include <limits>
#include <stdexcept>

#include "support.hpp"

namespace {

using namespace cda;
using data_tests::error_of;

constexpr std::uint64_t megabyte = std::uint64_t{1} << 20;

RawTable isolated(const std::function<RawTable()>& read, std::uint64_t seconds = 60) {
  return read_isolated({.file = "x.h5", .library = "HDF5", .most_bytes = 100 * megabyte, .cpu_seconds = seconds}, read);
}

void expect_no_children() {
  EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1);
  EXPECT_EQ(errno, ECHILD);
}

TEST(Isolated, BringsBackTheWholeTable) {
  RawTable table;
  table.file = "x.h5";
  table.rows = 2;
  table.columns = {{.name = "a", .use = RawColumn::Use::encode, .texts = {"", std::string("b\0c", 3)}},
                   {.name = "n", .numbers = 0, .names_rows = true}};
  table.numbers.resize(2, 1);
  table.numbers << -0.0, std::numeric_limits<double>::quiet_NaN();
  table.warnings = {"one", "two"};
  const RawTable back = isolated([&] { return table; });
  EXPECT_EQ(back.file, "x.h5");
  EXPECT_EQ(back.rows, 2);
  ASSERT_EQ(back.columns.size(), 2u);
  EXPECT_EQ(back.columns[0].name, "a");
  EXPECT_EQ(back.columns[0].use, RawColumn::Use::encode);
  EXPECT_EQ(back.columns[0].texts, table.columns[0].texts);
  EXPECT_EQ(back.columns[0].numbers, -1);
  EXPECT_TRUE(back.columns[1].names_rows);
  EXPECT_EQ(back.columns[1].numbers, 0);
  EXPECT_TRUE(std::signbit(back.numbers(0, 0)));
  EXPECT_TRUE(std::isnan(back.numbers(1, 0)));
  EXPECT_EQ(back.warnings, table.warnings);
  EXPECT_FALSE(back.chosen);
  expect_no_children();
}

TEST(Isolated, BringsBackMoreThanAPipeHolds) {
  RawTable table;
  table.rows = 100'000;
  table.numbers = Matrix::Random(table.rows, 3);
  for (const Index j : {0, 1, 2}) table.columns.push_back({.name = "c", .numbers = j});
  EXPECT_EQ(isolated([&] { return table; }).numbers, table.numbers);
}

TEST(Isolated, BringsBackTheWholeError) {
  const Error error = error_of([] {
    isolated([]() -> RawTable { throw Error(Fault::usage, "a.b", "message", "hint", {"file", 3, 4}); });
  });
  EXPECT_EQ(error.fault(), Fault::usage);
  EXPECT_EQ(error.code(), "a.b");
  EXPECT_STREQ(error.what(), "file:3:4: message (hint: hint)");
}

TEST(Isolated, ACrashIsAnErrorThatNamesFileAndSignal) {
  for (const int signal : {SIGSEGV, SIGABRT, SIGFPE, SIGBUS, SIGILL}) {
    const Error error = error_of([&] {
      isolated([&]() -> RawTable {
        ::raise(signal);
        return {};
      });
    });
    EXPECT_EQ(error.fault(), Fault::input);
    EXPECT_NE(
        std::string(error.what()).find("x.h5: the HDF5 library failed on this file (signal " + std::to_string(signal)),
        std::string::npos)
        << error.what();
  }
  expect_no_children();
}

TEST(Isolated, LeavingOnTheWayIsAnError) {
  const Error error = error_of([] { isolated([]() -> RawTable { ::_exit(0); }); });
  EXPECT_EQ(error.code(), "library.failed");
  expect_no_children();
}

TEST(Isolated, AnEndlessLoopIsEnded) {
  const Error error = error_of([] {
    isolated(
        []() -> RawTable {
          volatile int turns = 0;
          while (turns >= 0) turns = turns < 1000 ? turns + 1 : 0;
          return {};
        },
        1);
  });
  EXPECT_EQ(error.fault(), Fault::resource) << error.what();
  EXPECT_EQ(error.code(), "library.time");
}

TEST(Isolated, EndlessMemoryIsEnded) {
  const Error error = error_of([] {
    isolated([]() -> RawTable {
      std::vector<std::vector<char>> all;
      for (;;) all.emplace_back(megabyte, 'x');
    });
  });
#ifdef CDA_CHECKED_MEMORY  // the sanitizer ends the process instead of throwing
  EXPECT_EQ(error.code(), "library.failed");
#else
  EXPECT_EQ(error.fault(), Fault::resource) << error.what();
  EXPECT_EQ(error.code(), "memory");
#endif
}

TEST(Isolated, WhateverElseIsThrownIsReported) {
  const Error error = error_of([] { isolated([]() -> RawTable { throw std::runtime_error("odd"); }); });
  EXPECT_EQ(error.fault(), Fault::internal);
  EXPECT_EQ(error.message(), "odd");
}

TEST(Isolated, SaysNothingOnTheStandardStreams) {
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  isolated([] {
    std::fputs("out", stdout);
    std::fflush(stdout);
    std::fputs("err", stderr);
    return RawTable();
  });
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST(Isolated, HandlersOfTheParentAreNotRunInTheChild) {
  static volatile sig_atomic_t calls = 0;
  const auto before = ::signal(SIGUSR1, [](int) { calls = calls + 1; });
  const Error error = error_of([] {
    isolated([]() -> RawTable {
      ::raise(SIGUSR1);
      return {};
    });
  });
  ::signal(SIGUSR1, before);
  EXPECT_EQ(error.code(), "library.failed");
  EXPECT_EQ(calls, 0);
}

}  // namespace
