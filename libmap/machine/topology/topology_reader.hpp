// Texts that tell the switches of a cluster -> SwitchTopology. All are Slurm's.
#pragma once

#include <string>
#include <string_view>

#include "libmap/machine/topology/switch_topology.hpp"

namespace rankmap {

// topology.yaml where the first line that is no comment begins with '-', else topology.conf or the
// output of `scontrol show topology`. `source` names the text in errors. InputError says where and
// what was expected; beyond TopologyBuilder's limits too. O(text + hosts).
SwitchTopology read_switch_topology(std::string_view text, const std::string& source);

SwitchTopology read_topology_conf(std::string_view text, const std::string& source);
// The topology that is the cluster's default, else the first; others are named in a note.
SwitchTopology read_topology_yaml(std::string_view text, const std::string& source);

}  // namespace rankmap
