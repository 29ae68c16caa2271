#include "libmap/base/cursor.hpp"

#include <gtest/gtest.h>

namespace rankmap {
namespace {

TEST(Cursor, CountsLinesAndColumnsFromOne) {
  Cursor cursor("job", "ab\ncd");
  for (int i = 0; i < 4; ++i) cursor.next();
  EXPECT_EQ(cursor.position().line, 2U);
  EXPECT_EQ(cursor.position().column, 2U);
  EXPECT_EQ(cursor.peek(), 'd');
}

TEST(Cursor, SaysWhereWhatAndWhatWasExpected) {
  Cursor cursor("pattern", "ring;4");
  cursor.take_word();
  try {
    cursor.expect(':');
    FAIL() << "expected an error";
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "pattern:1:5: found \";\", expected \":\"");
    EXPECT_EQ(error.code(), ExitCode::bad_input);
  }
}

TEST(Cursor, NamesTheEndOfTheText) {
  Cursor cursor("pattern", "");
  try {
    cursor.expect(':');
    FAIL() << "expected an error";
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "pattern:1:1: found the end of the text, expected \":\"");
  }
}

TEST(Cursor, TakesWordsAndStopsAtStops) {
  Cursor cursor("pattern", "  degree=4,x");
  cursor.skip_blanks();
  EXPECT_EQ(cursor.take_word(), "degree");
  EXPECT_TRUE(cursor.accept('='));
  EXPECT_EQ(cursor.take_until(","), "4");
  EXPECT_EQ(cursor.rest(), ",x");
}

}  // namespace
}  // namespace rankmap
