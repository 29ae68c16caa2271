// What a source left out of a node model, and what makes a model usable.
#pragma once

#include <string>

#include "libmap/machine/node_model.hpp"

namespace rankmap {

inline constexpr double assumed_pcie_gbps = 12.0;  // x16 gen3
inline constexpr double assumed_core_gbps = 12.0;  // one core to its memory
inline constexpr double assumed_cpu_gbps = 16.0;  // between NUMA nodes, of which NCCL reaches:
inline constexpr double assumed_cpu_achieved_gbps = 10.0;
inline constexpr double assumed_nic_gbps = 12.5;   // 100 Gb/s

// Joins slots that no tree connection touches: GPUs over one PCIe hub, cores over a hub a NUMA node
// and one system hub, at assumed bandwidths that a warning names. Bare models are left alone.
void complete_tree(NodeModel& model);

// InputError{model.name}: no slots, too many, a connection out of range or without bandwidth or lanes,
// doubled hub names, a GPU's NIC that does not exist. Everything else about a model may rely on it.
void check_tables(const NodeModel& model);

// InputError{model.name}: two slots that no route joins. After complete_tree.
void check_joined(const NodeModel& model);

}  // namespace rankmap
