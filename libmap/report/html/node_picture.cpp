#include "libmap/report/html/node_picture.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "libmap/report/html/markup.hpp"
#include "libmap/report/text_table.hpp"

namespace rankmap {
namespace {

constexpr int most_slots = 64;
constexpr int pitch = 84, row_height = 62, box_width = 72, box_height = 26, margin = 14;

std::size_t at(std::int64_t index) {
  return static_cast<std::size_t>(index);
}

// Rows from the slots down; NICs stand among the slots, link switches above.
int row_of(HubKind kind) {
  struct Row {
    HubKind kind;
    int row;
  };
  constexpr Row rows[] = {{HubKind::link_switch, -1}, {HubKind::nic, 0},  {HubKind::pcie_switch, 1},
                          {HubKind::host_bridge, 2},  {HubKind::numa, 3}, {HubKind::package, 4},
                          {HubKind::system, 5}};
  for (const Row& row : rows)
    if (row.kind == kind) return row.row;
  return 1;
}

class NodePicture {
 public:
  NodePicture(const Machine& machine, const NodePaint& paint)
      : machine_(machine), model_(machine.model()), paint_(paint), x_(at(model_.vertices()), -1.0) {
    for (const Connection& row : model_.connections)
      if (!is_direct(row)) {
        neighbours_[row.a].push_back(row.b);
        neighbours_[row.b].push_back(row.a);
      }
    place_leaves();
    place_hubs();
    take_rows();
    take_height();
  }

  std::string svg() const {
    const int width = 2 * margin + pitch * std::max(1, static_cast<int>(leaves_));
    const int height = y_of_row(rows_.empty() ? 0 : rows_.rbegin()->first) + box_height + margin;
    const std::string size = std::to_string(width) + "\" height=\"" + std::to_string(height);
    std::string text = "<svg class=\"node\" role=\"img\" aria-label=\"node\" viewBox=\"0 0 " +
                       std::to_string(width) + " " + std::to_string(height) + "\" width=\"" + size +
                       "\">";
    for (std::size_t i = 0; i < model_.connections.size(); ++i) text += link(i);
    for (VertexId vertex = 0; vertex < model_.vertices(); ++vertex) text += box(vertex);
    return text + "</svg>";
  }

 private:
  bool is_slot(VertexId vertex) const { return vertex < model_.slots(); }
  const Hub& hub(VertexId vertex) const { return model_.hubs[at(vertex - model_.slots())]; }
  int row(VertexId vertex) const { return is_slot(vertex) ? 0 : row_of(hub(vertex).kind); }
  bool is_direct(const Connection& row) const {
    const bool over_switch = (!is_slot(row.a) && hub(row.a).kind == HubKind::link_switch) ||
                             (!is_slot(row.b) && hub(row.b).kind == HubKind::link_switch);
    return over_switch || (is_slot(row.a) && is_slot(row.b));
  }

  // Slots and NICs in the order in which a walk through the tree meets them, from its lowest row
  // up.
  void place_leaves() {
    std::vector<VertexId> order;
    for (VertexId vertex = 0; vertex < model_.vertices(); ++vertex) order.push_back(vertex);
    std::stable_sort(order.begin(), order.end(),
                     [&](VertexId a, VertexId b) { return row(a) > row(b); });
    std::vector<bool> seen(at(model_.vertices()), false);
    for (const VertexId root : order) walk(root, seen);
  }

  void walk(VertexId vertex, std::vector<bool>& seen) {
    if (seen[at(vertex)]) return;
    seen[at(vertex)] = true;
    if (row(vertex) == 0) x_[at(vertex)] = static_cast<double>(leaves_++);
    const auto found = neighbours_.find(vertex);
    if (found == neighbours_.end()) return;
    for (const VertexId next : found->second)
      if (row(next) <= row(vertex)) walk(next, seen);
  }

  // Each over the middle of what it joins in the rows above, these first.
  void place_hubs() {
    std::vector<VertexId> order;
    for (VertexId vertex = model_.slots(); vertex < model_.vertices(); ++vertex)
      if (row(vertex) != 0) order.push_back(vertex);
    std::stable_sort(order.begin(), order.end(),
                     [&](VertexId a, VertexId b) { return std::abs(row(a)) < std::abs(row(b)); });
    for (const VertexId vertex : order) {
      double sum = 0;
      int count = 0;
      for (const Connection& connection : model_.connections) {
        const VertexId other = connection.a == vertex   ? connection.b
                               : connection.b == vertex ? connection.a
                                                        : none;
        if (other == none || x_[at(other)] < 0 || std::abs(row(other)) >= std::abs(row(vertex)))
          continue;
        sum += x_[at(other)];
        ++count;
      }
      x_[at(vertex)] = count == 0 ? 0 : sum / count;
    }
  }

