// NETWORK text -> Network: the families as rows, the keys that all of them take, partitions.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "libmap/machine/network.hpp"

namespace rankmap {

class NetworkText;

struct NetworkRow {
  std::string_view kind;
  std::string_view example;
  std::string_view summary;                // one line, for help
  std::span<const std::string_view> keys;  // of this family
  // `nodes` of the machine where they are known (NAMExCOUNT), else 0. The keys are known to be
  // among the row's and the common ones.
  std::shared_ptr<const Network> (*make)(const NetworkText& text, NodeId nodes);
};
std::span<const NetworkRow> network_rows();

struct ParsedNetwork {
  std::shared_ptr<const Network> network;
  std::optional<int> slots;  // of an endpoint, where the text tells them
};

// Whether the text begins with a family's name and ":", "," or nothing behind it.
bool is_network_text(std::string_view text);

// UsageError says what was found in the text and what was expected.
ParsedNetwork parse_network(const std::string& text, NodeId nodes = 0);

// The network with rails= NICs a node where the text says so; `ports` are the endpoints of a
// switch.
std::shared_ptr<const Network> railed(const NetworkText& text,
                                      std::shared_ptr<const Network> network, int ports);

// The families of the rows.
std::shared_ptr<const Network> make_flat(const NetworkText& text, NodeId nodes);
std::shared_ptr<const Network> make_torus(const NetworkText& text, NodeId nodes);
std::shared_ptr<const Network> make_mesh(const NetworkText& text, NodeId nodes);
std::shared_ptr<const Network> make_tree(const NetworkText& text, NodeId nodes);
std::shared_ptr<const Network> make_fat_tree(const NetworkText& text, NodeId nodes);
std::shared_ptr<const Network> make_dragonfly(const NetworkText& text, NodeId nodes);
std::shared_ptr<const Network> make_nvlink(const NetworkText& text, NodeId nodes);

}  // namespace rankmap
