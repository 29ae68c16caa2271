// The order among mappings of equal value.
#include <gtest/gtest.h>

#include "libmap/model/objective.hpp"
#include "model_machines.hpp"

namespace rankmap::test {
namespace {

// Four GPUs, two on either PCIe switch; both switches under one bridge, each with its NIC and NUMA node.
Machine two_switches() {
  NodeModel model;
  model.name = "two switches";
  model.gpus.resize(4);
  model.nics = {{"mlx5_0", "", 0, from_gbps(12.5)}, {"mlx5_1", "", 1, from_gbps(12.5)}};
  const VertexId bridge = model.add_hub(HubKind::host_bridge, "cpu0");
  for (int side = 0; side < 2; ++side) {
    const VertexId hub = model.add_hub(HubKind::pcie_switch, "pcie" + std::to_string(side));
    const VertexId nic = model.add_hub(HubKind::nic, "nic:mlx5_" + std::to_string(side));
    model.connections.push_back({LinkKind::pcie, hub, bridge, 1, from_gbps(12), 0});
    model.connections.push_back({LinkKind::pcie, nic, hub, 1, from_gbps(12), 0});
    for (int gpu = 2 * side; gpu < 2 * side + 2; ++gpu) {
      model.gpus[static_cast<std::size_t>(gpu)].numa = side;
      model.gpus[static_cast<std::size_t>(gpu)].nic = side;
      model.connections.push_back({LinkKind::pcie, gpu, hub, 1, from_gbps(12), 0});
    }
  }
  return Machine(std::move(model), 1);
}

TEST(TieKey, CountsRanksPerNicAndNumaNodes) {
  const TieKey together = tie_key(ring_app(2), two_switches(), {{0, 1}});
  EXPECT_EQ(together.ranks_per_nic, 2);
  EXPECT_EQ(together.numa_nodes, 1);
  const TieKey apart = tie_key(ring_app(2), two_switches(), {{0, 2}});
  EXPECT_EQ(apart.ranks_per_nic, 1);
  EXPECT_EQ(apart.ranks_per_uplink, 1);
  EXPECT_EQ(apart.numa_nodes, 2);
}

TEST(TieKey, PutsCongestionBeforeAggbwBeforeNics) {
  const TieKey less_congested{1.0, -10, 4, 4, 4};
  const TieKey more_bandwidth{2.0, -90, 4, 4, 4};
  const TieKey fewer_on_a_nic{2.0, -10, 1, 4, 4};
  const TieKey worst{2.0, -10, 4, 4, 4};
  EXPECT_LT(less_congested, more_bandwidth);
  EXPECT_LT(more_bandwidth, fewer_on_a_nic);
  EXPECT_LT(fewer_on_a_nic, worst);
}

TEST(TieKey, HoldsCongestionAndBandwidthOfTheMapping) {
  // One byte each way over PCIe of 12 GB/s; the pair has 12 GB/s.
  const TieKey key = tie_key(ring_app(2), two_switches(), {{0, 1}});
  EXPECT_DOUBLE_EQ(key.congestion_seconds, 1 / 12e9);
  EXPECT_DOUBLE_EQ(key.negative_aggbw, -12);
}

}  // namespace
}  // namespace rankmap::test
