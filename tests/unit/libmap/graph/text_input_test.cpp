// A text in blocks gives the lines that it has in memory.
#include "libmap/graph/text_input.hpp"

#include <gtest/gtest.h>

#include "tests/unit/libmap/graph/foreign_samples.hpp"

namespace rankmap {
namespace {

std::vector<std::string> lines_of(TextInput input) {
  std::vector<std::string> lines;
  for (std::string_view line; input.next_line(line);) lines.emplace_back(line);
  return lines;
}

class TextInputFile : public ::testing::Test {
 protected:
  TextInput file(const std::string& content, Bytes limit = Bytes{1} << 30) {
    folder_.write("text", content);
    return TextInput::open(folder_.path() + "/text", limit);
  }
  TestFolder folder_;
};

TEST_F(TextInputFile, LinesOfAFileAreThoseOfItsText) {
  std::string text = "first\n\n";
  for (int i = 0; i < 300'000; ++i) text += "line " + std::to_string(i) + "\n";  // some MiB
  text += std::string(3 << 20, 'x') + "\nwithout end";  // longer than a block
  const std::vector<std::string> lines = lines_of(TextInput(text, "memory"));
  EXPECT_EQ(lines.size(), 300'004U);
  EXPECT_EQ(lines.back(), "without end");
  EXPECT_EQ(lines_of(file(text)), lines);
}

TEST_F(TextInputFile, TheHeadIsNotConsumed) {
  TextInput input = file("a\nb\n");
  EXPECT_EQ(input.head(), "a\nb\n");
  EXPECT_EQ(input.size(), 4U);
  input.skip("a");
  EXPECT_EQ(input.whole(100), "\nb\n");
  EXPECT_EQ(lines_of(std::move(input)), (std::vector<std::string>{"", "b"}));
}

TEST_F(TextInputFile, NothingIsReadBeyondTheLimits) {
  EXPECT_THROW(lines_of(file("12345\n", 5)), InputError);
  EXPECT_NO_THROW(lines_of(file("12345\n", 6)));
  TextInput input = file(std::string(3 << 20, 'x'));
  EXPECT_EQ(message_of([&] { input.whole(Bytes{2} << 20); }),
            folder_.path() + "/text: longer than the limit of 2MiB");
}

TEST_F(TextInputFile, WhatCannotBeReadIsASystemError) {
  EXPECT_THROW(TextInput::open(folder_.path() + "/nothing", 1), SystemError);
  EXPECT_THROW(lines_of(TextInput::open(folder_.path(), 1)), SystemError);  // a folder
}

}  // namespace
}  // namespace rankmap
