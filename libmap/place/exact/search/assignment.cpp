// Shortest augmenting paths over reduced costs; columns and rows count from 1, 0 is "none".
#include "libmap/place/exact/search/assignment.hpp"

#include <algorithm>
#include <limits>

namespace rankmap {

std::int64_t Assignment::largest_sum(const std::vector<std::int64_t>& gain, int rows, int columns) {
  row_price_.assign(static_cast<std::size_t>(rows) + 1, 0);
  column_price_.assign(static_cast<std::size_t>(columns) + 1, 0);
  row_of_.assign(static_cast<std::size_t>(columns) + 1, 0);
  before_.assign(static_cast<std::size_t>(columns) + 1, 0);
  for (int row = 1; row <= rows; ++row) augment(gain, row, columns);
  std::int64_t sum = 0;
  for (int column = 1; column <= columns; ++column) {
    const int row = row_of_[static_cast<std::size_t>(column)];
    if (row > 0) sum += gain[static_cast<std::size_t>((row - 1) * columns + column - 1)];
  }
  return sum;
}

void Assignment::augment(const std::vector<std::int64_t>& gain, int row, int columns) {
  const auto width = static_cast<std::size_t>(columns) + 1;
  slack_.assign(width, std::numeric_limits<std::int64_t>::max());
  seen_.assign(width, 0);
  row_of_[0] = row;
  std::size_t column = 0;
  while (row_of_[column] != 0) {
    seen_[column] = 1;
    const auto here = static_cast<std::size_t>(row_of_[column]);
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    std::size_t next = 0;
    for (std::size_t j = 1; j < width; ++j) {
      if (seen_[j]) continue;
      const std::int64_t reduced =
          -gain[(here - 1) * (width - 1) + j - 1] - row_price_[here] - column_price_[j];
      if (reduced < slack_[j]) slack_[j] = reduced, before_[j] = static_cast<int>(column);
      if (slack_[j] < least) least = slack_[j], next = j;
    }
    for (std::size_t j = 0; j < width; ++j) {
      if (seen_[j]) {
        row_price_[static_cast<std::size_t>(row_of_[j])] += least;
        column_price_[j] -= least;
      } else {
        slack_[j] -= least;
      }
    }
    column = next;
  }
  while (column != 0) {
    const auto previous = static_cast<std::size_t>(before_[column]);
    row_of_[column] = row_of_[previous];
    column = previous;
  }
}

}  // namespace rankmap
