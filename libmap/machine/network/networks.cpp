#include "libmap/machine/network/networks.hpp"

#include <algorithm>
#include <array>

#include "libmap/base/error.hpp"
#include "libmap/base/text.hpp"
#include "libmap/machine/network/domain.hpp"
#include "libmap/machine/network/network_text.hpp"
#include "libmap/machine/network/seats.hpp"

namespace rankmap {
namespace {

using Keys = std::string_view;
constexpr std::array<Keys, 4> flat_keys = {"gbps", "slots", "part", "domain"};
constexpr std::array<Keys, 8> torus_keys = {"mesh", "gbps", "routing", "order",
                                            "tie",  "box",  "slots",   "part"};
constexpr std::array<Keys, 7> mesh_keys = {"gbps", "routing", "order", "tie",
                                           "box",  "slots",   "part"};
constexpr std::array<Keys, 3> tree_keys = {"distance", "gbps", "part"};
constexpr std::array<Keys, 7> fat_tree_keys = {"up",    "gbps", "routing", "rails",
                                               "slots", "part", "domain"};
constexpr std::array<Keys, 12> dragonfly_keys = {"groups", "routers", "nodes", "global",
                                                 "links",  "local",   "gbps",  "routing",
                                                 "rails",  "slots",   "part",  "domain"};
constexpr std::array<Keys, 2> nvlink_keys = {"gbps", "slots"};

constexpr std::array<NetworkRow, 7> rows = {{
    {"flat", "flat:16", "a switch that never blocks; the NICs limit", flat_keys, make_flat},
    {"torus", "torus:8x8x8", "rings in every dimension", torus_keys, make_torus},
    {"mesh", "mesh:8x8", "open lines in every dimension", mesh_keys, make_mesh},
    {"tree", "tree:4:8:6,distance=1:10:100",
     "a tree, innermost first; the first number is the slots of a node", tree_keys, make_tree},
    {"fattree", "fattree:8:8:4,up=8:4", "a fat tree, innermost first", fat_tree_keys,
     make_fat_tree},
    {"dragonfly", "dragonfly:groups=9,routers=16x6,nodes=4,global=4",
     "groups of routers, all groups joined", dragonfly_keys, make_dragonfly},
    {"nvlink", "nvlink:18", "one NVLink switch domain over all nodes of a rack", nvlink_keys,
     make_nvlink},
}};

const NetworkRow* row_of(std::string_view kind) {
  const auto* row = std::find_if(rows.begin(), rows.end(),
                                 [&](const NetworkRow& known) { return known.kind == kind; });
  return row == rows.end() ? nullptr : row;
}

// part=0-63,128-191: in this order, each node once.
std::vector<NodeId> node_list(const NetworkText& text, NodeId most) {
  const std::string& list = *text.value("part");
  const auto refuse = [&](const std::string& expected) { text.refuse("part=" + list, expected); };
  std::vector<bool> seen(static_cast<std::size_t>(most), false);
  std::vector<NodeId> nodes;
  for (const std::string_view part : split(list, ',')) {
    const std::size_t dash = part.find('-');
    const auto first = parse_integer(part.substr(0, dash));
    const auto last = dash == part.npos ? first : parse_integer(part.substr(dash + 1));
    if (!first || !last || *first < 0 || *last < *first || *last >= most)
      refuse("nodes from 0 to " + std::to_string(most - 1) + " as in 0-3,8");
    for (auto node = static_cast<NodeId>(*first); node <= *last; ++node) {
      if (seen[static_cast<std::size_t>(node)])
        refuse("each node once, but " + std::to_string(node) + " is there twice");
      seen[static_cast<std::size_t>(node)] = true;
      nodes.push_back(node);
    }
  }
  return nodes;
}

std::optional<int> slots_of(const NetworkText& text) {
  constexpr int most_slots_of_an_endpoint = 1024;
  if (text.kind() != "tree") return text.integer("slots", 1, most_slots_of_an_endpoint);
  const int slots = text.extents(':', "tree:4:8:6").front();
  if (slots > most_slots_of_an_endpoint)
    text.refuse(text.sizes(), "at most " + std::to_string(most_slots_of_an_endpoint) +
                                  " slots of a node, the first number");
  return slots;
}

}  // namespace

std::shared_ptr<const Network> railed(const NetworkText& text,
                                      std::shared_ptr<const Network> network, int ports) {
  constexpr int most_rails = 64;
  const int rails = text.integer("rails", 1, most_rails).value_or(1);
  if (rails == 1) return network;
  const std::int64_t block = std::int64_t{ports} * rails;
  if (network->nodes() % block != 0)
    text.refuse("rails=" + std::to_string(rails),
                "a number of switches that it divides: there are " +
                    std::to_string(network->nodes() / ports));
  return with_rails(std::move(network), text.text(), ports, rails);
}

std::span<const NetworkRow> network_rows() {
  return rows;
}

bool is_network_text(std::string_view text) {
  const std::string_view kind = text.substr(0, text.find_first_of(":,"));
  return row_of(kind) != nullptr;
}

ParsedNetwork parse_network(const std::string& text, NodeId nodes) {
  const NetworkText parts(text);
  const NetworkRow* row = row_of(parts.kind());
  if (row == nullptr) {
    std::vector<std::string> kinds;
    for (const NetworkRow& known : rows) kinds.emplace_back(known.kind);
    throw UsageError::unknown("network", parts.kind(), kinds);
  }
  parts.expect_keys(row->keys);
  ParsedNetwork parsed{row->make(parts, nodes), slots_of(parts)};
  const bool is_whole = parts.value("part") == nullptr;
  if (!is_whole)
    parsed.network = part_of(parsed.network, text, node_list(parts, parsed.network->nodes()));
  if (const auto domain = parts.integer("domain", 1, parsed.network->nodes()))
    parsed.network = with_domain(parsed.network, *domain, is_whole);
  return parsed;
}

}  // namespace rankmap
