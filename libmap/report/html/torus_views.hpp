// A torus or mesh seen along its hidden axes: one minimap for every pair of axes.
#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "libmap/machine/network/torus.hpp"

namespace rankmap {

// A line of a minimap: the links of one step along an axis, of all nodes behind one another.
struct ViewLine {
  std::array<double, 2> mean;  // bytes, by direction: +, -
  std::array<double, 2> most;
};

// Rows are positions on axis `row` (none: one row), columns on axis `column`. lines: first those
// along the columns' axis, then those along the rows', each row-major.
struct TorusView {
  int row, column;
  int rows, columns;
  bool row_wraps, column_wraps;
  int behind;  // nodes that one point stands for
  int columns_lines() const { return line_count(columns, column_wraps); }
  int rows_lines() const { return row == none ? 0 : line_count(rows, row_wraps); }
  std::size_t lines() const {
    return static_cast<std::size_t>(rows * columns_lines() + columns * rows_lines());
  }

 private:
  static int line_count(int extent, bool wraps) {
    return extent < 2 ? 0 : (wraps ? extent : extent - 1);
  }
};

// Of every pair of axes that have two positions or more, in written order; of one such axis, it
// alone.
std::vector<TorusView> torus_views(const Torus& torus);
// loads[l]: bytes on link l of the network. O(nodes).
std::vector<ViewLine> view_lines(const Torus& torus, const TorusView& view,
                                 std::span<const double> loads);
// "x-y" for people.
std::string view_name(const TorusView& view);

}  // namespace rankmap
