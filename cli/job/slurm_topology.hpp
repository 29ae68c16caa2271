// What Slurm tells of the switches above the nodes of this allocation.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "libmap/machine/topology/switch_topology.hpp"

namespace rankmap::cli {

// What `scontrol show topology` prints; where it cannot be asked, topology.yaml or topology.conf beside
// the file of SLURM_CONF (/etc/slurm otherwise). nullopt: Slurm knows no switches, or they cannot be
// read; why is in the notes where that is a loss.
std::optional<SwitchTopology> topology_of_slurm(std::vector<std::string>& notes);

}  // namespace rankmap::cli
