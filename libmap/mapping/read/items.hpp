// A text as items: what stands between blanks, commas and ends of lines; # begins a comment.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "libmap/base/error.hpp"

namespace rankmap {

struct Item {
  std::string_view text;
  std::size_t line = 0;
  std::size_t column = 0;
  TextPosition where(const std::string& source) const { return {source, line, column}; }
};

// The text must outlive the items. Two commas in a row, or one at an end, leave nothing between them.
std::vector<Item> items_of(std::string_view text);

}  // namespace rankmap
