// A job's part of a larger network, and nodes with several NICs on different switches.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "libmap/machine/network.hpp"

namespace rankmap {

// The network `inner`, of which only some endpoints are the machine's: rail i of node n is the
// inner endpoint seats[n * rails + i]. All of its links stay, the routes are its own.
std::shared_ptr<const Network> seated(std::shared_ptr<const Network> inner, std::string text,
                                      std::vector<EndpointId> seats, int rails, NetworkShape shape);

// `rails` NICs a node, each on a switch of its own: of `rails` neighbouring switches of `ports`
// endpoints each, the i-th holds NIC i of all nodes there. inner: one rail, endpoints a multiple of
// ports * rails.
std::shared_ptr<const Network> with_rails(std::shared_ptr<const Network> inner, std::string text,
                                          int ports, int rails);

// The job's nodes, in its order: node i of the machine is nodes[i] of `inner`, each at most once.
std::shared_ptr<const Network> part_of(std::shared_ptr<const Network> inner, std::string text,
                                       const std::vector<NodeId>& nodes);

// The blocks of `whole` as far as those nodes fill them evenly; what is uneven is one block.
NetworkShape shape_of_part(const NetworkShape& whole, const std::vector<NodeId>& nodes);

}  // namespace rankmap
