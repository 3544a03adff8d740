#include "files/number.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <string>

#include "cda/extend/random.hpp"

namespace {

using cda::NumberFormat;
using cda::NumberKind;
using cda::parse_number;

double read(const std::string& text, NumberFormat format = {}) {
  double value = -77.0;
  EXPECT_EQ(parse_number(text, format, value), NumberKind::number) << text;
  return value;
}

NumberKind kind(const std::string& text, NumberFormat format = {}) {
  double value = -77.0;
  const NumberKind found = parse_number(text, format, value);
  EXPECT_TRUE(found == NumberKind::number || value == -77.0) << text << " was refused and yet stored";
  return found;
}

TEST(Number, ReadsEveryCommonForm) {
  EXPECT_EQ(read("1"), 1.0);
  EXPECT_EQ(read("+1"), 1.0);
  EXPECT_EQ(read("-1.25"), -1.25);
  EXPECT_EQ(read(".5"), 0.5);
  EXPECT_EQ(read("-.5"), -0.5);
  EXPECT_EQ(read("5."), 5.0);
  EXPECT_EQ(read("1E5"), 1e5);
  EXPECT_EQ(read("1e+5"), 1e5);
  EXPECT_EQ(read("0001"), 1.0);
  EXPECT_TRUE(std::signbit(read("-0")));
}

TEST(Number, IsRoundedCorrectly) {
  EXPECT_EQ(read("9007199254740993"), 9007199254740992.0);  // halfway: to even
  EXPECT_EQ(read("1.7976931348623157e308"), 1.7976931348623157e308);
  EXPECT_EQ(read("0.1"), 0.1);
}

TEST(Number, TooSmallBecomesZeroOfItsSignAndDenormalsStay) {
  EXPECT_EQ(read("1e-400"), 0.0);
  EXPECT_EQ(read("+1e-400"), 0.0);
  EXPECT_TRUE(std::signbit(read("-1e-400")));
  EXPECT_EQ(read("2e-324"), 0.0);
  EXPECT_EQ(read("4.9e-324"), 4.9406564584124654e-324);
  EXPECT_EQ(read("0." + std::string(400, '0') + "1"), 0.0);
  EXPECT_EQ(read("1e-99999999999999999999"), 0.0);
  EXPECT_EQ(read("0e999999"), 0.0);
}

TEST(Number, TooLargeIsRefused) {
  EXPECT_EQ(kind("1e400"), NumberKind::too_large);
  EXPECT_EQ(kind("-1e400"), NumberKind::too_large);
  EXPECT_EQ(kind("1" + std::string(400, '0')), NumberKind::too_large);
  EXPECT_EQ(kind("0.0001e400"), NumberKind::too_large);
  EXPECT_EQ(kind("1e99999999999999999999"), NumberKind::too_large);
}

TEST(Number, InfinityIsNoNumber) {
  for (const char* text : {"inf", "-inf", "+Inf", "Infinity", "-INFINITY", "1.#INF", "-1.#INF"})
    EXPECT_EQ(kind(text), NumberKind::infinite) << text;
}

TEST(Number, RefusesWhatOnlyBeginsLikeANumber) {
  for (const char* text : {"",
                           "+",
                           "-",
                           ".",
                           "e5",
                           "+-1",
                           "--1",
                           "++1",
                           "0x10",
                           "0x1p3",
                           "1_000",
                           "1d5",
                           "1e5x",
                           "1e",
                           "1,5",
                           "1 2",
                           "nan",
                           "nan(0x1)",
                           "-nan",
                           "infx",
                           "１２",
                           "\u2212"
                           "1",
                           "1..2",
                           "1e5.5"})
    EXPECT_EQ(kind(text), NumberKind::not_a_number) << text;
}

TEST(Number, DecimalCommaReplacesThePoint) {
  const NumberFormat comma{.decimal = ','};
  EXPECT_EQ(read("1,5", comma), 1.5);
  EXPECT_EQ(read("-,5e3", comma), -500.0);
  EXPECT_EQ(kind("1.5", comma), NumberKind::not_a_number);
  EXPECT_EQ(kind("1,5,5", comma), NumberKind::not_a_number);
  EXPECT_EQ(kind("-1,#INF", comma), NumberKind::infinite);
}

TEST(Number, ThousandsStandBetweenGroupsOfThreeDigits) {
  const NumberFormat english{.decimal = '.', .thousands = ','}, german{.decimal = ',', .thousands = '.'};
  EXPECT_EQ(read("1,234", english), 1234.0);
  EXPECT_EQ(read("-12,345,678.5", english), -12345678.5);
  EXPECT_EQ(read("1234.5", english), 1234.5);
  EXPECT_EQ(read("1.234,5", german), 1234.5);
  for (const char* text : {"1,23", "1,2345", "1234,567", ",123", "1,", "1.5,000"})
    EXPECT_EQ(kind(text, english), NumberKind::not_a_number) << text;
}

// The number at the beginning of a text, and how many characters it takes; none: 0.
std::pair<double, std::size_t> beginning(const std::string& text, char decimal = '.') {
  double value = -77.0;
  const char* end = cda::number_at(text.data(), text.data() + text.size(), decimal, value);
  return {value, end == nullptr ? 0 : static_cast<std::size_t>(end - text.data())};
}

TEST(Number, AtTheBeginningOfATextIsReadUpToItsEnd) {
  using Found = std::pair<double, std::size_t>;
  EXPECT_EQ(beginning("12.5,3"), Found(12.5, 4));
  EXPECT_EQ(beginning("-12345678901234567890.5;"), Found(-12345678901234567890.5, 23));
  EXPECT_EQ(beginning("1e5e"), Found(1e5, 3));
  EXPECT_EQ(beginning("1,5.0", ','), Found(1.5, 3));
  EXPECT_EQ(beginning("7").second, 1u);
  EXPECT_TRUE(std::signbit(beginning("-0,").first));
  for (const char* none : {"", "-", ".", "-.", "e5", "1e", "1e+", "x1", "nan", "+-1", "1e99999", "1e400", "\"1\""})
    EXPECT_EQ(beginning(none).second, 0u) << none;
}

TEST(Number, AtTheBeginningOfATextIsTheOneThatStrtodReads) {
  cda::Random random(1, "numbers");
  const auto below = [&](int limit) { return static_cast<int>(random.uniform() * limit); };
  for (int i = 0; i < 200'000; ++i) {
    std::string text = below(2) == 0 ? "-" : "";
    const int digits = 1 + below(22), point = below(digits + 2);
    for (int j = 0; j < digits; ++j) {
      if (j == point) text += '.';
      text += static_cast<char>('0' + (below(4) == 0 ? 0 : below(10)));
    }
    if (below(3) == 0) text += "e" + std::to_string(below(60) - 30);
    const std::string follows = ",0123456789";  // must not be taken for more of it
    const auto [value, length] = beginning(text + follows);
    const double expected = std::strtod(text.c_str(), nullptr);
    ASSERT_EQ(length, text.size()) << text;
    ASSERT_EQ(std::memcmp(&value, &expected, sizeof value), 0) << text;
    ASSERT_EQ(beginning(text).first, expected) << text;
  }
}

}  // namespace
