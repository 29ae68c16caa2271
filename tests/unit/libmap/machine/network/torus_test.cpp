// Tori and meshes against their explicit graphs.
#include "libmap/machine/network/torus.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "link_graph.hpp"

namespace rankmap::test {
namespace {

struct Case {
  const char* text;
  std::vector<int> extents;
};

const std::vector<Case> cases = {
    {"torus:5", {5}},
    {"torus:2", {2}},
    {"torus:1x3", {1, 3}},
    {"torus:4x3", {4, 3}},
    {"torus:2x2x2", {2, 2, 2}},
    {"mesh:4x3", {4, 3}},
    {"mesh:2x3x2", {2, 3, 2}},
    {"torus:4x3x2,mesh=y", {4, 3, 2}},
    {"torus:4x4x2,order=zxy", {4, 4, 2}},
    {"torus:6x4,tie=plus", {6, 4}},
    {"torus:6x4,tie=minus,order=10", {6, 4}},
    {"torus:5x4x3,routing=ldf", {5, 4, 3}},
    {"torus:2x3x2x2x2x2", {2, 3, 2, 2, 2, 2}},
};

std::vector<NodeId> all_nodes(const Network& torus) {
  std::vector<NodeId> nodes;
  for (NodeId node = 0; node < torus.nodes(); ++node) nodes.push_back(node);
  return nodes;
}

TEST(Torus, RoutesAreShortestWalksOnItsLinks) {
  for (const Case& one : cases) {
    const auto torus = network(one.text);
    const LinkGraph graph(*torus, torus_ends, one.extents);
    for (const NodeFlow& flow : random_flows(*torus, 60, 7)) {
      std::vector<LinkId> route;
      torus->append_route(flow.from, flow.to, route);
      const std::string from = torus_node(flow.from, one.extents);
      const std::string to = torus_node(flow.to, one.extents);
      EXPECT_TRUE(graph.leads(route, from, to)) << one.text << from << to;
      EXPECT_EQ(torus->hops(flow.from, flow.to), graph.distance(from, to))
          << one.text << from << to;
    }
  }
}

TEST(Torus, BatchedLoadsAreThoseOfSingleFlowsAndSumToHopBytes) {
  for (const Case& one : cases) {
    expect_consistent(*network(one.text), 11);
    expect_minimal(*network(one.text), 12);
  }
}

// Walks dimension by dimension over the links' names; half the bytes each way on ties.
void add_in_order(const LinkGraph& graph, const std::vector<int>& extents, std::vector<int> at,
                  const std::vector<int>& to, const std::vector<std::size_t>& order, double bytes,
                  const std::vector<bool>& wrap, std::vector<double>& loads) {
  const auto name = [&](const std::vector<int>& place) {
    std::string text;
    for (const int c : place) text += (text.empty() ? "(" : ",") + std::to_string(c);
    return text + ")";
  };
  for (const std::size_t d : order) {
    const int forward = ((to[d] - at[d]) % extents[d] + extents[d]) % extents[d];
    const int backward = forward == 0 ? 0 : extents[d] - forward;
    double plus = forward < backward ? 1 : forward > backward ? 0 : 0.5;
    if (!wrap[d]) plus = to[d] > at[d] ? 1 : 0;
    for (const int step : {1, -1}) {
      std::vector<int> walk = at;
      const double part = step == 1 ? plus : 1 - plus;
      while (part > 0 && walk[d] != to[d]) {
        std::vector<int> next = walk;
        next[d] = (next[d] + step + extents[d]) % extents[d];
        // Of two links between the same two nodes (size 2), the first is + by the order of links.
        std::vector<std::size_t> links;
        for (std::size_t link = 0; link < graph.links().size(); ++link)
          if (graph.links()[link].from == name(walk) && graph.links()[link].to == name(next))
            links.push_back(link);
        loads[step == 1 ? links.front() : links.back()] += part * bytes;
        walk = next;
      }
    }
    at[d] = to[d];
  }
}

std::vector<int> place_of(NodeId node, const std::vector<int>& extents) {
  std::vector<int> place(extents.size());
  for (std::size_t d = extents.size(); d-- > 0; node /= extents[d]) place[d] = node % extents[d];
  return place;
}

TEST(Torus, DimensionOrderedLoadsAreThoseOfAWalk) {
  struct Ordered {
    const char* text;
    std::vector<int> extents;
    std::vector<std::size_t> order;
    std::vector<bool> wrap;
  };
  for (const Ordered& one :
       {Ordered{"torus:4x3x5", {4, 3, 5}, {0, 1, 2}, {true, true, true}},
        Ordered{"torus:4x6,order=yx", {4, 6}, {1, 0}, {true, true}},
        Ordered{"torus:4x4x3,mesh=y,order=zyx", {4, 4, 3}, {2, 1, 0}, {true, false, true}},
        Ordered{"mesh:3x4", {3, 4}, {0, 1}, {false, false}}}) {
    const auto torus = network(one.text);
    const LinkGraph graph(*torus, torus_ends, one.extents);
    const std::vector<NodeFlow> flows = random_flows(*torus, 100, 5);
    std::vector<double> found(static_cast<std::size_t>(torus->links()), 0), expected = found;
    torus->add_loads(flows, found);
    for (const NodeFlow& flow : flows)
      add_in_order(graph, one.extents, place_of(flow.from, one.extents),
                   place_of(flow.to, one.extents), one.order, flow.bytes, one.wrap, expected);
    expect_same(found, expected, *torus);
  }
}

TEST(Torus, MinpathSpreadsOverAllShortestPathsAlike) {
  for (const Case& one :
       {Case{"torus:4x3,routing=minpath", {4, 3}}, Case{"torus:4x4x2,routing=minpath", {4, 4, 2}},
        Case{"torus:2x5,routing=minpath", {2, 5}}, Case{"mesh:3x4x2,routing=minpath", {3, 4, 2}}}) {
    const auto torus = network(one.text);
    const LinkGraph graph(*torus, torus_ends, one.extents);
    const std::vector<NodeFlow> flows = random_flows(*torus, 40, 3);
    std::vector<double> found(static_cast<std::size_t>(torus->links()), 0), expected = found;
    torus->add_loads(flows, found);
    for (const NodeFlow& flow : flows)
      graph.add_shortest(torus_node(flow.from, one.extents), torus_node(flow.to, one.extents),
                         flow.bytes, expected);
    expect_same(found, expected, *torus);
    expect_consistent(*torus, 4);
    expect_minimal(*torus, 4);
    EXPECT_FALSE(torus->single_path());
  }
}

TEST(Torus, AUniformAllToAllOfARingLoadsEveryLinkAlike) {
  // k^2/8 units a link for even k, (k^2 - 1)/8 for odd k; an open line has floor(k/2) ceil(k/2).
  for (const int k : {2, 3, 6, 7, 16}) {
    const auto ring = network("torus:" + std::to_string(k));
    const auto line = network("mesh:" + std::to_string(k));
    std::vector<NodeFlow> flows;
    for (const NodeId a : all_nodes(*ring))
      for (const NodeId b : all_nodes(*ring))
        if (a != b) flows.push_back({a, b, 1});
    std::vector<double> on_ring(static_cast<std::size_t>(ring->links()), 0);
    std::vector<double> on_line(static_cast<std::size_t>(line->links()), 0);
    ring->add_loads(flows, on_ring);
    line->add_loads(flows, on_line);
    for (const double load : on_ring) EXPECT_EQ(load, (k % 2 == 0 ? k * k : k * k - 1) / 8.0) << k;
    EXPECT_EQ(*std::max_element(on_line.begin(), on_line.end()), k / 2 * ((k + 1) / 2)) << k;
  }
}

TEST(Torus, KnowsItsLinks) {
  EXPECT_EQ(network("torus:8x8x8")->links(), 512 * 6);
  EXPECT_EQ(network("torus:2x1")->links(), 4);  // two each way, none in a dimension of one
  EXPECT_EQ(network("mesh:8x8")->links(), 2 * 2 * 8 * 7);
  EXPECT_EQ(network("torus:4x4,mesh=x")->links(), 2 * (3 * 4 + 4 * 4));
  const auto uneven = network("torus:4x3,gbps=2:0.5");
  for (LinkId link = 0; link < uneven->links(); ++link) {
    const bool along_x = uneven->link_name(link).back() == 'x';
    EXPECT_EQ(uneven->link(link).bytes_per_second, from_gbps(along_x ? 2 : 0.5));
    EXPECT_EQ(uneven->link(link).kind, LinkKind::torus);
  }
}

TEST(Torus, HasOnePathWhereNoTieIsSplit) {
  EXPECT_FALSE(network("torus:4x3")->single_path());
  EXPECT_TRUE(network("torus:4x3,tie=plus")->single_path());
  EXPECT_TRUE(network("torus:5x3")->single_path());
  EXPECT_TRUE(network("mesh:4x4")->single_path());
}

}  // namespace
}  // namespace rankmap::test
