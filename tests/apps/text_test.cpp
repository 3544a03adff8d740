// Widths are what a screen shows, and nothing is wider than it may be.
#include "text.hpp"

#include <gtest/gtest.h>

namespace cda::command {
namespace {

TEST(ShownWidth, CountsColumnsOfTheScreen) {
  EXPECT_EQ(shown_width("abc"), 3u);
  EXPECT_EQ(shown_width("é"), 1u);
  EXPECT_EQ(shown_width("e\u0301"), 1u);  // an accent of its own stands on the letter before
  EXPECT_EQ(shown_width("温度"), 4u);
  EXPECT_EQ(shown_width("😀"), 2u);
  EXPECT_EQ(shown_width("한국"), 4u);
  EXPECT_EQ(shown_width("█▌"), 2u);
  EXPECT_EQ(shown_width("\033[1mab\033[0m"), 2u);
}

TEST(ShownWithin, CutsByWidthAndNeverBetweenALetterAndItsAccent) {
  EXPECT_EQ(shown_within("electricity", 11), "electricity");
  EXPECT_EQ(shown_within("electricity", 10), "electri...");
  EXPECT_EQ(shown_within("温度温度温度", 8), "温度...");  // 7 columns: half a character cannot be shown
  EXPECT_EQ(shown_within("e\u0301e\u0301e\u0301e\u0301e\u0301", 4), "e\u0301...");
  EXPECT_EQ(shown_within("abcdef", 2), "..");
  EXPECT_EQ(shown_within("", 5), "");
}

TEST(ShownWithin, StaysWithinForAnyNameAndWidth) {
  const std::string accents = [] {
    std::string text = "a";
    for (int i = 0; i < 500; ++i) text += "\u0301";
    return text;
  }();
  for (const std::string& name : {std::string("plain_name"), std::string("温度センサー"), std::string("😀😀😀😀"), accents,
                                  std::string("a\x1b[31mb\xff\u202e")})
    for (std::size_t width = 0; width < 30; ++width)
      EXPECT_LE(shown_width(shown_within(name, width)), width) << name << " in " << width;
}

TEST(Wrapped, BreaksBetweenWordsAndIndentsWhatFollows) {
  EXPECT_EQ(wrapped("one two three", 7), "one two\nthree\n");
  EXPECT_EQ(wrapped("one two three", 9, "  ", "  "), "  one two\n    three\n");
  EXPECT_EQ(wrapped("a unbreakable b", 5), "a\nunbreakable\nb\n");
  EXPECT_EQ(wrapped("温度 温度", 8), "温度\n温度\n");
  EXPECT_EQ(wrapped("", 8), "\n");
}

TEST(Flowed, KeepsPiecesWhole) {
  EXPECT_EQ(flowed({"pair 1", "agreement 0.92", "divergence 0.1"}, 80), "pair 1   agreement 0.92   divergence 0.1\n");
  EXPECT_EQ(flowed({"pair 1", "agreement 0.92", "divergence 0.1"}, 24, "", "  "),
            "pair 1   agreement 0.92\n  divergence 0.1\n");
}

TEST(TextTable, AlignsByWhatIsSeen) {
  EXPECT_EQ(text_table({{"é", "1"}, {"abc", "22"}}, "  "), "  é    1\n  abc  22\n");
  EXPECT_EQ(text_table({{"温度", "1"}, {"abcd", "22"}}), "温度  1\nabcd  22\n");
  EXPECT_EQ(text_table({}), "");
}

TEST(WidestLine, IsTheWidestOfAll) {
  EXPECT_EQ(widest_line("ab\n温度\na"), 4u);
  EXPECT_EQ(widest_line(""), 0u);
}

}  // namespace
}  // namespace cda::command
