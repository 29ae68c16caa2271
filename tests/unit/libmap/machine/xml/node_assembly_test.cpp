#include "libmap/machine/xml/node_assembly.hpp"

#include <gtest/gtest.h>

#include "libmap/machine/machine.hpp"

namespace rankmap {
namespace {

constexpr LinkSpeed x16_gen4 = {24, 24};
constexpr LinkSpeed socket_link = {16, 16};

Nic nic_named(const std::string& name) {
  Nic nic;
  nic.name = name;
  return nic;
}

// Two sockets; under each one PCIe switch with two GPUs and two NICs.
NodeAssembly two_sockets() {
  NodeAssembly node("test");
  const int root = node.add_hub(HubKind::system, "system", {});
  for (int socket = 0; socket < 2; ++socket) {
    const std::string number = std::to_string(socket);
    const int numa =
        node.add_hub(HubKind::numa, "numa" + number, {root, LinkKind::cpu, socket_link});
    const int pcie =
        node.add_hub(HubKind::pcie_switch, "pcie" + number, {numa, LinkKind::pcie, x16_gen4});
    for (const char* port : {"a", "b"}) {
      node.add_gpu({}, {pcie, LinkKind::pcie, x16_gen4});
      node.add_nic(nic_named("mlx" + number + port), {pcie, LinkKind::pcie, x16_gen4}, true);
    }
  }
  return node;
}

TEST(NodeAssembly, SharesEquallyNearNicsEvenly) {
  const NodeModel model = two_sockets().finish();
  for (int gpu = 0; gpu < 4; ++gpu) EXPECT_EQ(model.gpus[static_cast<std::size_t>(gpu)].nic, gpu);
}

TEST(NodeAssembly, LeavesManagementNicsOutWhenAFabricIsThere) {
  NodeAssembly node("test");
  const int numa = node.add_hub(HubKind::numa, "numa0", {});
  const int pcie = node.add_hub(HubKind::pcie_switch, "pcie0", {numa, LinkKind::pcie, x16_gen4});
  node.add_gpu({}, {pcie, LinkKind::pcie, x16_gen4});
  node.add_nic(nic_named("eth0"), {pcie, LinkKind::pcie, x16_gen4}, false);
  node.add_nic(nic_named("mlx5_0"), {numa, LinkKind::pcie, x16_gen4}, true);
  EXPECT_EQ(node.finish().gpus[0].nic, 1);
}

TEST(NodeAssembly, MakesAMachineWhoseSocketsMeetAtTheSystem) {
  const Machine machine(two_sockets().finish(), 1);
  // gpu0 > pcie0 > numa0 > system > numa1 > pcie1 > gpu2: the CPU link is the narrowest.
  EXPECT_EQ(machine.hops(0, 2), 6);
  EXPECT_EQ(machine.pair_bandwidth(0, 2), from_gbps(16));
  EXPECT_EQ(machine.pair_bandwidth(0, 1), from_gbps(24));
}

TEST(NodeAssembly, DropsHubsWithoutDevicesAndTheRootOverASingleChild) {
  NodeAssembly node("test");
  const int root = node.add_hub(HubKind::system, "system", {});
  const int numa = node.add_hub(HubKind::numa, "numa0", {root, LinkKind::cpu, socket_link});
  node.add_hub(HubKind::numa, "numa1", {root, LinkKind::cpu, socket_link});
  node.add_gpu({}, {numa, LinkKind::pcie, x16_gen4});
  const NodeModel model = node.finish();
  ASSERT_EQ(model.hubs.size(), 1U);
  EXPECT_EQ(model.hubs[0].name, "numa0");
  EXPECT_EQ(model.connections.size(), 1U);
}

TEST(NodeAssembly, MakesDoubledHubNamesDifferent) {
  NodeAssembly node("test");
  const int numa = node.add_hub(HubKind::numa, "numa0", {});
  node.add_gpu({}, {numa, LinkKind::pcie, x16_gen4});
  node.add_nic(nic_named("AWS"), {numa, LinkKind::pcie, x16_gen4}, true);
  node.add_nic(nic_named("AWS"), {numa, LinkKind::pcie, x16_gen4}, true);
  const NodeModel model = node.finish();
  EXPECT_EQ(model.hubs[1].name, "nic:AWS");
  EXPECT_EQ(model.hubs[2].name, "nic:AWS#2");
}

}  // namespace
}  // namespace rankmap
