#include "libmap/base/text.hpp"

#include <gtest/gtest.h>

namespace rankmap {
namespace {

using Views = std::vector<std::string_view>;

TEST(Text, TrimsBlanksTabsAndLineEnds) {
  EXPECT_EQ(trim(" \ta b\r\n"), "a b");
  EXPECT_EQ(trim(" \n"), "");
}

TEST(Text, SplitKeepsEmptyFields) {
  EXPECT_EQ(split("a,,b,", ','), (Views{"a", "", "b", ""}));
  EXPECT_EQ(split("", ','), (Views{""}));
}

TEST(Text, SplitsWordsAtRunsOfBlanks) {
  EXPECT_EQ(split_words("  a \t b "), (Views{"a", "b"}));
}

TEST(Text, SplitsLinesWithAndWithoutCarriageReturns) {
  EXPECT_EQ(split_lines("a\r\nb\n\nc"), (Views{"a", "b", "", "c"}));
  EXPECT_TRUE(split_lines("").empty());
}

TEST(Text, QuotesWhatATerminalMustNotSee) {
  EXPECT_EQ(rankmap::quoted("a\"\x1b[4m"), "\"a\\\"\\x1b[4m\"");
  EXPECT_EQ(rankmap::quoted(std::string(100, 'x')), "\"" + std::string(60, 'x') + "...\"");
}

TEST(Text, NumbersMustFillTheWholeText) {
  EXPECT_EQ(parse_integer("-3"), -3);
  EXPECT_EQ(parse_unsigned("18446744073709551615"), 18446744073709551615ULL);
  for (const char* text : {"", "1x", " 1", "+1", "99999999999999999999"})
    EXPECT_FALSE(parse_integer(text).has_value()) << text;
  EXPECT_FALSE(parse_unsigned("-1").has_value());
  EXPECT_FALSE(parse_real("inf").has_value());
  EXPECT_FALSE(parse_real("nan").has_value());
}

TEST(Text, RealsReadBackTheSame) {
  for (const double value : {0.1, 1e300, 25.781, 80.0})
    EXPECT_EQ(parse_real(format_real(value)), value);
}

}  // namespace
}  // namespace rankmap
