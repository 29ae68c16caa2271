// Switch domains of several nodes below another network: NVLink racks as leaves of a fat tree.
#pragma once

#include <memory>

#include "libmap/machine/network.hpp"

namespace rankmap {

// The network `inner`, where `domain` nodes in a row share one switch: bytes between them stay off it.
// is_whole: nodes of a block of `inner` stand in a row, as without part=; else its cuts tell nothing.
std::shared_ptr<const Network> with_domain(std::shared_ptr<const Network> inner, NodeId domain,
                                           bool is_whole);

}  // namespace rankmap