  // Rows that are used stand one below the other; boxes of a row keep their distance.
  void take_rows() {
    std::map<int, std::vector<VertexId>> members;
    for (VertexId vertex = 0; vertex < model_.vertices(); ++vertex)
      members[row(vertex)].push_back(vertex);
    int next = 0;
    for (auto& [row, vertices] : members) {
      rows_[row] = next++;
      std::stable_sort(vertices.begin(), vertices.end(),
                       [&](VertexId a, VertexId b) { return x_[at(a)] < x_[at(b)]; });
      for (std::size_t i = 1; i < vertices.size(); ++i)
        x_[at(vertices[i])] = std::max(x_[at(vertices[i])], x_[at(vertices[i - 1])] + 1);
    }
  }

  // Of the arcs: the widest of them.
  void take_height() {
    for (const Connection& row : model_.connections)
      if (is_slot(row.a) && is_slot(row.b)) arcs_ = std::max(arcs_, arc_height(row));
  }

  int arc_height(const Connection& row) const {
    return 14 + static_cast<int>(14 * std::abs(x_[at(row.a)] - x_[at(row.b)]));
  }
  int x(VertexId vertex) const {
    return margin + pitch / 2 + static_cast<int>(std::lround(pitch * x_[at(vertex)]));
  }
  int y_of_row(int row) const {
    const int below = row < 0 ? 0 : arcs_;
    return margin + below + row_height * rows_.at(row);
  }
  int y(VertexId vertex) const { return y_of_row(row(vertex)); }

  // Both directions together; the wider, the more lanes.
  std::string link(std::size_t i) const {
    const Connection& row = model_.connections[i];
    const double gbps = to_gbps(row.bytes_per_second);
    std::string title = model_.vertex_name(row.a) + " - " + model_.vertex_name(row.b) + ": " +
                        name_of(row.kind) + ", " + std::to_string(row.count) +
                        (row.count == 1 ? " lane, " : " lanes, ") + readable(gbps) + " GB/s";
    std::string colour = "k" + std::to_string(std::clamp(colour_of(gbps), 1, colour_steps));
    if (!paint_.loads.empty()) {
      const double bytes = load_of(i);
      title += ", " + readable_bytes(bytes) + " both ways";
      colour = colour_class(bytes, most_load());
    }
    const int thick = std::clamp(row.count, 1, 4) + 1;
    const std::string start =
        "<path class=\"l " + colour +
        "\" fill=\"none\" style=\"fill:none;stroke-width:" + std::to_string(thick) + "\" d=\"M";
    const auto point = [](int px, int py) { return std::to_string(px) + " " + std::to_string(py); };
    const int ax = x(row.a), bx = x(row.b), ay = y(row.a), by = y(row.b);
    std::string path;
    if (is_slot(row.a) && is_slot(row.b)) {
      const int top =
          ay - arc_height(row) * 4 / 3;  // of the control points: the arc itself ends lower
      path = point(ax, ay) + " C" + point(ax, top) + " " + point(bx, top) + " " + point(bx, by);
    } else {
      path = point(ax, edge(ay, by)) + " L" + point(bx, edge(by, ay));
    }
    return start + path + "\"><title>" + escaped(title) + "</title></path>";
  }

  // Where a line leaves a box for another at that height.
  static int edge(int y, int other) {
    return y == other ? y + box_height / 2 : y < other ? y + box_height : y;
  }

  // Steps of the logarithm: 1 GB/s and 1000 GB/s are the ends.
  static int colour_of(double gbps) {
    return 1 +
           static_cast<int>(std::lround(std::log10(std::max(1.0, gbps)) / 3 * (colour_steps - 1)));
  }

