#include "libmap/machine/machine.hpp"

#include <gtest/gtest.h>

#include "libmap/base/error.hpp"

namespace rankmap {
namespace {

constexpr double gbps_of_lane = 25;

// Four GPUs, two a PCIe switch, both switches on one system hub; one NVLink pair of two lanes (0-2).
// Cores 0..7 with two threads each (c and c + 8); GPUs 0, 1 near NUMA 0, 2, 3 near NUMA 1.
NodeModel small_node() {
  NodeModel model;
  model.name = "small";
  model.gpus.resize(4);
  for (int gpu = 0; gpu < 4; ++gpu) model.gpus[static_cast<std::size_t>(gpu)].numa = gpu / 2;
  for (int core = 0; core < 8; ++core)
    model.cores.push_back({core, CpuSet({core, core + 8}), core / 4, core / 4});
  const VertexId left = model.add_hub(HubKind::pcie_switch, "pcie0");
  const VertexId right = model.add_hub(HubKind::pcie_switch, "pcie1");
  const VertexId root = model.add_hub(HubKind::system, "system");
  for (VertexId gpu = 0; gpu < 4; ++gpu)
    model.connections.push_back({LinkKind::pcie, gpu, gpu < 2 ? left : right, 1, from_gbps(12), 0});
  model.connections.push_back({LinkKind::pcie, left, root, 1, from_gbps(10), 0});
  model.connections.push_back({LinkKind::pcie, right, root, 1, from_gbps(10), 0});
  model.connections.push_back(
      {LinkKind::nvlink, 0, 2, 2, from_gbps(2 * gbps_of_lane), from_gbps(20)});
  return model;
}

NodeModel switched_node(int gpus) {
  NodeModel model;
  model.name = "switched";
  model.gpus.resize(static_cast<std::size_t>(gpus));
  const VertexId hub = model.add_hub(HubKind::link_switch, "nvswitch");
  for (VertexId gpu = 0; gpu < gpus; ++gpu)
    model.connections.push_back({LinkKind::nvlink, gpu, hub, 18, from_gbps(450), from_gbps(20.6)});
  return model;
}

TEST(Machine, ADedicatedPairTakesItsOwnLink) {
  const Machine machine(small_node(), 1);
  const std::vector<LinkId> way = machine.route(0, 2);
  ASSERT_EQ(way.size(), 1U);
  EXPECT_EQ(machine.link(way[0]).kind, LinkKind::nvlink);
  EXPECT_EQ(machine.link_name(way[0]), "gpu0>gpu2 nvlink");
  EXPECT_EQ(machine.pair_bandwidth(0, 2), from_gbps(50));
  EXPECT_EQ(machine.dedicated_lanes(2, 0), 2);
}

TEST(Machine, OtherPairsClimbTheTreeAndShareUplinks) {
  const Machine machine(small_node(), 1);
  EXPECT_EQ(machine.hops(0, 1), 2);  // up and down its own switch
  EXPECT_EQ(machine.hops(1, 2), 4);  // up, up, down, down
  EXPECT_EQ(machine.pair_bandwidth(0, 1), from_gbps(12));
  EXPECT_EQ(machine.pair_bandwidth(1, 2), from_gbps(10));  // the switch's uplink is the least
  EXPECT_EQ(machine.uplink_of(0), machine.uplink_of(1));
  EXPECT_NE(machine.uplink_of(0), machine.uplink_of(2));
}

TEST(Machine, TheWayBackUsesTheOtherDirections) {
  const Machine machine(small_node(), 1);
  std::vector<LinkId> there = machine.route(1, 3);
  const std::vector<LinkId> back = machine.route(3, 1);
  ASSERT_EQ(there.size(), back.size());
  for (std::size_t i = 0; i < there.size(); ++i) {
    const LinkRow out = machine.link(there[i]);
    const LinkRow in = machine.link(back[back.size() - 1 - i]);
    EXPECT_EQ(out.connection, in.connection);
    EXPECT_NE(out.forward, in.forward);
  }
}

TEST(Machine, ASwitchIsTwoLinksAndMakesAllGpusAlike) {
  const Machine machine(switched_node(8), 1);
  EXPECT_EQ(machine.hops(3, 6), 2);
  EXPECT_EQ(machine.switch_lanes(5), 18);
  EXPECT_EQ(machine.dedicated_lanes(3, 6), 0);
  EXPECT_EQ(machine.pair_bandwidth(3, 6), from_gbps(450));
  EXPECT_TRUE(machine.uniform());
  EXPECT_FALSE(Machine(small_node(), 1).uniform());
}

TEST(Machine, NodesMeetThroughTheirPorts) {
  const Machine machine(small_node(), 2);
  EXPECT_EQ(machine.slots(), 8);
  EXPECT_EQ(machine.host(1), "node1");
  // up, up, out of node 0, into node 1, down, down
  const std::vector<LinkId> way = machine.route(1, 6);
  ASSERT_EQ(way.size(), 6U);
  EXPECT_EQ(machine.link(way[2]).kind, LinkKind::nic);
  EXPECT_EQ(machine.link(way[2]).node, 0);
  EXPECT_EQ(machine.link(way[3]).node, 1);
  EXPECT_EQ(machine.bandwidth_between(1, 6), from_gbps(10));
}

TEST(Machine, EveryLinkIsNamedAndHasABandwidth) {
  const Machine machine(small_node(), 3);
  for (LinkId link = 0; link < machine.links(); ++link) {
    EXPECT_FALSE(machine.link_name(link).empty());
    EXPECT_GT(machine.link(link).bytes_per_second, 0U);
  }
}

TEST(Machine, GpusOfANumaNodeDivideItsWholeCores) {
  const Machine machine(small_node(), 1);
  EXPECT_EQ(machine.slot(0).cpus.to_string(), "0-1,8-9");
  EXPECT_EQ(machine.slot(1).cpus.to_string(), "2-3,10-11");
  EXPECT_EQ(machine.slot(3).cores.to_string(), "6-7");
}

TEST(Machine, TheRemainderGoesToTheFirst) {
  NodeModel model = small_node();
  model.cores.pop_back();  // NUMA 1 has three cores for two GPUs
  const Machine machine(std::move(model), 1);
  EXPECT_EQ(machine.slot(2).cores.to_string(), "4-5");
  EXPECT_EQ(machine.slot(3).cores.to_string(), "6");
}

TEST(Machine, CoresAreSharedOnRequestOrWhereTooFew) {
  Machine machine(small_node(), 1);
  machine.set_near_cores(NearCores::shared);
  EXPECT_EQ(machine.slot(0).cores.to_string(), "0-3");
  NodeModel model = small_node();
  model.cores.resize(1);
  EXPECT_EQ(Machine(std::move(model), 1).slot(1).cores.to_string(), "0");
}

TEST(Machine, AGpuOfUnknownNumaHasNoCores) {
  NodeModel model = small_node();
  model.gpus[0].numa = none;
  EXPECT_TRUE(Machine(std::move(model), 1).slot(0).cpus.empty());
}

TEST(Machine, AMigInstanceIsKnownByItsUuidAndItsDevice) {
  NodeModel model = small_node();
  model.gpus[1].uuid = "MIG-1234";
  model.gpus[1].bus_id = "0000:06:00.0";
  model.gpus[1].device = 0;
  const SlotRow row = Machine(std::move(model), 1).slot(1);
  EXPECT_EQ(row.gpu_id, "MIG-1234");
  EXPECT_EQ(row.gpu, 0);
}

TEST(Machine, CoresAreTheSlotsOfANodeWithoutGpus) {
  NodeModel model = small_node();
  model.gpus.clear();
  model.hubs.clear();
  model.connections.clear();
  const Machine machine(std::move(model), 1);
  EXPECT_EQ(machine.slots(), 8);
  EXPECT_EQ(machine.slot(5).cpus.to_string(), "5,13");
  EXPECT_EQ(machine.slot(5).gpu, none);
  EXPECT_LT(machine.hops(0, 1), machine.hops(0, 5));  // within a NUMA node against across
  EXPECT_FALSE(machine.model().warnings.empty());     // the speeds were assumed
}

TEST(Machine, LeavesByTheNicOfTheGpu) {
  NodeModel model = small_node();
  model.nics.push_back({"mlx5_0", "", 0, from_gbps(25)});
  model.nics.push_back({"mlx5_1", "", 1, from_gbps(25)});
  const VertexId left = model.hub_vertex(0);
  const VertexId right = model.hub_vertex(1);
  const VertexId first = model.add_hub(HubKind::nic, "nic:mlx5_0");
  const VertexId second = model.add_hub(HubKind::nic, "nic:mlx5_1");
  model.connections.push_back({LinkKind::pcie, left, first, 1, from_gbps(12), 0});
  model.connections.push_back({LinkKind::pcie, right, second, 1, from_gbps(12), 0});
  model.gpus[0].nic = 1;  // told so, although mlx5_0 is nearer
  const Machine machine(std::move(model), 2);
  EXPECT_EQ(machine.slot(0).nic, "mlx5_1");
  EXPECT_EQ(machine.slot(1).nic, "mlx5_0");
  EXPECT_EQ(machine.slot(2).nic, "mlx5_1");
  // gpu1 -> pcie0 -> mlx5_0 | mlx5_1 -> pcie1 -> gpu2 of the other node
  EXPECT_EQ(machine.hops(1, 6), 6);
}

TEST(Machine, HostsMustBeAsManyAsNodesAndDifferent) {
  Machine machine(small_node(), 2);
  EXPECT_THROW(machine.set_hosts({"a"}), UsageError);
  EXPECT_THROW(machine.set_hosts({"a", "a"}), UsageError);
  EXPECT_THROW(machine.set_hosts({"a", "b c"}), UsageError);
  machine.set_hosts({"a", "b"});
  EXPECT_EQ(machine.slot(4).host, "b");
}

TEST(Machine, RefusesModelsThatCannotBe) {
  EXPECT_THROW(Machine(NodeModel{}, 1), InputError);
  NodeModel no_bandwidth = small_node();
  no_bandwidth.connections[0].bytes_per_second = 0;
  EXPECT_THROW(Machine(no_bandwidth, 1), InputError);
  NodeModel beyond = small_node();
  beyond.connections[0].b = 99;
  EXPECT_THROW(Machine(beyond, 1), InputError);
  NodeModel apart = small_node();
  apart.connections.erase(apart.connections.begin() + 5);  // pcie1 - system
  EXPECT_THROW(Machine(apart, 1), InputError);
  NodeModel doubled = small_node();
  doubled.add_hub(HubKind::system, "system");
  EXPECT_THROW(Machine(doubled, 1), InputError);
  EXPECT_THROW(Machine(small_node(), 0), UsageError);
  EXPECT_THROW(Machine(small_node(), 3, flat_network(2)), UsageError);
}

}  // namespace
}  // namespace rankmap
