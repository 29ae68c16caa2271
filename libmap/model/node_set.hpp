// The set of slots that a mapping uses on its one node; what the EffBW models are defined on.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "libmap/machine/machine.hpp"
#include "libmap/mapping/mapping.hpp"

namespace rankmap {

struct NodeSet {
  NodeId node;
  std::vector<int> locals;  // distinct local slot indices, ascending
};

// nullopt: the mapping spans nodes, or its slots are not GPUs; then `reason` (if given) says which.
std::optional<NodeSet> node_set_of(const Machine& machine, const Mapping& mapping,
                                   std::string* reason = nullptr);

}  // namespace rankmap
