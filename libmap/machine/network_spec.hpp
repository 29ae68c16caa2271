// What stands behind @ in a machine's SPEC: a NETWORK, a file of one, a name of share/networks, or a
// file that tells the switches of a cluster.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "libmap/machine/machine.hpp"
#include "libmap/machine/topology/switch_topology.hpp"

namespace rankmap {

struct NetworkSpec {
  std::string written;
  std::string text;                        // the NETWORK; "" where it is a topology
  std::optional<SwitchTopology> topology;  // with the keys that may stand behind its file:
  BytesPerSecond speed = 0;  // gbps=, of a link of LinkSpeed 1 and of a bare port; 0: none
  std::optional<int> slots;  // slots=
};

// FILE or NAME may have keys behind it: `mira,part=0-511`, `topology.conf,gbps=50`. A file comes before
// a name of share_directory/networks. UsageError: a key that is none; InputError: a file is refused.
NetworkSpec read_network_spec(const std::string& written, const std::string& share_directory);

// Nodes of that model on the network. `count` 0: as many as the network has, on a topology as many as
// `hosts`, else all. On a topology the nodes are called `hosts`, where none are given the first hosts
// that it lists. What was assumed is among the model's warnings. UsageError: numbers or hosts that do
// not go together.
Machine machine_on(NodeModel model, NodeId count, const NetworkSpec& network,
                   std::vector<std::string> hosts);
// The same on the switches that a resource manager told.
Machine machine_on_switches(NodeModel model, const SwitchTopology& topology,
                            const std::string& text, std::vector<std::string> hosts,
                            BytesPerSecond speed = 0);

}  // namespace rankmap
