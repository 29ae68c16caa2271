#include "libmap/report/html/node_section.hpp"

#include <algorithm>

#include "libmap/report/html/markup.hpp"
#include "libmap/report/html/node_picture.hpp"

namespace rankmap {
namespace {

std::size_t at(std::int64_t index) {
  return static_cast<std::size_t>(index);
}

// The first of those whose own links carry the most bytes together; node 0 where none carries any.
NodeId busiest_node(const Machine& machine, const std::vector<double>& loads) {
  std::vector<double> sums(at(machine.nodes()), 0);
  for (LinkId link = 0; link < machine.links(); ++link)
    if (const NodeId node = machine.link(link).node; node != none)
      sums[at(node)] += loads[at(link)];
  return static_cast<NodeId>(std::max_element(sums.begin(), sums.end()) - sums.begin());
}

// "rank 3", "ranks 3, 11", "ranks 3, 11 + 2"
std::string note_of(const std::vector<Rank>& ranks) {
  constexpr std::size_t most = 2;
  if (ranks.empty()) return "";
  std::string text = ranks.size() == 1 ? "rank " : "ranks ";
  for (std::size_t i = 0; i < std::min(most, ranks.size()); ++i)
    text += (i == 0 ? "" : ", ") + std::to_string(ranks[i]);
  return ranks.size() > most ? text + " + " + std::to_string(ranks.size() - most) : text;
}

NodePaint paint_of(const Machine& machine, const MappingTraffic& mapping) {
  NodePaint paint{busiest_node(machine, mapping.total), {}, mapping.total};
  std::vector<std::vector<Rank>> ranks(at(machine.slots_per_node()));
  for (Rank rank = 0; rank < mapping.mapping.ranks(); ++rank) {
    const SlotId slot = mapping.mapping[rank];
    if (machine.node_of(slot) == paint.node) ranks[at(machine.local_of(slot))].push_back(rank);
  }
  for (const std::vector<Rank>& some : ranks) paint.slot_notes.push_back(note_of(some));
  return paint;
}

std::string not_drawn(const std::string& reason) {
  return "<p>Not drawn: " + escaped(reason) + ".</p>";
}

}  // namespace

std::string node_section(const Machine& machine) {
  const std::string reason = node_not_drawn(machine);
  if (!reason.empty()) return not_drawn(reason);
  return "<p>Colours: bandwidth of a link in one direction, from 1 to 1000 GB/s in equal steps of "
         "the logarithm; the "
         "wider, the more lanes.</p><div class=\"scroll\">" +
         node_picture(machine, {}) + "</div>" + slot_matrix(machine);
}

std::string used_nodes_section(const Machine& machine, std::span<const MappingTraffic> mappings) {
  const std::string reason = node_not_drawn(machine);
  if (!reason.empty()) return not_drawn(reason);
  constexpr std::size_t most = 4;
  std::string html =
      "<p>The node whose own links carry the most bytes, one of " +
      std::to_string(machine.nodes()) +
      "; colours: bytes on a link, both directions, from none to the most in that picture.</p>";
  for (const MappingTraffic& mapping : mappings.first(std::min(most, mappings.size()))) {
    const NodePaint paint = paint_of(machine, mapping);
    html += "<h3>" + escaped(mapping.name) + ", " +
            escaped(machine.host(paint.node) == "*" ? "the node" : machine.host(paint.node)) +
            "</h3><div class=\"scroll\">" + node_picture(machine, paint) + "</div>";
  }
  if (mappings.size() > most)
    html += "<p>Of " + std::to_string(mappings.size()) + " mappings the first four are drawn.</p>";
  return html;
}

std::string_view node_rules() {
  return ".node{max-width:100%;height:auto}.s{fill:#e8f0fa;stroke:#1b5fc1}.h{fill:#fff;stroke:#666}"
         "svg text.b{font-size:12px}"
         "svg text.note{font-size:12px;fill:#333}.pairs td{min-width:2.6em}"
         ".t1{background:#f2d98b}.t2{background:#efbf66}.t3{background:#e9a352}.t4{background:#"
         "de864c}"
         ".t5{background:#cb684f;color:#fff}.t6{background:#ad4d5b;color:#fff}"
         ".t7{background:#873865;color:#fff}.t8{background:#5b2763;color:#fff}"
         ".t9{background:#2a154d;color:#fff}";
}

}  // namespace rankmap
