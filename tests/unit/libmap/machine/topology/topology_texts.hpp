// Small topologies in the texts of Slurm, and how tests see what was read.
#pragma once

#include <string>

#include "libmap/machine/topology/switch_topology.hpp"

namespace rankmap::test {

// Five nodes below one leaf, three below another, two below a third; the last is above alone.
inline constexpr const char* uneven_conf =
    "# of no cluster in particular\n"
    "SwitchName=leaf0 Nodes=n[0-4] LinkSpeed=2\n"
    "SwitchName=leaf1 Nodes=n[5-7]\n"
    "SwitchName=leaf2 Nodes=n8,n9 LinkSpeed=4\n"
    "SwitchName=spine0 Switches=leaf[0-1]\n"
    "SwitchName=core Switches=spine0,leaf2\n";

// "n0 leaf0 spine0 core\n...": each host and the switches above it.
std::string ways_up(const SwitchTopology& topology);
// What the text is refused with; "" if it is not.
std::string refusal_of(const std::string& text);

}  // namespace rankmap::test
