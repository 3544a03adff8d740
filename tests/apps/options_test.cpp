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
  Reading reading;
  reading.both.exclude = {"a,b"};
  reading.both.delimiter = ";";
  reading.both.missing = "mean";
  reading.x.exclude = {"c"};
  reading.x.missing = "drop-rows";
  const ReadingPlan x = reading_plan("x.csv", reading, Side::x), y = reading_plan("y.csv", reading, Side::y);
  EXPECT_EQ(x.options.exclude, (Texts{"c"}));
  EXPECT_EQ(x.options.delimiter, ';');
  EXPECT_EQ(x.missing, Missing::drop_rows);
  EXPECT_EQ(y.options.exclude, (Texts{"a", "b"}));
  EXPECT_EQ(y.missing, Missing::mean);
}

TEST(ReadingPlan, SaysItsErrorsInTheOptionsOfItsSide) {
  const Error text(Fault::input, "columns.text", "text", "--exclude id or --only-numeric; else --index-column id",
                   {"f"});
  const Error unknown(Fault::usage, "columns.unknown", "no column", "it has \"a\"");
  Reading reading;
  reading.both.exclude = {"id"};
  reading.x.exclude = {"a"};
  const ReadingPlan x = reading_plan("x.csv", reading, Side::x), y = reading_plan("y.csv", reading, Side::y);
  EXPECT_EQ(x.in_its_words(text).hint(), "--x-exclude id or --only-numeric; else --x-index-column id");
  EXPECT_EQ(x.in_its_words(text).place().file, "f");
  EXPECT_EQ(reading_plan("x.csv", reading).in_its_words(text).hint(), text.hint());
  EXPECT_EQ(x.in_its_words(unknown).hint(), unknown.hint());  // it was asked for X alone already
  EXPECT_EQ(y.in_its_words(unknown).hint(), "it has \"a\"; for X alone: --x-exclude, --x-index-column and so on");
}

TEST(ReadingPlan, WithoutOptionsIsTheReadersDefault) {
  const ReadingPlan plan = reading_plan("x.csv", {});
  EXPECT_EQ(plan.options.delimiter, 0);
  EXPECT_TRUE(plan.options.header);
  EXPECT_EQ(plan.missing, Missing::refuse);
  EXPECT_TRUE(plan.missing_name.empty());
}

}  // namespace
}  // namespace cda::command
