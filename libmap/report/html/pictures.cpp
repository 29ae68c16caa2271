#include "libmap/report/html/pictures.hpp"

#include <algorithm>
#include <cmath>

#include "libmap/report/html/markup.hpp"

namespace rankmap {
namespace {

constexpr int pitch = 20, margin = 28;  // SVG units between points, and around them

std::string attribute(const char* name, int value) {
  return std::string(" ") + name + "=\"" + std::to_string(value) + "\"";
}

std::string line(int x1, int y1, int x2, int y2, const ViewLine& of, double most,
                 const std::string& where) {
  const double value = (of.mean[0] + of.mean[1]) / 2;
  return "<line class=\"l " + colour_class(value, most) + "\"" + attribute("x1", x1) +
         attribute("y1", y1) + attribute("x2", x2) + attribute("y2", y2) + "><title>" + where +
         ": + " + readable_bytes(of.mean[0]) + ", - " + readable_bytes(of.mean[1]) +
         " on average</title></line>";
}

std::string place(const TorusView& view, int row, int column) {
  return view.row == none ? "(" + std::to_string(column) + ")"
                          : "(" + std::to_string(row) + "," + std::to_string(column) + ")";
}

}  // namespace

int minimap_width(const TorusView& view) {
  return 2 * margin + pitch * (view.columns - 1);
}
int minimap_height(const TorusView& view) {
  return 2 * margin + pitch * (view.rows - 1);
}

std::string minimap(const TorusView& view, std::span<const ViewLine> lines, double most) {
  const auto axis = [&](int d) {
    return std::string(1, torus_letters[static_cast<std::size_t>(d)]);
  };
  const auto reach = [](int from, int count) {  // a step that wraps is drawn as a stub
    return margin + pitch * from + (from + 1 < count ? pitch : pitch * 3 / 5);
  };
  std::string svg;
  std::size_t next = 0;
  for (int row = 0; row < view.rows; ++row)
    for (int column = 0; column < view.columns_lines(); ++column)
      svg += line(margin + pitch * column, margin + pitch * row, reach(column, view.columns),
                  margin + pitch * row, lines[next++], most,
                  place(view, row, column) + " along " + axis(view.column));
  for (int row = 0; row < view.rows_lines(); ++row)
    for (int column = 0; column < view.columns; ++column)
      svg += line(margin + pitch * column, margin + pitch * row, margin + pitch * column,
                  reach(row, view.rows), lines[next++], most,
                  place(view, row, column) + " along " + axis(view.row));
  for (int row = 0; row < view.rows; ++row)
    for (int column = 0; column < view.columns; ++column)
      svg += "<circle class=\"n\"" + attribute("cx", margin + pitch * column) +
             attribute("cy", margin + pitch * row) + " r=\"3\"/>";
  svg += "<text" + attribute("x", margin) + " y=\"14\">" + axis(view.column) + " \u2192</text>";
  if (view.row != none)
    svg += "<text x=\"4\"" + attribute("y", margin + 4) + ">" + axis(view.row) +
           "</text><text x=\"4\"" + attribute("y", margin + 18) + ">\u2193</text>";
  return svg;
}

std::string colour_legend(const std::string& low, const std::string& high) {
  std::string svg =
      "<svg class=\"legend\" width=\"180\" height=\"14\" role=\"img\" aria-label=\"scale\">";
  for (int step = 1; step <= colour_steps; ++step)
    svg += "<rect class=\"k" + std::to_string(step) + "\"" + attribute("x", 20 * (step - 1)) +
           " y=\"0\" width=\"20\" height=\"14\"/>";
  return low + " " + svg + "</svg> " + high;
}

std::string rank_matrix(const CommGraph& app, Rank cells) {
  const Rank each = (app.ranks() + cells - 1) / cells;
  const Rank side = (app.ranks() + each - 1) / each;
  const auto at = [&](Rank row, Rank column) {
    return static_cast<std::size_t>(row) * static_cast<std::size_t>(side) +
           static_cast<std::size_t>(column);
  };
  std::vector<double> bytes(at(side, 0), 0);
  for (const Edge& edge : app.edges())
    bytes[at(edge.source / each, edge.destination / each)] += static_cast<double>(edge.bytes);
  const double most = *std::max_element(bytes.begin(), bytes.end());
  double least = most;
  for (const double cell : bytes)
    if (cell > 0) least = std::min(least, cell);
  const int width = std::max(4, 320 / side);
  std::string svg = "<svg class=\"matrix\" role=\"img\" aria-label=\"bytes between ranks\"" +
                    attribute("width", width * side) + attribute("height", width * side) + ">";
  svg += "<rect class=\"back\" width=\"100%\" height=\"100%\"/>";
  const auto ranks_of = [&](Rank cell) {
    const Rank first = cell * each, last = std::min(first + each, app.ranks()) - 1;
    return std::to_string(first) + (last > first ? "-" + std::to_string(last) : "");
  };
  for (Rank row = 0; row < side; ++row)
    for (Rank column = 0; column < side; ++column) {
      const double cell = bytes[at(row, column)];
      if (cell <= 0) continue;
      const double part = most > least ? std::log(cell / least) / std::log(most / least) : 1;
      svg += "<rect class=\"c " + colour_class(std::max(part, 1e-9), 1) + "\"" +
             attribute("x", column * width) + attribute("y", row * width) +
             attribute("width", width) + attribute("height", width) + "><title>" + ranks_of(row) +
             " to " + ranks_of(column) + ": " + readable_bytes(cell) + "</title></rect>";
    }
  return svg + "</svg><p>A cell is " + (each == 1 ? "one rank" : std::to_string(each) + " ranks") +
         "; row: sender, column: receiver. " +
         colour_legend(readable_bytes(least), readable_bytes(most)) + " (logarithmic)</p>";
}

}  // namespace rankmap
