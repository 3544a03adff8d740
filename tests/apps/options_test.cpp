// How texts on the command line become names, numbers and parts.
#include "options.hpp"

#include <gtest/gtest.h>

#include "cda/error.hpp"

namespace cda::command {
namespace {

using Texts = std::vector<std::string>;

TEST(SplitNames, SeparatesAtCommas) { EXPECT_EQ(split_names("--only", "a,b c,d"), (Texts{"a", "b c", "d"})); }

TEST(SplitNames, KeepsCommasAndDoubledQuotesInsideQuotes) {
  EXPECT_EQ(split_names("--only", R"("a, b",c,"say ""hi""")"), (Texts{"a, b", "c", R"(say "hi")"}));
}

TEST(SplitNames, RefusesAnEmptyNameAndAnOpenQuote) {
  EXPECT_THROW(split_names("--only", "a,,b"), Error);
  EXPECT_THROW(split_names("--only", ""), Error);
  EXPECT_THROW(split_names("--only", "\"a,b"), Error);
}

TEST(SplitParts, TakesSpacesPlusSignsAndRepetitionAlike) {
  const Texts expected = {"minmax", "pca:3", "whiten"};
  EXPECT_EQ(split_parts({"minmax", "pca:3", "whiten"}), expected);
  EXPECT_EQ(split_parts({"minmax+pca:3", "whiten"}), expected);
  EXPECT_EQ(split_parts({" minmax  pca:3 + whiten "}), expected);
}

TEST(SplitParts, LeavesThePlusSignOfANumberAlone) {
  EXPECT_EQ(split_parts({"winsorise:limit=1e+3+whiten"}), (Texts{"winsorise:limit=1e+3", "whiten"}));
}

TEST(SplitParts, RefusesNothingAtAll) { EXPECT_THROW(split_parts({" + "}), Error); }

TEST(WholeNumber, NamesTheOptionAndTheRange) {
  EXPECT_EQ(whole_number("--k", "12", 1, 20), 12);
  for (const char* wrong : {"", "0", "21", "1.5", "1e1", "12x", " 12", "nan", "99999999999999999999"}) {
    try {
      whole_number("--k", wrong, 1, 20);
      ADD_FAILURE() << wrong << " was accepted";
    } catch (const Error& error) {
      EXPECT_EQ(error.fault(), Fault::usage);
      EXPECT_NE(error.message().find("--k"), std::string::npos);
      EXPECT_NE(error.message().find("from 1 to 20"), std::string::npos);
    }
  }
}

TEST(SeedNumber, ReachesTheLargestSeed) {
  EXPECT_EQ(seed_number("--seed", "18446744073709551615"), std::numeric_limits<std::uint64_t>::max());
  EXPECT_THROW(seed_number("--seed", "18446744073709551616"), Error);
  EXPECT_THROW(seed_number("--seed", "-1"), Error);
}

TEST(RealNumber, RefusesWhatIsNotAFiniteNumberInRange) {
  EXPECT_EQ(real_number("--tolerance", "1e-3", 0.0, 1.0), 1e-3);
  for (const char* wrong : {"nan", "inf", "1e999", "-1", "2", "abc", ""})
    EXPECT_THROW(real_number("--tolerance", wrong, 0.0, 1.0), Error) << wrong;
}

TEST(ReadingPlan, PrefersTheOptionOfOneSide) {
  ReadingTexts both, side;
  both.exclude = {"a,b"};
  both.delimiter = ";";
  both.missing = "mean";
  side.exclude = {"c"};
  side.missing = "drop-rows";
  const ReadingPlan plan = reading_plan("x.csv", both, side);
  EXPECT_EQ(plan.options.exclude, (Texts{"c"}));
  EXPECT_EQ(plan.options.delimiter, ';');
  EXPECT_EQ(plan.missing, Missing::drop_rows);
  EXPECT_EQ(reading_plan("x.csv", both, {}).options.exclude, (Texts{"a", "b"}));
  EXPECT_EQ(reading_plan("x.csv", both, {}).missing, Missing::mean);
}

TEST(ReadingPlan, WithoutOptionsIsTheReadersDefault) {
  const ReadingPlan plan = reading_plan("x.csv", {}, {});
  EXPECT_EQ(plan.options.delimiter, 0);
  EXPECT_TRUE(plan.options.header);
  EXPECT_EQ(plan.missing, Missing::refuse);
  EXPECT_TRUE(plan.missing_name.empty());
}

}  // namespace
}  // namespace cda::command
