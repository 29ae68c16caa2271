#include "libmap/report/html/torus_groups.hpp"

#include <algorithm>

#include "libmap/report/html/markup.hpp"

namespace rankmap {
namespace {

constexpr std::size_t most_groups = 256, most_numbers = 200'000;

// The edges of every group, by group.
std::vector<std::vector<Edge>> edges_by_group(const CommGraph& app, std::size_t groups) {
  std::vector<std::vector<Edge>> edges(groups);
  for (const Edge& edge : app.edges())
    if (edge.group != none && static_cast<std::size_t>(edge.group) < groups)
      edges[static_cast<std::size_t>(edge.group)].push_back(edge);
  return edges;
}

std::vector<std::size_t> lines_used(const Machine& machine, const Torus& torus,
                                    const Mapping& mapping, const std::vector<Edge>& edges) {
  std::vector<double> loads(static_cast<std::size_t>(machine.links()), 0);
  for (const Edge& edge : edges)
    machine.add_load(mapping[edge.source], mapping[edge.destination], 1, loads);
  const auto of_torus = std::span<const double>(loads).subspan(
      static_cast<std::size_t>(machine.links() - torus.links()));
  std::vector<std::size_t> used;
  std::size_t line = 0;
  for (const TorusView& view : torus_views(torus))
    for (const ViewLine& of : view_lines(torus, view, of_torus)) {
      if (of.mean[0] > 0 || of.mean[1] > 0) used.push_back(line);
      ++line;
    }
  return used;
}

std::string numbers(const std::vector<std::size_t>& values) {
  std::string text;
  for (const std::size_t value : values) text += (text.empty() ? "" : ",") + std::to_string(value);
  return "[" + text + "]";
}

}  // namespace

std::string group_controls(const CommGraph& app, const Machine& machine, const Torus& torus,
                           std::span<const MappingTraffic> mappings) {
  if (app.groups().empty()) return "";
  const std::size_t groups = std::min(most_groups, app.groups().size());
  const std::vector<std::vector<Edge>> edges = edges_by_group(app, groups);
  std::string options, data;
  std::size_t told = 0, count = 0;
  for (; told < groups && count < most_numbers; ++told) {
    std::string of_group;
    for (const MappingTraffic& mapping : mappings) {
      const std::vector<std::size_t> used =
          lines_used(machine, torus, mapping.mapping, edges[told]);
      count += used.size();
      of_group += (of_group.empty() ? "" : ",") + numbers(used);
    }
    data += (told == 0 ? "[" : ",[") + of_group + "]";
    options += "<option value=\"" + std::to_string(told) + "\">" +
               escaped(app.groups()[told].name) + "</option>";
  }
  const std::string left_out = told == app.groups().size()
                                   ? ""
                                   : " (the first " + std::to_string(told) + " of " +
                                         std::to_string(app.groups().size()) + ")";
  return "<p class=\"controls\"><label>Communicator" + left_out +
         " <select id=\"group\"><option value=\"\">none by itself</option>" + options +
         "</select></label></p><script type=\"application/json\" id=\"groups\">[" + data +
         "]</script>";
}

}  // namespace rankmap
