// Nodes on a page: what is inside one, and who sits there.
#pragma once

#include <span>
#include <string>

#include "libmap/report/html/traffic.hpp"

namespace rankmap {

// The picture of a node and the bandwidths between its slots; a sentence where it is not drawn.
std::string node_section(const Machine& machine);
// Of each mapping the node whose own links carry the most, with its ranks and the bytes on its
// links; of at most four mappings.
std::string used_nodes_section(const Machine& machine, std::span<const MappingTraffic> mappings);

// Style rules of both.
std::string_view node_rules();

}  // namespace rankmap
