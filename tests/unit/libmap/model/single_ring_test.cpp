// The best single ring over mixed links against all orders.
#include "libmap/model/single_ring.hpp"

#include <gtest/gtest.h>

#include "model_machines.hpp"
#include "naive_packing.hpp"

namespace rankmap::test {
namespace {

constexpr std::uint64_t plenty = 1'000'000;

// Six GPUs, two on each of three PCIe switches of different speed; switches 0 and 1 share a CPU, whose
// link to the other is slow. A random few pairs have NVLink lanes.
Machine mixed_machine(Random& random) {
  NodeModel model;
  model.name = "mixed";
  model.gpus.resize(6);
  const VertexId cpu0 = model.add_hub(HubKind::host_bridge, "cpu0");
  const VertexId cpu1 = model.add_hub(HubKind::host_bridge, "cpu1");
  model.connections.push_back({LinkKind::cpu, cpu0, cpu1, 1, from_gbps(9), from_gbps(6)});
  for (VertexId index = 0; index < 3; ++index) {
    const VertexId hub = model.add_hub(HubKind::pcie_switch, "pcie" + std::to_string(index));
    const double gbps = 8.0 + static_cast<double>(random.below(10));
    model.connections.push_back(
        {LinkKind::pcie, hub, index < 2 ? cpu0 : cpu1, 1, from_gbps(gbps), 0});
    for (VertexId gpu = 2 * index; gpu < 2 * index + 2; ++gpu) {
      model.connections.push_back({LinkKind::pcie, gpu, hub, 1, from_gbps(13), 0});
    }
  }
  for (VertexId a = 0; a < 6; ++a) {
    for (VertexId b = a + 1; b < 6; ++b) {
      if (random.below(100) >= 30) continue;
      model.connections.push_back({LinkKind::nvlink, a, b, 1, from_gbps(25), from_gbps(7)});
    }
  }
  return Machine(std::move(model), 1);
}

TEST(SingleRing, AgreesWithAllOrdersOnRandomMachines) {
  Random random(5);
  for (int round = 0; round < 100; ++round) {
    const Machine machine = mixed_machine(random);
    std::vector<int> set = {0, 1, 2, 3, 4, 5};
    random.shuffle(set);
    set.resize(2 + random.below(5));
    const double expected = naive_single_ring(machine, set);
    const SingleRing ring = single_ring(machine, set, plenty);
    EXPECT_NEAR(ring.bytes_per_second, expected, 1e-9 * expected) << "round " << round;
    EXPECT_EQ(ring.bound, ring.bytes_per_second);
    EXPECT_GE(single_ring_bound(machine, set) * (1 + 1e-12), expected);
  }
}

TEST(SingleRing, CrossesTheCpuLinkOnceEachWay) {
  // Without lanes a ring can finish one socket before it goes to the other: 6 GB/s, not 3.
  NodeModel model;
  model.name = "sockets";
  model.gpus.resize(4);
  const VertexId left = model.add_hub(HubKind::host_bridge, "cpu0");
  const VertexId right = model.add_hub(HubKind::host_bridge, "cpu1");
  model.connections.push_back({LinkKind::cpu, left, right, 1, from_gbps(6), 0});
  for (VertexId gpu = 0; gpu < 4; ++gpu) {
    model.connections.push_back(
        {LinkKind::pcie, gpu, gpu % 2 == 0 ? left : right, 1, from_gbps(12), 0});
  }
  const Machine machine(std::move(model), 1);
  const std::vector<int> set = {0, 1, 2, 3};
  EXPECT_DOUBLE_EQ(single_ring(machine, set, plenty).bytes_per_second, 6e9);
}

}  // namespace
}  // namespace rankmap::test
