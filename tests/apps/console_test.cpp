// What people and programs are shown.
#include "console.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace cda::command {
namespace {

TEST(Shown, LeavesOrdinaryTextInAnyScriptAlone) {
  for (const char* text : {"electricity", "temp °C", "温度", "a \"b\" 'c'", ""}) EXPECT_EQ(shown(text), text);
}

TEST(Shown, SpellsOutWhatWouldSteerATerminal) {
  EXPECT_EQ(shown("a\x1b[31m"), "a\\u{1b}[31m");
  EXPECT_EQ(shown("a\nb\rc\x7f"), "a\\u{a}b\\u{d}c\\u{7f}");
  EXPECT_EQ(shown("a\u009bb"), "a\\u{9b}b");    // the one-character form of ESC [
  EXPECT_EQ(shown("a\u202eb"), "a\\u{202e}b");  // right-to-left override
  EXPECT_EQ(shown("a\u200bb"), "a\\u{200b}b");  // zero width
}

TEST(Shown, SpellsOutBytesThatAreNotUtf8) {
  EXPECT_EQ(shown("a\xff"), "a\\xff");
  EXPECT_EQ(shown("\xc3"), "\\xc3");                             // cut short
  EXPECT_EQ(shown("\xc0\xaf"), "\\xc0\\xaf");                    // overlong
  EXPECT_EQ(shown("\xed\xa0\x80"), "\\xed\\xa0\\x80");           // a surrogate
  EXPECT_EQ(shown("\xe0\x80\xaf"), "\\xe0\\x80\\xaf");           // overlong in three
  EXPECT_EQ(shown("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");  // beyond the last character
}

TEST(Shown, CutsAfterCharactersNotBytes) {
  EXPECT_EQ(shown("äöüß", 4), "äöüß");
  EXPECT_EQ(shown("äöüß", 3), "äöü...");
}

TEST(ErrorJson, HasEveryKeyAndNullForTheUnknown) {
  const auto object = nlohmann::ordered_json::parse(error_json("csv.ragged", {"x.csv", 17, 3}, "m \"q\"", ""))["error"];
  EXPECT_EQ(object["code"], "csv.ragged");
  EXPECT_EQ(object["file"], "x.csv");
  EXPECT_EQ(object["line"], 17);
  EXPECT_EQ(object["column"], 3);
  EXPECT_EQ(object["message"], "m \"q\"");
  EXPECT_TRUE(object["hint"].is_null());
  EXPECT_EQ(object.size(), 6u);
}

TEST(ErrorJson, IsOneLineOfValidJsonWhateverTheNames) {
  const std::string text = error_json("c", {"a\nb\xff", 0, 0}, "line\nbreak", "h");
  EXPECT_EQ(text.find('\n'), std::string::npos);
  EXPECT_TRUE(nlohmann::json::accept(text));
}

TEST(Session, RefusesWarningsOnlyWhenStrict) {
  Session session;
  session.json = true;  // keeps the test's output clean
  session.refuse_warnings();
  session.warn("odd header");
  session.refuse_warnings();
  session.strict = true;
  try {
    session.refuse_warnings();
    ADD_FAILURE() << "the warning was let through";
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), Fault::numerical);
    EXPECT_NE(error.message().find("odd header"), std::string::npos);
  }
}

}  // namespace
}  // namespace cda::command
