// What a text of nothing but numbers can be: a square table, or one of the formats without a name
// in them.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace rankmap {

struct NumberShape {
  std::vector<std::string_view> first;  // the fields of the first line
  std::size_t second_columns;           // 0 without a second line
  bool commas;                          // some in the first line
  bool whole;                           // the first line has whole numbers only, none negative
  bool square;                          // as many lines as columns, all of the same length
};

// Of the first lines that are neither blank nor begin with # or %; nullopt where they begin with no
// number, and for Matrix Market, which says what it is. A line of more than five fields is `square`
// unseen, as no other format begins so.
std::optional<NumberShape> number_shape(std::string_view content);

}  // namespace rankmap
