// A picture of what one node is made of: its slots and NICs in a row, their links to each other as
// arcs above it, and the tree of switches, NUMA nodes and sockets below. Computed from the
// machine's tables.
#pragma once

#include <string>
#include <vector>

#include "libmap/machine/machine.hpp"

namespace rankmap {

// What is drawn in a node beside its parts.
struct NodePaint {
  NodeId node = 0;
  std::vector<std::string> slot_notes;  // below each slot, as "ranks 0, 8"; empty: none
  std::vector<double> loads;  // [link of the machine] bytes; empty: links by their bandwidth
};

// Why no picture is drawn: "" where one is. Bare nodes have nothing inside, large ones too much.
std::string node_not_drawn(const Machine& machine);

// One <svg>. Slots have class "s", hubs "h", links "l" and a title with their ends, lanes and
// bandwidth (and bytes).
std::string node_picture(const Machine& machine, const NodePaint& paint);

// A table of the bandwidth between any two slots of a node, in GB/s, a colour each. At most 32
// slots.
std::string slot_matrix(const Machine& machine);

}  // namespace rankmap
