// The line that shows how far work has come, and how the time that is left is estimated.
#include "progress.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "text.hpp"

namespace cda::command {
namespace {

TEST(TimeLeft, SaysNothingBeforeAnythingIsKnown) {
  TimeLeft left;
  EXPECT_FALSE(left.after(0.5, 0.5));
  EXPECT_FALSE(left.after(5.0, 0.001));
}

TEST(TimeLeft, IsExactForSteadyWork) {
  TimeLeft left;
  for (double seconds = 0.1; seconds < 100.0; seconds += 0.1)
    if (const auto estimate = left.after(seconds, seconds / 100.0)) {
      EXPECT_NEAR(*estimate, 100.0 - seconds, 0.5);  // at the end half a second is kept
    }
}

TEST(TimeLeft, RunsDownWithTheClockBetweenReportsOfCoarseWork) {
  TimeLeft left;  // five steps of ten seconds, asked for twice a second
  double before = 0.0;
  for (double seconds = 10.0; seconds < 50.0; seconds += 0.5) {
    const double share = std::floor(seconds / 10.0) / 5.0;
    const auto estimate = left.after(seconds, share);
    ASSERT_TRUE(estimate);
    if (before > 0.0) {
      EXPECT_LT(std::abs(*estimate - before), 6.0) << seconds;
    }
    EXPECT_LT(std::abs(*estimate - (50.0 - seconds)), 6.0) << seconds;
    before = *estimate;
  }
}

TEST(TimeLeft, DoesNotJumpWhenThePaceChangesAndFollowsItInTime) {
  TimeLeft left;  // the first half takes 5 seconds, the second 100
  double before = 0.0, at_30 = 0.0;
  for (double seconds = 1.0; seconds < 105.0; seconds += 0.1) {
    const double share = seconds < 5.0 ? seconds / 10.0 : 0.5 + (seconds - 5.0) / 200.0;
    const double estimate = *left.after(seconds, share);
    if (before > 0.0) {
      EXPECT_LT(std::abs(estimate - before), 4.0) << seconds;
    }
    before = estimate;
    if (std::abs(seconds - 30.0) < 0.05) at_30 = estimate;
  }
  EXPECT_NEAR(at_30, 75.0, 15.0);  // an average since the start would say 18
}

TEST(TimeLeft, BarelyMovesWithReportsThatComeInBursts) {
  TimeLeft left;  // a minute of work, reported now at once and now late
  double before = 0.0, share = 0.01;
  for (int i = 10; i < 600; ++i) {
    const double seconds = 0.1 * i;
    share = std::max(share, (seconds + 0.3 * std::sin(1.7 * i)) / 60.0);
    const auto estimate = left.after(seconds, share);
    ASSERT_TRUE(estimate);
    if (before > 0.0 && seconds > 6.0) {
      EXPECT_LT(std::abs(*estimate - before), 3.0) << seconds;
    }
    before = *estimate;
  }
}

TEST(ProgressLine, FitsAnyWidth) {
  const std::string what = "study 3 of 12, noise: 温度 and a long description of what is under way just now";
  for (std::size_t width = 1; width < 200; ++width)
    for (const double share : {0.0, 0.004, 0.5, 1.0})
      for (const std::optional<double> left : {std::optional<double>(), std::optional<double>(7201.0)})
        EXPECT_LE(shown_width(progress_line(share, what, 4000.0, left, width)), width) << width;
}

TEST(ProgressLine, GivesUpWordsBeforeTheEstimate) {
  EXPECT_EQ(progress_line(0.34, "unrelated shapes", 1.2, 3.0, 99),
            "[##########....................]  34 %  unrelated shapes  0:01, about 0:03 left");
  EXPECT_EQ(progress_line(0.34, "unrelated shapes", 1.2, 3.0, 39), "[#####.........]  34 %  about 0:03 left");
  EXPECT_EQ(progress_line(0.34, "unrelated shapes", 1.2, 3.0, 24), " 34 %  about 0:03 left");
  EXPECT_EQ(progress_line(0.34, "unrelated shapes", 1.2, 3.0, 10), " 34 %");
  EXPECT_EQ(progress_line(0.999, "x", 1.2, std::nullopt, 99).substr(34, 4), "99 %");  // not done until it is
}

}  // namespace
}  // namespace cda::command
