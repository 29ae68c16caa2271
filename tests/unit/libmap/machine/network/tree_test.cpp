// Trees and fat trees against their explicit graphs.
#include <gtest/gtest.h>

#include <algorithm>

#include "libmap/machine/network/fat_tree.hpp"
#include "link_graph.hpp"

namespace rankmap::test {
namespace {

struct Case {
  const char* text;
  std::vector<int> down;  // without the slots of tree
  std::vector<int> up;
};

const std::vector<Case> cases = {
    {"fattree:4:3", {4, 3}, {4}},
    {"fattree:4:3,up=2", {4, 3}, {2}},
    {"fattree:2:2:3,up=2:3", {2, 2, 3}, {2, 3}},
    {"fattree:3:2:2:2,up=1:2:3", {3, 2, 2, 2}, {1, 2, 3}},
    {"tree:2:3:2:2", {3, 2, 2}, {1, 1}},
};

// Switch (level, group, number): "1/3/0". Sizes: down, then up.
LinkGraph::Ends tree_ends(const std::string& name, const std::vector<int>& sizes) {
  const std::size_t levels = (sizes.size() + 1) / 2;
  const int level = std::stoi(name.substr(6));
  const int group = std::stoi(name.substr(name.find('.') + 1));
  const int path = std::stoi(name.substr(name.rfind(' ') + 1));
  int below = 1;  // switches of one group at this level
  for (int i = 0; i < level - 1; ++i) below *= sizes[levels + static_cast<std::size_t>(i)];
  const auto vertex = [](int l, int g, int number) {
    return std::to_string(l) + "/" + std::to_string(g) + "/" + std::to_string(number);
  };
  const std::string low = vertex(level, group, path % below);
  const std::string high = vertex(level + 1, group / sizes[static_cast<std::size_t>(level)], path);
  return name.find(" up ") != name.npos ? LinkGraph::Ends{low, high} : LinkGraph::Ends{high, low};
}

LinkGraph graph_of(const Network& tree, const Case& one) {
  std::vector<int> sizes = one.down;
  sizes.insert(sizes.end(), one.up.begin(), one.up.end());
  return {tree, tree_ends, sizes};
}

std::string leaf(NodeId node, const Case& one) {
  return "1/" + std::to_string(node / one.down[0]) + "/0";
}

TEST(FatTree, EcmpSpreadsOverAllShortestPathsAlike) {
  for (const Case& one : cases) {
    const auto tree = network(one.text);
    const LinkGraph graph = graph_of(*tree, one);
    const std::vector<NodeFlow> flows = random_flows(*tree, 60, 3);
    std::vector<double> found(static_cast<std::size_t>(tree->links()), 0), expected = found;
    tree->add_loads(flows, found);
    for (const NodeFlow& flow : flows) {
      graph.add_shortest(leaf(flow.from, one), leaf(flow.to, one), flow.bytes, expected);
      EXPECT_EQ(tree->hops(flow.from, flow.to),
                graph.distance(leaf(flow.from, one), leaf(flow.to, one)));
    }
    expect_same(found, expected, *tree);
  }
}

TEST(FatTree, RoutesAreWalksAndBatchedLoadsThoseOfSingleFlows) {
  for (const Case& one : cases) {
    for (const char* routing : {"", ",routing=dmodk"}) {
      if (std::string(one.text).starts_with("tree") && routing[0] != '\0') continue;
      const auto tree = network(std::string(one.text) + routing);
      const LinkGraph graph = graph_of(*tree, one);
      for (const NodeFlow& flow : random_flows(*tree, 60, 3)) {
        std::vector<LinkId> route;
        tree->append_route(flow.from, flow.to, route);
        EXPECT_TRUE(graph.leads(route, leaf(flow.from, one), leaf(flow.to, one))) << one.text;
      }
      expect_consistent(*tree, 5);
      expect_minimal(*tree, 6);
    }
  }
}

TEST(FatTree, DModKTakesTheParentByTheDigitOfTheDestination) {
  // Two parents of a leaf, three of a switch above: parent floor(d / 1) mod 2, then floor(d / 2) mod 3.
  const auto tree = network("fattree:2:2:3,up=2:3,routing=dmodk");
  for (NodeId to = 4; to < 12; ++to) {
    std::vector<LinkId> route;
    tree->append_route(0, to, route);
    ASSERT_EQ(route.size(), 4U);
    const int first = to % 2;
    const int second = first + 2 * (to / 2 % 3);
    EXPECT_EQ(tree->link_name(route[0]), "switch1.0 up " + std::to_string(first));
    EXPECT_EQ(tree->link_name(route[1]), "switch2.0 up " + std::to_string(second));
  }
  EXPECT_TRUE(tree->single_path());
}

TEST(FatTree, HasOneBandwidthALevel) {
  const auto tree = network("fattree:4:2:2,up=2:2,gbps=25:50:100");
  EXPECT_EQ(tree->port_bytes_per_second(), from_gbps(25));
  for (LinkId link = 0; link < tree->links(); ++link) {
    const bool low = tree->link_name(link).starts_with("switch1");
    EXPECT_EQ(tree->link(link).bytes_per_second, from_gbps(low ? 50 : 100));
    const bool up = tree->link_name(link).find(" up ") != std::string::npos;
    EXPECT_EQ(tree->link(link).kind, up ? LinkKind::up : LinkKind::down);
  }
  // Four leaves of two up links, two groups of two switches of two up links; both directions.
  EXPECT_EQ(tree->links(), 2 * (4 * 2 + 2 * 4));
}

TEST(Tree, HasTheDistancesOfItsLevels) {
  // Slots 4, nodes in groups of 8, 6 groups: nodes 0 and 7 are in one group, 0 and 8 are not.
  const auto tree = network("tree:4:8:6,distance=1:10:100");
  EXPECT_EQ(tree->nodes(), 48);
  EXPECT_EQ(tree->distance(3, 3), 1);
  EXPECT_EQ(tree->distance(0, 7), 10);
  EXPECT_EQ(tree->distance(0, 8), 100);
  EXPECT_EQ(network("tree:4:8:6")->distance(0, 8), none);
  EXPECT_EQ(parse_network("tree:4:8:6").slots, 4);
  EXPECT_EQ(network("tree:4")->nodes(), 1);
}

}  // namespace
}  // namespace rankmap::test
