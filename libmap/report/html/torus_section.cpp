#include "libmap/report/html/torus_section.hpp"

#include <algorithm>
#include <utility>

#include "libmap/report/html/markup.hpp"
#include "libmap/report/html/pictures.hpp"
#include "libmap/report/html/torus_groups.hpp"

namespace rankmap {
namespace {

constexpr int most_points = 4096;              // of one minimap
constexpr std::size_t most_lines = 60'000;     // of all minimaps of a mapping
constexpr std::size_t most_numbers = 400'000;  // in the data of a page

using Lines = std::vector<std::vector<ViewLine>>;  // [view][line]

Lines lines_of(const Machine& machine, const std::vector<double>& loads) {
  const Torus& torus = *torus_of(machine);
  const auto first = static_cast<std::size_t>(machine.links() - torus.links());
  Lines lines;
  for (const TorusView& view : torus_views(torus))
    lines.push_back(view_lines(torus, view, std::span(loads).subspan(first)));
  return lines;
}

double largest_mean(const Lines& lines) {
  double most = 0;
  for (const auto& view : lines)
    for (const ViewLine& line : view) most = std::max(most, (line.mean[0] + line.mean[1]) / 2);
  return most;
}

std::string numbers(const Lines& lines, bool most, std::size_t way) {
  std::string text;
  for (const auto& view : lines)
    for (const ViewLine& line : view)
      text += (text.empty() ? "" : ",") + short_number((most ? line.most : line.mean)[way]);
  return "[" + text + "]";
}

std::string phase_json(const Lines& lines) {
  return "[[" + numbers(lines, false, 0) + "," + numbers(lines, false, 1) + "],[" +
         numbers(lines, true, 0) + "," + numbers(lines, true, 1) + "]]";
}

std::string row_of_minimaps(const Torus& torus, const Lines& lines, double most) {
  std::string svg;
  int x = 0;
  const std::vector<TorusView> views = torus_views(torus);
  for (std::size_t i = 0; i < views.size(); ++i) {
    svg += "<g class=\"view\" transform=\"translate(" + std::to_string(x) + ",0)\">" +
           minimap(views[i], lines[i], most) + "</g>";
    x += minimap_width(views[i]);
  }
  return svg;
}

std::pair<int, int> size_of(const Torus& torus) {
  int width = 0, height = 0;
  for (const TorusView& view : torus_views(torus)) {
    width += minimap_width(view);
    height = std::max(height, minimap_height(view));
  }
  return {width, height};
}

std::string option(const std::string& value, const std::string& label) {
  return "<option value=\"" + value + "\">" + label + "</option>";
}

std::string controls(std::int32_t phases) {
  std::string text =
      "<p class=\"controls\"><label>Phase <select id=\"phase\">" + option("0", "all together");
  for (std::int32_t phase = 0; phase < phases; ++phase)
    text += option(std::to_string(phase + 1), "phase " + std::to_string(phase));
  return text + "</select></label> <label>Links behind one another <select id=\"statistic\">" +
         option("0", "mean") + option("1", "largest") +
         "</select></label> <label>Direction <select id=\"direction\">" + option("both", "both") +
         option("plus", "+ only") + option("minus", "\u2212 only") + "</select></label></p>";
}

}  // namespace

const Torus* torus_of(const Machine& machine) {
  return dynamic_cast<const Torus*>(machine.network());
}

std::string too_large_to_draw(const Torus& torus) {
  std::size_t lines = 0;
  for (const TorusView& view : torus_views(torus)) {
    lines += view.lines();
    if (view.rows > most_points / view.columns)
      return "the " + view_name(view) + " minimap would have " + std::to_string(view.rows) + " x " +
             std::to_string(view.columns) + " points, at most " + std::to_string(most_points) +
             " are drawn";
  }
  if (lines == 0) return "it has one node and no links";
  if (lines <= most_lines) return "";
  return "its minimaps would have " + std::to_string(lines) + " lines, at most " +
         std::to_string(most_lines) + " are drawn";
}

std::string torus_section(const CommGraph& app, const Machine& machine,
                          std::span<const MappingTraffic> mappings) {
  const Torus& torus = *torus_of(machine);
  std::vector<Lines> totals;
  double most = 0;
  std::size_t each = 0;
  for (const MappingTraffic& mapping : mappings) {
    totals.push_back(lines_of(machine, mapping.total));
    most = std::max(most, largest_mean(totals.back()));
  }
  for (const TorusView& view : torus_views(torus)) each += 4 * view.lines();
  const bool by_phase =
      app.phases() > 1 &&
      each * mappings.size() * static_cast<std::size_t>(app.phases() + 1) <= most_numbers;
  std::string behind;
  for (const TorusView& view : torus_views(torus))
    behind += (behind.empty() ? "" : ", ") + view_name(view) + ": " + std::to_string(view.behind);
  const auto [width, height] = size_of(torus);
  std::string html =
      "<p>Nodes seen along the hidden axes; links coloured by bytes. Nodes behind one "
      "point: " +
      behind + ". A stub leads round to the other side.</p>";
  if (!by_phase && app.phases() > 1)
    html += "<p>The " + std::to_string(app.phases()) +
            " phases are shown together: one by one they would make this page too large.</p>";
  html += controls(by_phase ? app.phases() : 0) + group_controls(app, machine, torus, mappings) +
          "<p>" + colour_legend("0", "<span id=\"most\">" + readable_bytes(most) + "</span>") +
          " per link, the same range for all mappings</p>";
  std::string data;
  for (std::size_t i = 0; i < mappings.size(); ++i) {
    html += "<h3>" + escaped(mappings[i].name) + "</h3><div class=\"scroll\"><svg class=\"map\" " +
            "role=\"img\" aria-label=\"traffic\" width=\"" + std::to_string(width) +
            "\" height=\"" + std::to_string(height) + "\">" +
            row_of_minimaps(torus, totals[i], most) + "</svg></div>";
    data += (i == 0 ? "[" : ",[") + phase_json(totals[i]);
    if (by_phase)
      for (const std::vector<double>& loads : mappings[i].loads)
        data += "," + phase_json(lines_of(machine, loads));
    data += "]";
  }
  return html + "<script type=\"application/json\" id=\"loads\">[" + data + "]</script>";
}

std::string torus_svg(const Machine& machine, std::span<const MappingTraffic> mappings) {
  constexpr int heading = 24;
  const Torus& torus = *torus_of(machine);
  const auto [width, height] = size_of(torus);
  double most = 0;
  for (const MappingTraffic& mapping : mappings)
    most = std::max(most, largest_mean(lines_of(machine, mapping.total)));
  std::string rows;
  int y = heading;
  for (const MappingTraffic& mapping : mappings) {
    rows += "<text x=\"4\" y=\"" + std::to_string(y - 6) + "\">" + escaped(mapping.name) +
            "; darkest: " + readable_bytes(most) + " per link</text><g transform=\"translate(0," +
            std::to_string(y) + ")\">" +
            row_of_minimaps(torus, lines_of(machine, mapping.total), most) + "</g>";
    y += height + heading;
  }
  return "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" +
         std::to_string(std::max(width, 480)) + "\" height=\"" + std::to_string(y) + "\">" + rows +
         "</svg>";
}

}  // namespace rankmap
