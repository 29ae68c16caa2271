// Parts of networks, rails, and switch domains, also as machines.
#include "libmap/machine/network/seats.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "libmap/machine/machine_spec.hpp"
#include "link_graph.hpp"

namespace rankmap::test {
namespace {

MachineOptions shared() {
  MachineOptions options;
  options.share_directory = RANKMAP_SOURCE_DIR "/share";
  return options;
}

std::vector<std::string> names(const Machine& machine, SlotId from, SlotId to) {
  std::vector<std::string> links;
  for (const LinkId link : machine.route(from, to)) links.push_back(machine.link_name(link));
  return links;
}

TEST(Part, NodesAreThoseOfTheListInItsOrder) {
  const auto whole = network("torus:8x8");
  const auto part = network("torus:8x8,part=0-7,40,16-17");
  ASSERT_EQ(part->nodes(), 11);
  const std::vector<NodeId> nodes = {0, 1, 2, 3, 4, 5, 6, 7, 40, 16, 17};
  EXPECT_EQ(part->links(), whole->links());
  for (NodeId a = 0; a < 11; ++a)
    for (NodeId b = 0; b < 11; ++b) {
      if (a == b) continue;
      std::vector<LinkId> found, expected;
      part->append_route(a, b, found);
      whole->append_route(nodes[std::size_t(a)], nodes[std::size_t(b)], expected);
      EXPECT_EQ(found, expected);
      EXPECT_EQ(part->hops(a, b), static_cast<int>(expected.size()));
    }
  expect_consistent(*part, 3);
  expect_minimal(*part, 3);
}

TEST(Part, ABoxOfATorusIsNumberedWithin) {
  const auto box = network("torus:4x6x8,box=1-2x0-5x3");
  EXPECT_EQ(box->nodes(), 12);
  EXPECT_EQ(box->hops(0, 5), 1);  // (1,0,3) and (1,5,3): around the ring
  EXPECT_EQ(box->hops(0, 6), 1);  // (1,0,3) and (2,0,3)
  EXPECT_EQ(box->shape().arity, (std::vector<int>{2, 3, 2}));  // sides 2, 6, 1
}

TEST(Part, KeepsTheBlocksThatItFillsEvenly) {
  // Six groups of eight nodes: four from each of groups 0 and 2.
  const auto even = network("tree:1:8:6,part=0-3,16-19");
  EXPECT_EQ(even->shape().arity, (std::vector<int>{2, 4}));
  EXPECT_EQ(even->shape().order, (std::vector<NodeId>{0, 1, 2, 3, 4, 5, 6, 7}));
  const auto uneven = network("tree:1:8:6,part=0-4,16-19");
  EXPECT_EQ(uneven->shape().arity, (std::vector<int>{9}));
  const auto turned = network("tree:1:8:6,part=16,0,17,1");
  EXPECT_EQ(turned->shape().arity, (std::vector<int>{2, 2}));
  EXPECT_EQ(turned->shape().order, (std::vector<NodeId>{1, 3, 0, 2}));
}

TEST(Rails, NicIOfEveryNodeIsOnSwitchIOfItsBlock) {
  // Four leaves of four ports; two rails: nodes 0-3 on leaves 0 and 1, nodes 4-7 on leaves 2 and 3.
  const auto rails = network("fattree:4:4,up=2,rails=2,routing=dmodk");
  EXPECT_EQ(rails->nodes(), 8);
  EXPECT_EQ(rails->rails(), 2);
  const auto first = [&](EndpointId from, EndpointId to) {
    std::vector<LinkId> route;
    rails->append_route(from, to, route);
    return route.empty() ? std::string("one leaf") : rails->link_name(route.front());
  };
  EXPECT_EQ(first(2 * 0 + 1, 2 * 3 + 1), "one leaf");                // rail 1 within the block
  EXPECT_EQ(first(2 * 0 + 0, 2 * 3 + 1).substr(0, 9), "switch1.0");  // across the rails
  EXPECT_EQ(first(2 * 0 + 1, 2 * 5 + 1).substr(0, 9), "switch1.1");
  EXPECT_EQ(rails->shape().arity, (std::vector<int>{2, 4}));
  expect_consistent(*rails, 1);
  expect_minimal(*rails, 1);
  EXPECT_EQ(network("fattree:4:4,rails=2,part=0-1,4-5")->shape().arity, (std::vector<int>{2, 2}));
}

TEST(Rails, AGpuLeavesByTheSwitchOfItsNic) {
  // hgx-h100: eight NICs, GPU i beside NIC i. Four nodes on eight leaves of four ports.
  const Machine machine = read_machine("hgx-h100@fattree:4:8,rails=8", shared());
  EXPECT_EQ(machine.nodes(), 4);
  const SlotId same_rail = machine.slot_at(1, 3);
  for (const std::string& link : names(machine, machine.slot_at(0, 3), same_rail))
    EXPECT_EQ(link.find("switch"), link.npos) << link;
  std::string across;
  for (const std::string& link : names(machine, machine.slot_at(0, 3), machine.slot_at(1, 5)))
    across += link + "; ";
  EXPECT_NE(across.find("switch1.3 up"), across.npos) << across;
  EXPECT_NE(across.find("switch1.5 down"), across.npos) << across;
}

TEST(SwitchDomain, GpusOfARackMeetAtTheirSwitchAndNotAtTheNics) {
  const Machine machine = read_machine("gb200-trayx18@nvlink", shared());
  EXPECT_EQ(machine.slots(), 72);
  for (const SlotId to : {1, 4, 71}) {
    const std::vector<LinkId> route = machine.route(0, to);
    ASSERT_EQ(route.size(), 2U);
    EXPECT_EQ(machine.hops(0, to), 2);
    for (const LinkId link : route) {
      EXPECT_EQ(machine.link(link).kind, LinkKind::nvlink);
      EXPECT_EQ(machine.link(link).bytes_per_second, from_gbps(900));
    }
    EXPECT_EQ(machine.bandwidth_between(0, to), from_gbps(900));
  }
}

TEST(SwitchDomain, SlotsOfABareRackHaveAPortEach) {
  const Machine machine = read_machine("nvlink:18,slots=4", {});
  EXPECT_EQ(machine.slots(), 72);
  EXPECT_EQ(machine.hops(0, 1), 2);
  EXPECT_EQ(machine.hops(0, 5), 2);
  EXPECT_EQ(machine.links(), 72 * 2);
  EXPECT_EQ(machine.link_name(machine.route(5, 6).front()), "node1:port1 out");
}

TEST(BareNetworks, ATorusHasNothingBeforeItsLinksAndOthersHavePorts) {
  const Machine torus = read_machine("torus:4x4,slots=2", {});
  EXPECT_EQ(torus.hops(0, 2), 1);
  EXPECT_EQ(torus.hops(0, 1), 0);
  EXPECT_EQ(torus.links(), torus.network()->links());
  const Machine tree = read_machine("fattree:4:4,gbps=10:20", {});
  EXPECT_EQ(tree.hops(0, 1), 2);  // out of one port, into another
  EXPECT_EQ(tree.hops(0, 4), 4);
  EXPECT_EQ(tree.link(tree.route(0, 4).front()).bytes_per_second, from_gbps(10));
}

TEST(BareNetworks, HopBytesOfATreeCountItsDistances) {
  const Machine machine = read_machine("tree:4:8:6,distance=1:10:100", {});
  EXPECT_EQ(machine.slots(), 192);
  EXPECT_EQ(machine.distance(0, 0), 0);
  EXPECT_EQ(machine.distance(0, 3), 1);
  EXPECT_EQ(machine.distance(0, 4), 10);
  EXPECT_EQ(machine.distance(0, 32), 100);
  EXPECT_EQ(machine.hops(0, 32), 4);
  EXPECT_FALSE(machine.plain_routes());
}

TEST(MachineLoads, ChangeAsTheRoutesSay) {
  for (const char* spec : {"torus:4x3,slots=2,tie=plus", "fattree:2:3,routing=dmodk,slots=2",
                           "gb200-trayx3@nvlink", "polaris@fattree:2:2,rails=2,routing=dmodk"}) {
    const Machine machine = read_machine(spec, shared());
    const auto links = static_cast<std::size_t>(machine.links());
    std::vector<double> single(links, 0), batched(links, 0), expected(links, 0);
    std::vector<NodeFlow> flows;
    for (SlotId from = 0; from < machine.slots(); ++from) {
      for (SlotId to = 0; to < machine.slots(); ++to) {
        const double bytes = 1 + from + 3 * to;
        machine.add_load(from, to, bytes, single);
        machine.add_node_load(from, to, bytes, batched, flows);
        for (const LinkId link : machine.route(from, to)) expected[std::size_t(link)] += bytes;
        EXPECT_EQ(machine.hops(from, to), static_cast<int>(machine.route(from, to).size()));
      }
    }
    machine.add_network_loads(flows, batched);
    EXPECT_EQ(single, expected) << spec;
    EXPECT_EQ(batched, expected) << spec;
    double worst = 0;
    for (std::size_t link = 0; link < links; ++link)
      worst = std::max(
          worst, expected[link] / static_cast<double>(machine.link(LinkId(link)).bytes_per_second));
    EXPECT_EQ(machine.busiest_seconds(expected), worst);
  }
}

}  // namespace
}  // namespace rankmap::test
