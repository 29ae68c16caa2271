#include "libmap/report/html/dragonfly_section.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <utility>

#include "libmap/report/html/markup.hpp"
#include "libmap/report/html/pictures.hpp"

namespace rankmap {
namespace {

constexpr int most_groups = 80, radius = 150, centre = 180;

struct Busiest {
  double bytes = 0;    // of all links between the two groups, both directions
  double seconds = 0;  // of the busiest of them
};

// By the two groups, the lower first; equal: inside one.
using ByGroups = std::map<std::pair<int, int>, Busiest>;

ByGroups by_groups(const Machine& machine, const Dragonfly& dragonfly,
                   const std::vector<double>& loads) {
  ByGroups sums;
  const LinkId first = machine.links() - dragonfly.links();
  for (LinkId link = 0; link < dragonfly.links(); ++link) {
    const double bytes = loads[static_cast<std::size_t>(first + link)];
    if (bytes <= 0) continue;
    const auto [from, to] = dragonfly.groups_of(link);
    Busiest& sum = sums[{std::min(from, to), std::max(from, to)}];
    sum.bytes += bytes;
    sum.seconds =
        std::max(sum.seconds, bytes / static_cast<double>(dragonfly.link(link).bytes_per_second));
  }
  return sums;
}

std::string number(double value) {
  return std::to_string(static_cast<int>(std::lround(value)));
}

struct Point {
  double x, y;
  std::string text() const { return number(x) + " " + number(y); }
};

Point place_of(int group, int groups) {
  const double angle = 2 * std::numbers::pi * group / groups - std::numbers::pi / 2;
  return {centre + radius * std::cos(angle), centre + radius * std::sin(angle)};
}

std::string title_of(const std::string& what, const Busiest& sum) {
  return "<title>" + what + ": " + readable_bytes(sum.bytes) + ", busiest link " +
         short_number(sum.seconds) + " s</title>";
}

std::string picture(int groups, const ByGroups& sums, double most) {
  std::string chords, circles;
  for (const auto& [pair, sum] : sums) {
    const auto [a, b] = pair;
    if (a == b) continue;
    chords += "<path class=\"l " + colour_class(sum.seconds, most) +
              "\" style=\"fill:none;stroke-width:2\" d=\"M" + place_of(a, groups).text() + " Q" +
              number(centre) + " " + number(centre) + " " + place_of(b, groups).text() + "\">" +
              title_of("groups " + std::to_string(a) + " and " + std::to_string(b), sum) +
              "</path>";
  }
  const int size = groups <= 24 ? 13 : 6;
  for (int group = 0; group < groups; ++group) {
    const Point at = place_of(group, groups);
    const auto found = sums.find({group, group});
    const Busiest inside = found == sums.end() ? Busiest{} : found->second;
    circles += "<circle class=\"g " + colour_class(inside.seconds, most) + "\" cx=\"" +
               number(at.x) + "\" cy=\"" + number(at.y) + "\" r=\"" + std::to_string(size) + "\">" +
               title_of("inside group " + std::to_string(group), inside) + "</circle>";
    const Point label{centre + (at.x - centre) * 1.15, centre + (at.y - centre) * 1.15 + 4};
    if (groups <= 24 || group % 8 == 0)
      circles += "<text text-anchor=\"middle\" x=\"" + number(label.x) + "\" y=\"" +
                 number(label.y) + "\">" + std::to_string(group) + "</text>";
  }
  const std::string side = std::to_string(2 * centre);
  return "<svg class=\"groups\" role=\"img\" aria-label=\"groups\" width=\"" + side +
         "\" height=\"" + side + "\">" + chords + circles + "</svg>";
}

}  // namespace

const Dragonfly* dragonfly_of(const Machine& machine) {
  return dynamic_cast<const Dragonfly*>(machine.network());
}

std::string dragonfly_section(const Machine& machine, std::span<const MappingTraffic> mappings) {
  const Dragonfly& dragonfly = *dragonfly_of(machine);
  if (dragonfly.groups() > most_groups)
    return "<p>Not drawn: " + std::to_string(dragonfly.groups()) + " groups, at most " +
           std::to_string(most_groups) + " are.</p>";
  std::vector<ByGroups> sums;
  double most = 0;
  for (const MappingTraffic& mapping : mappings) {
    sums.push_back(by_groups(machine, dragonfly, mapping.total));
    for (const auto& [pair, sum] : sums.back()) most = std::max(most, sum.seconds);
  }
  std::string html =
      "<p>Circles are groups, chords all links between two of them; colours: the busiest link "
      "among them, all phases. " +
      colour_legend("0", short_number(most) + " s, the same range for all mappings") + "</p>";
  for (std::size_t i = 0; i < mappings.size(); ++i)
    html += "<figure><figcaption>" + escaped(mappings[i].name) + "</figcaption>" +
            picture(dragonfly.groups(), sums[i], most) + "</figure>";
  return html;
}

}  // namespace rankmap
