#include "libmap/machine/json/located_json.hpp"

#include <gtest/gtest.h>

#include "libmap/base/error.hpp"

namespace rankmap {
namespace {

std::string error_of(const std::string& text) {
  try {
    const JsonDocument document(text, "f");
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(LocatedJson, EveryValueKnowsItsFirstByte) {
  const std::string text = R"({"a": 12, "b" : ["x\"y", true,-3.5], "c":{"d":null}})";
  const JsonDocument document(text, "f");
  const JsonValue& root = document.root();
  ASSERT_EQ(root.members.size(), 3U);
  EXPECT_EQ(root.members[0].key_offset, text.find("\"a\""));
  EXPECT_EQ(root.members[0].value.offset, text.find("12"));
  const JsonValue& list = root.members[1].value;
  EXPECT_EQ(list.offset, text.find('['));
  EXPECT_EQ(list.members[0].value.offset, text.find("\"x"));
  EXPECT_EQ(list.members[1].value.offset, text.find("true"));
  EXPECT_EQ(list.members[2].value.offset, text.find("-3.5"));
  EXPECT_EQ(root.members[2].value.members[0].value.offset, text.find("null"));
}

TEST(LocatedJson, NumbersBeforeBracketsDoNotShiftWhatFollows) {
  const std::string text = "{\"a\":[1,[2],3],\"b\":4}";
  const JsonDocument document(text, "f");
  EXPECT_EQ(document.root().members[0].value.members[1].value.offset, text.find("[2"));
  EXPECT_EQ(document.root().members[0].value.members[2].value.offset, text.find('3'));
  EXPECT_EQ(document.root().members[1].value.offset, text.find('4'));
}

TEST(LocatedJson, AWrongValueIsToldWithLineAndColumn) {
  const std::string text = "{\n  \"gpus\": 8,\n  \"name\": 7\n}";
  const JsonDocument document(text, "box.json");
  try {
    document.string(document.root(), "name");
    FAIL() << "a number passed as a name";
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "box.json:3:11: \"name\" is a whole number, expected a string");
  }
}

TEST(LocatedJson, AnIntegerOutOfRangeIsToldWithTheRange) {
  const std::string text = R"({"n": 9})";
  const JsonDocument document(text, "f");
  EXPECT_EQ(document.integer(document.root(), "n", 0, 9), 9);
  EXPECT_THROW(document.integer(document.root(), "n", 0, 8), InputError);
  EXPECT_EQ(document.integer(document.root(), "m", 0, 8), std::nullopt);
}

TEST(LocatedJson, BrokenTextIsRefusedWhereItBreaks) {
  EXPECT_EQ(error_of("{\n \"a\": 1,\n \"b\" 2}").substr(0, 6), "f:3:6:");
  EXPECT_NE(error_of("{\"a\": "), "");
  EXPECT_NE(error_of(""), "");
  EXPECT_NE(error_of("{} {}"), "");
}

TEST(LocatedJson, AKeyTwiceInOneObjectIsRefused) {
  EXPECT_EQ(error_of(R"({"a": 1, "a": 2})"), "f:1:10: the key \"a\" stands twice in one object");
  EXPECT_EQ(error_of(R"([{"a": 1}, {"a": 2}])"), "");
}

TEST(LocatedJson, DeepNestingIsRefusedAndNeverOverflowsTheStack) {
  EXPECT_NE(error_of(std::string(100000, '[')), "");
  const std::string deep =
      std::string(JsonDocument::max_depth, '[') + std::string(JsonDocument::max_depth, ']');
  EXPECT_EQ(error_of(deep), "");
  EXPECT_NE(error_of("[" + deep + "]"), "");
}

TEST(LocatedJson, TooManyValuesAndTooLongTextsAreRefused) {
  std::string many = "[0";
  for (std::size_t i = 0; i < JsonDocument::max_values; ++i) many += ",0";
  EXPECT_NE(error_of(many + "]"), "");
  EXPECT_NE(error_of("[" + std::string(JsonDocument::max_bytes, ' ') + "]"), "");
}

}  // namespace
}  // namespace rankmap
