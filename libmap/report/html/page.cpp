#include "libmap/report/html/page.hpp"

#include <algorithm>

#include "libmap/base/error.hpp"
#include "libmap/base/text.hpp"
#include "libmap/report/html/dragonfly_section.hpp"
#include "libmap/report/html/markup.hpp"
#include "libmap/report/html/node_picture.hpp"
#include "libmap/report/html/node_section.hpp"
#include "libmap/report/html/pictures.hpp"
#include "libmap/report/html/script.hpp"
#include "libmap/report/html/torus_section.hpp"
#include "libmap/report/result.hpp"

namespace rankmap {
namespace {

constexpr std::string_view picture_rules =
    ".l{stroke-width:4}.n{fill:#fff;stroke:#555;stroke-width:1}"
    "text{font:13px system-ui,sans-serif;fill:#1a1a1a}";
constexpr std::int32_t most_phase_columns = 12;

double congestion(const MappingTraffic& mapping) {
  double sum = 0;
  for (const double seconds : mapping.phase_seconds) sum += seconds;
  return sum;
}

std::string cell(const std::string& text, bool best = false) {
  return std::string("<td class=\"r") + (best ? " best" : "") + "\">" + text + "</td>";
}

std::string heading(const std::string& text) {
  return "<th class=\"r\">" + text + "</th>";
}

// A row a mapping; the least of each column in bold.
std::string score_table(std::span<const MappingTraffic> mappings) {
  std::vector<std::string> names = {"congestion, s"};
  std::vector<std::vector<double>> columns(1);
  for (const MappingTraffic& mapping : mappings) columns[0].push_back(congestion(mapping));
  const std::size_t phases = mappings.front().phase_seconds.size();
  const bool by_phase = phases > 1 && phases <= most_phase_columns;
  for (std::size_t phase = 0; by_phase && phase < phases; ++phase) {
    names.push_back("phase " + std::to_string(phase) + ", s");
    columns.emplace_back();
    for (const MappingTraffic& mapping : mappings)
      columns.back().push_back(mapping.phase_seconds[phase]);
  }
  names.insert(names.end(), {"hop-bytes", "off-node bytes", "max dilation"});
  columns.resize(names.size());
  for (const MappingTraffic& mapping : mappings) {
    columns[names.size() - 3].push_back(static_cast<double>(mapping.hop_bytes));
    columns[names.size() - 2].push_back(static_cast<double>(mapping.off_node_bytes));
    columns[names.size() - 1].push_back(mapping.max_dilation);
  }
  std::string html = "<div class=\"scroll\"><table id=\"scores\"><tr><th>mapping</th>";
  for (const std::string& name : names) html += heading(name);
  html += "</tr>";
  for (std::size_t i = 0; i < mappings.size(); ++i) {
    html += "<tr><th scope=\"row\">" + escaped(mappings[i].name) + "</th>";
    for (const std::vector<double>& column : columns)
      html += cell(column[i] < 1000 ? short_number(column[i]) : format_real(column[i]),
                   column[i] == *std::min_element(column.begin(), column.end()));
    html += "</tr>";
  }
  html += "</table></div>";
  if (phases > most_phase_columns)
    html += "<p>The congestion is the sum over " + std::to_string(phases) + " phases.</p>";
  return html;
}

std::string pairs_text(const HotLink& link) {
  std::string text;
  for (const GuiltyPair& pair : link.pairs)
    text += (text.empty() ? "" : ", ") + std::to_string(pair.source) + "\u2192" +
            std::to_string(pair.destination) + " (" + readable_bytes(pair.bytes) + ")";
  if (link.all_pairs > link.pairs.size())
    text += ", and " + std::to_string(link.all_pairs - link.pairs.size()) + " pairs more";
  return text;
}

std::string hottest_table(const Machine& machine, const MappingTraffic& mapping) {
  std::string html = "<h3>" + escaped(mapping.name) + "</h3>";
  if (mapping.hottest.empty()) return html + "<p>No link carries anything.</p>";
  html += "<div class=\"scroll\"><table class=\"hottest\"><tr><th>link</th>" + heading("bytes") +
          heading("seconds") + "<th>rank pairs that load it</th></tr>";
  for (const HotLink& link : mapping.hottest)
    html += "<tr><td>" + escaped(machine.link_name(link.link)) + "</td>" +
            cell(readable_bytes(link.bytes)) + cell(short_number(link.seconds)) + "<td>" +
            pairs_text(link) + "</td></tr>";
  return html + "</table></div>";
}

std::string section(const std::string& title, const std::string& content) {
  return "<section><h2>" + title + "</h2>" + content + "</section>\n";
}

// An <svg> that stands alone.
std::string with_rules(std::string svg) {
  svg.insert(svg.find('>') + 1, "<style>svg{background:#fff}" + std::string(picture_rules) +
                                    std::string(colour_rules()) + std::string(node_rules()) +
                                    "</style>");
  return svg + "\n";
}

// Line ends stay.
std::string escaped_lines(const std::string& text) {
  std::string safe;
  for (const std::string_view line : split_lines(text)) safe += escaped(line) + "\n";
  return safe;
}

std::string counted(std::int64_t number, const std::string& what) {
  return std::to_string(number) + " " + what + (number == 1 ? "" : "s");
}

std::string machine_counts(const Machine& machine) {
  return counted(machine.nodes(), "node") + ", " + counted(machine.slots(), "slot") + ", " +
         counted(machine.links(), "link");
}

std::string page_start(const std::string& title, const std::string& counts) {
  return "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>" + title +
         "</title><style>" + std::string(page_style) + std::string(picture_rules) +
         std::string(colour_rules()) + std::string(node_rules()) + "</style></head>\n<body><h1>" +
         title + "</h1><p>" + counts + "</p>\n";
}

}  // namespace

std::string html_machine_page(const Machine& machine) {
  return page_start(escaped(machine.name()), machine_counts(machine)) +
         section("Inside a node", node_section(machine)) +
         section("All of it", "<pre>" + escaped_lines(machine_text(machine)) + "</pre>") +
         "</body></html>\n";
}

std::string node_svg(const Machine& machine) {
  const std::string reason = node_not_drawn(machine);
  if (!reason.empty()) throw Infeasible("no picture of " + machine.name() + ": " + reason);
  std::string svg = node_picture(machine, {});
  svg.insert(svg.find(' '), " xmlns=\"http://www.w3.org/2000/svg\"");
  return with_rules(std::move(svg));
}

std::string html_page(const CommGraph& app, const Machine& machine,
                      std::span<const MappingTraffic> mappings) {
  if (mappings.empty()) throw Bug("a page about no mappings");
  const std::string title = escaped(app.name) + " on " + escaped(machine.name());
  std::string html =
      page_start(title, counted(app.ranks(), "rank") + ", " + machine_counts(machine));
  html += section("Scores", score_table(mappings));
  bool drawn = false;
  if (const Torus* torus = torus_of(machine)) {
    const std::string reason = too_large_to_draw(*torus);
    drawn = reason.empty();
    html += section("Traffic on the torus", drawn ? torus_section(app, machine, mappings)
                                                  : "<p>Not drawn: " + reason + ".</p>");
  }
  if (dragonfly_of(machine) != nullptr)
    html += section("Traffic of the groups", dragonfly_section(machine, mappings));
  std::string hottest = "<p>By seconds = bytes / bandwidth, all phases; at most ten a mapping.</p>";
  for (const MappingTraffic& mapping : mappings) hottest += hottest_table(machine, mapping);
  html += section("Hottest links", hottest);
  if (!machine.model().bare)
    html += section("Inside a node", used_nodes_section(machine, mappings));
  html += section("Bytes between ranks", rank_matrix(app));
  if (drawn) html += "<script>" + std::string(page_script) + "</script>";
  return html + "</body></html>\n";
}

std::string traffic_svg(const Machine& machine, std::span<const MappingTraffic> mappings) {
  const Torus* torus = torus_of(machine);
  const std::string reason = torus == nullptr
                                 ? "its network is no torus or mesh, expected one with "
                                   "axes to draw"
                                 : too_large_to_draw(*torus);
  if (!reason.empty()) throw Infeasible("no picture of " + machine.name() + ": " + reason);
  return with_rules(torus_svg(machine, mappings));
}

}  // namespace rankmap
