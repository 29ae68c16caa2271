#include "libmap/report/html/torus_views.hpp"

#include <algorithm>

namespace rankmap {
namespace {

std::size_t at(int i) {
  return static_cast<std::size_t>(i);
}

TorusView view_of(const Torus& torus, int row, int column) {
  TorusView view{};
  view.row = row;
  view.column = column;
  view.rows = row == none ? 1 : torus.extents()[at(row)];
  view.columns = torus.extents()[at(column)];
  view.row_wraps = row != none && torus.is_ring(at(row));
  view.column_wraps = torus.is_ring(at(column));
  view.behind = torus.nodes() / view.rows / view.columns;
  return view;
}

// Nodes from one position to the next along an axis.
NodeId stride_of(const Torus& torus, int axis) {
  NodeId stride = 1;
  for (std::size_t d = at(axis) + 1; d < torus.extents().size(); ++d) stride *= torus.extents()[d];
  return stride;
}

}  // namespace

std::vector<TorusView> torus_views(const Torus& torus) {
  std::vector<int> axes;
  for (int d = 0; d < static_cast<int>(torus.extents().size()); ++d)
    if (torus.extents()[at(d)] > 1) axes.push_back(d);
  if (axes.size() == 1) return {view_of(torus, none, axes[0])};
  std::vector<TorusView> views;
  for (std::size_t i = 0; i < axes.size(); ++i)
    for (std::size_t j = i + 1; j < axes.size(); ++j)
      views.push_back(view_of(torus, axes[i], axes[j]));
  return views;
}

std::vector<ViewLine> view_lines(const Torus& torus, const TorusView& view,
                                 std::span<const double> loads) {
  std::vector<ViewLine> lines(view.lines());
  const auto add = [&](std::size_t line, NodeId from, NodeId to, int axis) {
    const std::array<LinkId, 2> links = {torus.link_from(from, at(axis), 0),
                                         torus.link_from(to, at(axis), 1)};
    for (std::size_t way = 0; way < 2; ++way) {
      const double bytes = loads[at(links[way])];
      lines[line].mean[way] += bytes / view.behind;
      lines[line].most[way] = std::max(lines[line].most[way], bytes);
    }
  };
  const int along_columns = view.columns_lines(), along_rows = view.rows_lines();
  const NodeId column_stride = stride_of(torus, view.column);
  const NodeId row_stride = view.row == none ? 0 : stride_of(torus, view.row);
  for (NodeId node = 0; node < torus.nodes(); ++node) {
    const int column = node / column_stride % view.columns;
    const int row = view.row == none ? 0 : node / row_stride % view.rows;
    if (column < along_columns)
      add(at(row * along_columns + column), node,
          node + ((column + 1) % view.columns - column) * column_stride, view.column);
    if (row < along_rows)
      add(at(view.rows * along_columns + row * view.columns + column), node,
          node + ((row + 1) % view.rows - row) * row_stride, view.row);
  }
  return lines;
}

std::string view_name(const TorusView& view) {
  const auto letter = [](int axis) { return std::string(1, torus_letters[at(axis)]); };
  return view.row == none ? letter(view.column) : letter(view.row) + "-" + letter(view.column);
}

}  // namespace rankmap
