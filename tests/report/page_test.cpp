#include "report/page.hpp"

#include <gtest/gtest.h>

#include "base/base64.hpp"
#include "report/html.hpp"

namespace cda {
namespace {

Page small_page() {
  Page page;
  page.title = "Two tables";
  page.subtitle = "what they share";
  page.verdicts = {{PageVerdict::Level::good, "supported", "beyond chance"}};
  page.warnings = {"few rows: give `--seed`"};
  page.footer = "written by cda";
  Section open{
      .id = "pairs", .heading = "Pairs", .text = {"a paragraph", "`cda fit X Y`"}, .tables = {}, .figures = {}};
  open.tables = {
      {.caption = "all pairs", .heading = {"pair", "column", "p"}, .rows = {{"1", "a<b", "0.05"}, {"2", "c", "-"}}}};
  open.figures = {{.id = "density-1",
                   .kind = "densities",
                   .title = "pair 1",
                   .caption = "both lie on each other",
                   .columns = {{"value", {0.0, 1.0}}, {"x", {0.5, nullptr}}, {"y", {0.25, 0.5}}}}};
  Section folded{.id = "more", .heading = "More", .text = {"for few"}, .tables = {}, .figures = {}, .folded = true};
  page.sections = {open, folded};
  return page;
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(Base64, GivesTheExamplesOfRfc4648) {
  EXPECT_EQ(base64(""), "");
  EXPECT_EQ(base64("f"), "Zg==");
  EXPECT_EQ(base64("fo"), "Zm8=");
  EXPECT_EQ(base64("foo"), "Zm9v");
  EXPECT_EQ(base64("foob"), "Zm9vYg==");
  EXPECT_EQ(base64("fooba"), "Zm9vYmE=");
  EXPECT_EQ(base64("foobar"), "Zm9vYmFy");
  EXPECT_EQ(base64("\xff\xfe\xfd"), "//79");
}

TEST(Html, EscapesWhatIsMarkupInTextAndAttributes) {
  EXPECT_EQ(html("<b a=\"1\" c='2'>&amp;"), "&lt;b a=&quot;1&quot; c=&#39;2&#39;&gt;&amp;amp;");
}

TEST(Html, ShowsWhatHidesOrTurnsTheDirectionOfWritingByItsNumber) {
  EXPECT_EQ(visible("a\u202eb\u200bc\ufeff"), "a\\u{202e}b\\u{200b}c\\u{feff}");
  EXPECT_EQ(visible("a\u2028b\u2029"), "a\\u{2028}b\\u{2029}");
  EXPECT_EQ(visible(std::string("a\0b\x1b[0m\x7f", 8)), "a\\u{0}b\\u{1b}[0m\\u{7f}");
  EXPECT_EQ(visible("one\ntwo"), "one\\u{a}two");
  EXPECT_EQ(visible("one\ntwo", true), "one\ntwo");
}

TEST(Html, ShowsBytesThatAreNoUtf8AndLeavesOtherScriptsAlone) {
  EXPECT_EQ(visible("a\xff\xc3"), "a\\xff\\xc3");
  EXPECT_EQ(visible("\xed\xa0\x80"), "\\xed\\xa0\\x80");  // a surrogate
  EXPECT_EQ(visible("\u00e4 \u05e2\u05d1 \U0001f642"), "\u00e4 \u05e2\u05d1 \U0001f642");
}

TEST(Html, SetsAsCodeWhatStandsBetweenBackticks) {
  EXPECT_EQ(html_with_code("give `--seed <n>` or not"), "give <code class=\"short\">--seed &lt;n&gt;</code> or not");
  EXPECT_EQ(html_with_code("a lone ` stays"), "a lone ` stays");
  EXPECT_EQ(html_with_code("`" + std::string(40, 'c') + "`"), "<code>" + std::string(40, 'c') + "</code>");
}

TEST(InlineJson, CannotEndItsElementAndReadsBackAsTheSameText) {
  const PageJson value = {{"</script><!--", {"a&b", "<\u2028>", "\u00e4"}}, {"numbers", {1.5, nullptr, true}}};
  const std::string text = inline_json(value);
  EXPECT_EQ(text.find_first_of("<>&"), std::string::npos);
  for (const char c : text) EXPECT_TRUE(c >= 0x20 && c < 0x7f) << text;
  const PageJson back = PageJson::parse(text);
  EXPECT_EQ(back["</script><!--"][0], "a&b");
  EXPECT_EQ(back["</script><!--"][1], "<\\u{2028}>");
  EXPECT_EQ(back["</script><!--"][2], "\u00e4");
  EXPECT_EQ(back["numbers"], value["numbers"]);
}

TEST(InlineJson, TakesTextThatIsNoUtf8) { EXPECT_EQ(inline_json(PageJson{{"name", "\xff"}}), R"({"name":"\\xff"})"); }

TEST(ContentHash, IsTheOneOfThePolicysStandard) {
  // The example of Content Security Policy Level 2, section 4.2.4.
  EXPECT_EQ(content_hash("alert('Hello, world.');"), "sha256-qznLcsROx4GACP2dm0UCKCzCG+HiZ1guq6ZZDob/Tng=");
}

// What stands between the first `begin` and the next `end`.
std::string between(const std::string& text, const std::string& begin, const std::string& end) {
  const std::size_t from = text.find(begin);
  if (from == std::string::npos) return {};
  const std::size_t to = text.find(end, from + begin.size());
  return text.substr(from + begin.size(), to - from - begin.size());
}

class WrittenPage : public testing::Test {
 protected:
  std::string page_ = to_html(small_page());
};

TEST_F(WrittenPage, HasTheSameBytesEveryTime) { EXPECT_EQ(page_, to_html(small_page())); }

TEST_F(WrittenPage, AllowsItsOwnScriptAndStyleAndNothingElse) {
  const std::string policy = between(page_, "Content-Security-Policy\" content=\"", "\"");
  const std::string script = between(page_, "<script>", "</script>"), style = between(page_, "<style>", "</style>");
  EXPECT_GT(script.size(), 100000U);
  EXPECT_GT(style.size(), 1000U);
  EXPECT_EQ(policy, "default-src 'none'; script-src '" + content_hash(script) + "'; style-src '" + content_hash(style) +
                        "'; img-src data:; base-uri 'none'; form-action 'none'");
}

TEST_F(WrittenPage, CanBeReadWithoutItsScript) {
  for (const char* part :
       {"<h1>Two tables</h1>", "what they share", "<strong>supported</strong> beyond chance", "<h2>Pairs</h2>",
        "<p>a paragraph</p>", "<caption>all pairs</caption>", "<bdi>a&lt;b</bdi>", "both lie on each other",
        "<noscript>", "<a href=\"#more\">More</a>", "<p>written by cda</p>", "<code class=\"short\">--seed</code>"})
    EXPECT_TRUE(contains(page_, part)) << part;
}

TEST_F(WrittenPage, SetsACommandAsABlock) { EXPECT_TRUE(contains(page_, "<code>cda fit X Y</code></pre>")); }

TEST_F(WrittenPage, AlignsNumbersAndNotWords) {
  EXPECT_TRUE(contains(page_, "<td class=\"number\"><bdi>1</bdi></td><td><bdi>a&lt;b</bdi></td>"));
  EXPECT_TRUE(contains(page_, "<td class=\"number\"><bdi>-</bdi></td>"));
}

TEST_F(WrittenPage, FoldsWhatFewNeed) {
  EXPECT_TRUE(contains(page_, "<section id=\"more\">\n<details class=\"folded\">\n<summary><h2>More</h2></summary>"));
  EXPECT_FALSE(contains(between(page_, "<section id=\"pairs\">", "</section>"), "<details"));
}

TEST_F(WrittenPage, HoldsTheDataOfAFigureBesideIt) {
  const std::string data = between(page_, "<script type=\"application/json\">", "</script>");
  EXPECT_EQ(data, R"({"columns":{"value":[0.0,1.0],"x":[0.5,null],"y":[0.25,0.5]},"options":{}})");
}

TEST_F(WrittenPage, NamesThoseWhoseSoftwareIsInIt) {
  const std::string notices = between(page_, "<details class=\"notices\">", "</details>");
  for (const char* part : {"@observablehq/plot 0.6.17", "d3-scale", "Permission to use, copy, modify"})
    EXPECT_TRUE(contains(notices, part)) << part;
}

TEST_F(WrittenPage, AsksForNothingFromElsewhere) {
  const std::string body = page_.substr(0, page_.rfind("<script>"));
  for (const char* part : {" src=", "<link rel=\"stylesheet\"", "@import", "url(http"})
    EXPECT_FALSE(contains(body, part)) << part;
}

}  // namespace
}  // namespace cda
