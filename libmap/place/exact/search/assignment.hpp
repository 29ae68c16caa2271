// The linear assignment problem: every row one column, the largest sum.
#pragma once

#include <cstdint>
#include <vector>

namespace rankmap {

// gain[row * columns + column], rows <= columns. The largest sum over one different column for every
// row; O(rows^2 x columns) (the Hungarian method with potentials: Kuhn 1955, Munkres 1957).
class Assignment {
 public:
  std::int64_t largest_sum(const std::vector<std::int64_t>& gain, int rows, int columns);

 private:
  void augment(const std::vector<std::int64_t>& gain, int row, int columns);
  std::vector<std::int64_t> row_price_, column_price_, slack_;
  std::vector<int> row_of_, before_;
  std::vector<char> seen_;
};

}  // namespace rankmap
