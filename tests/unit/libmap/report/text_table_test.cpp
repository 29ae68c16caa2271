#include "libmap/report/text_table.hpp"

#include <gtest/gtest.h>

namespace rankmap {
namespace {

TEST(TextTable, AlignsColumnsAndLeavesNoBlanksAtLineEnds) {
  EXPECT_EQ(text_table({{"rank", "host"}, {"0", "a"}, {"10", "longer"}}, {0}),
            "rank  host\n"
            "   0  a\n"
            "  10  longer\n");
}

TEST(TextTable, TakesRowsOfDifferentLength) {
  EXPECT_EQ(text_table({{"a"}, {"b", "c"}}), "a\nb  c\n");
  EXPECT_EQ(text_table({}), "");
}

TEST(Readable, GivesSixDigitsAndNoTrailingZeros) {
  EXPECT_EQ(readable(80.0), "80");
  EXPECT_EQ(readable(1.0 / 3), "0.333333");
  EXPECT_EQ(readable(4e-11), "4e-11");
}

}  // namespace
}  // namespace rankmap