  double load_of(std::size_t connection) const {
    double bytes = 0;
    for (const auto& [link, index] : links_of_node())
      if (index == connection) bytes += paint_.loads[at(link)];
    return bytes;
  }
  double most_load() const {
    double most = 0;
    for (std::size_t i = 0; i < model_.connections.size(); ++i) most = std::max(most, load_of(i));
    return most;
  }
  // The links of the painted node that are a direction of a connection, and which.
  const std::vector<std::pair<LinkId, std::size_t>>& links_of_node() const {
    if (!node_links_.empty()) return node_links_;
    for (LinkId link = 0; link < machine_.links(); ++link) {
      const LinkRow row = machine_.link(link);
      if (row.node == paint_.node && row.connection != none)
        node_links_.emplace_back(link, at(row.connection));
    }
    return node_links_;
  }

  std::string box(VertexId vertex) const {
    const int left = x(vertex) - box_width / 2;
    const std::string where =
        "\" x=\"" + std::to_string(left) + "\" y=\"" + std::to_string(y(vertex));
    const auto text = [&](int down, const std::string& words, const char* kind) {
      return std::string("<text class=\"") + kind + "\" text-anchor=\"middle\" x=\"" +
             std::to_string(x(vertex)) + "\" y=\"" + std::to_string(y(vertex) + down) + "\">" +
             escaped(words) + "</text>";
    };
    std::string svg = std::string("<rect class=\"") + (is_slot(vertex) ? "s" : "h") + where +
                      "\" rx=\"5\" width=\"" + std::to_string(box_width) + "\" height=\"" +
                      std::to_string(box_height) + "\"/>" +
                      text(17, short_name(model_.vertex_name(vertex)), "b");
    if (is_slot(vertex) && at(vertex) < paint_.slot_notes.size() &&
        !paint_.slot_notes[at(vertex)].empty())
      svg += text(box_height + 14, paint_.slot_notes[at(vertex)], "note");
    return svg;
  }

  static std::string short_name(const std::string& name) {
    constexpr std::size_t most = 10;
    const std::string plain = name.starts_with("nic:") ? name.substr(4) : name;
    return plain.size() > most ? plain.substr(0, most - 1) + "." : plain;
  }

  const Machine& machine_;
  const NodeModel& model_;
  const NodePaint& paint_;
  std::map<VertexId, std::vector<VertexId>> neighbours_;  // along the tree
  std::vector<double> x_;                                 // in pitches; of leaves their number
  std::size_t leaves_ = 0;
  std::map<int, int> rows_;  // of each row that is used: which it is from the top
  int arcs_ = 0;
  mutable std::vector<std::pair<LinkId, std::size_t>> node_links_;
};

}  // namespace

std::string node_not_drawn(const Machine& machine) {
  if (machine.model().bare)
    return "the slots of this machine are places alone, with nothing inside";
  if (machine.slots_per_node() <= most_slots) return "";
  return "a node has " + std::to_string(machine.slots_per_node()) + " slots, at most " +
         std::to_string(most_slots) + " are drawn";
}

std::string node_picture(const Machine& machine, const NodePaint& paint) {
  return NodePicture(machine, paint).svg();
}

std::string slot_matrix(const Machine& machine) {
  constexpr int most = 32;
  const int slots = machine.slots_per_node();
  const std::string name = machine.has_gpus() ? "GPU" : "core";
  if (slots > most)
    return "<p>" + std::to_string(slots) + " slots: too many for a table, at most " +
           std::to_string(most) + ".</p>";
  BytesPerSecond widest = 1;
  for (int a = 0; a < slots; ++a)
    for (int b = 0; b < slots; ++b) widest = std::max(widest, machine.pair_bandwidth(a, b));
  std::string html = "<div class=\"scroll\"><table class=\"pairs\"><tr><th>GB/s</th>";
  for (int b = 0; b < slots; ++b) html += "<th class=\"r\">" + name + std::to_string(b) + "</th>";
  html += "</tr>";
  for (int a = 0; a < slots; ++a) {
    html += "<tr><th scope=\"row\">" + name + std::to_string(a) + "</th>";
    for (int b = 0; b < slots; ++b) {
      const BytesPerSecond wide = machine.pair_bandwidth(a, b);
      const std::string colour =
          colour_class(static_cast<double>(wide), static_cast<double>(widest));
      html +=
          a == b ? "<td></td>"
                 : "<td class=\"r t" + colour.substr(1) + "\">" + readable(to_gbps(wide)) + "</td>";
    }
    html += "</tr>";
  }
  return html + "</table></div>";
}

}  // namespace rankmap
