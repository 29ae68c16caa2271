// The network of a topology's switches against sets of switches found by hand.
#include "libmap/machine/topology/switches.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "libmap/base/random.hpp"
#include "libmap/machine/topology/topology_reader.hpp"
#include "tests/unit/libmap/machine/network/link_graph.hpp"
#include "topology_texts.hpp"

namespace rankmap::test {
namespace {

using Hosts = std::vector<std::string>;

struct Joined {
  std::shared_ptr<const Network> network;
  std::vector<std::string> notes;
};

Joined joined(const std::string& text, const Hosts& hosts) {
  Joined result;
  result.network = switch_network(read_switch_topology(text, "file"), hosts,
                                  {"file", from_gbps(10), from_gbps(3)}, result.notes);
  return result;
}

std::string names_on(const Network& network, NodeId from, NodeId to) {
  std::vector<LinkId> route;
  network.append_route(from, to, route);
  std::string text;
  for (const LinkId link : route) text += (text.empty() ? "" : ", ") + network.link_name(link);
  return text;
}

TEST(Switches, GoUpAndDown) {
  const Joined all = joined(uneven_conf, {"n0", "n1", "n5", "n9"});
  EXPECT_EQ(names_on(*all.network, 0, 1), "");
  EXPECT_EQ(names_on(*all.network, 0, 2), "leaf0 up, leaf1 down");
  EXPECT_EQ(names_on(*all.network, 2, 3), "leaf1 up, spine0 up, leaf2 down");
  EXPECT_EQ(names_on(*all.network, 3, 0), "leaf2 up, spine0 down, leaf0 down");
  EXPECT_EQ(all.network->links(), 8);
  EXPECT_EQ(all.network->port_bytes_per_second(), from_gbps(3));
}

TEST(Switches, AreOnlyThoseOfTheHosts) {
  EXPECT_EQ(joined(uneven_conf, {"n0", "n4"}).network->links(), 0);
  const Joined two = joined(uneven_conf, {"n6", "n2"});
  EXPECT_EQ(two.network->links(), 4);
  EXPECT_EQ(names_on(*two.network, 0, 1), "leaf1 up, leaf0 down");
}

TEST(Switches, AreAsFastAsToldInLinks) {
  const Joined all = joined(uneven_conf, {"n0", "n5", "n9"});
  for (LinkId link = 0; link < all.network->links(); ++link) {
    const std::string name = all.network->link_name(link);
    const double expected = name.starts_with("leaf0") ? 20 : name.starts_with("leaf2") ? 40 : 10;
    EXPECT_EQ(all.network->link(link).bytes_per_second, from_gbps(expected)) << name;
  }
}

TEST(Switches, FindHostsByTheirShortNames) {
  const Joined all = joined(uneven_conf, {"n0.cluster.example", "n5"});
  EXPECT_EQ(all.network->hops(0, 1), 2);
}

TEST(Switches, TakeUnknownHostsAtTheHighest) {
  const Joined all = joined(uneven_conf, {"n0", "x", "n5"});
  EXPECT_EQ(names_on(*all.network, 0, 1), "leaf0 up, spine0 up");
  EXPECT_NE(all.notes[0].find("1 hosts are at no switch, as \"x\""), std::string::npos);
  EXPECT_THROW(joined(uneven_conf, {"x", "y"}), UsageError);
  EXPECT_THROW(joined(uneven_conf, {}), UsageError);
}

TEST(Switches, OfAFlatTopologyAreNone) {
  EXPECT_EQ(joined("- topology: a\n  flat: true\n", {"x", "y"}).network->text(), "flat:2");
}

TEST(Switches, AreNestedAsFarAsTheyAreEven) {
  const std::string even =
      "SwitchName=a Nodes=n[0-2]\nSwitchName=b Nodes=n[3-5]\nSwitchName=c Nodes=n[6-8]\n"
      "SwitchName=d Nodes=n[9-11]\nSwitchName=ab Switches=a,b\nSwitchName=cd Switches=c,d\n"
      "SwitchName=t Switches=ab,cd\n";
  const NetworkShape all =
      joined(even, {"n0", "n9", "n3", "n6", "n1", "n10", "n4", "n7"}).network->shape();
  EXPECT_EQ(all.arity, (std::vector<int>{2, 2, 2}));
  EXPECT_EQ(all.order, (std::vector<NodeId>{0, 4, 2, 6, 3, 7, 1, 5}));
  const NetworkShape uneven = joined(even, {"n0", "n1", "n3", "n6", "n7", "n9"}).network->shape();
  EXPECT_EQ(uneven.arity, (std::vector<int>{2, 3}));
  EXPECT_EQ(joined(uneven_conf, {"n0", "n1", "n9"}).network->shape().arity, std::vector<int>{3});
}

// A random tree: switch i hangs below an earlier one, some hosts at each.
std::string random_tree(Random& random, int switches, Hosts& hosts) {
  std::vector<std::string> lines;
  std::vector<std::string> below(static_cast<std::size_t>(switches));
  for (int i = 1; i < switches; ++i)
    below[random.below(static_cast<std::uint64_t>(i))] += ",s" + std::to_string(i);
  for (int i = 0; i < switches; ++i) {
    std::string line =
        "SwitchName=s" + std::to_string(i) + " LinkSpeed=" + std::to_string(1 + random.below(4));
    const std::string& children = below[static_cast<std::size_t>(i)];
    if (!children.empty()) line += " Switches=" + children.substr(1);
    std::string own;
    const std::uint64_t least = children.empty() ? 1 : 0;
    for (std::uint64_t n = least + random.below(3); n > 0; --n) {
      hosts.push_back("n" + std::to_string(hosts.size()));
      own += "," + hosts.back();
    }
    if (!own.empty()) line += " Nodes=" + own.substr(1);
    lines.push_back(line + "\n");
  }
  random.shuffle(lines);
  return std::accumulate(lines.begin(), lines.end(), std::string());
}

// The switches above a host, lowest first.
std::vector<std::string> switches_above(const SwitchTopology& topology, const std::string& host) {
  std::vector<std::string> names;
  for (int at = topology.switch_of.at(host); at != none;) {
    const TopologySwitch& row = topology.switches[static_cast<std::size_t>(at)];
    names.push_back(row.name);
    at = row.parent;
  }
  return names;
}

// Those above one host and not above the other, as links.
std::vector<std::string> links_between(const SwitchTopology& topology, const std::string& from,
                                       const std::string& to) {
  const std::vector<std::string> a = switches_above(topology, from),
                                 b = switches_above(topology, to);
  std::vector<std::string> links;
  const auto has = [](const std::vector<std::string>& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  for (const std::string& name : a)
    if (!has(b, name)) links.push_back(name + " up");
  for (auto name = b.rbegin(); name != b.rend(); ++name)
    if (!has(a, *name)) links.push_back(*name + " down");
  return links;
}

TEST(Switches, RouteAsSetsOfSwitchesSay) {
  Random random(11);
  for (int i = 0; i < 40; ++i) {
    Hosts hosts;
    const std::string text = random_tree(random, 1 + static_cast<int>(random.below(14)), hosts);
    random.shuffle(hosts);
    hosts.resize(1 + random.below(hosts.size()));
    const SwitchTopology topology = read_switch_topology(text, "file");
    const std::shared_ptr<const Network> network = joined(text, hosts).network;
    for (NodeId a = 0; a < network->nodes(); ++a)
      for (NodeId b = 0; b < network->nodes(); ++b) {
        std::string expected;
        for (const std::string& name : links_between(topology, hosts[static_cast<std::size_t>(a)],
                                                     hosts[static_cast<std::size_t>(b)]))
          expected += (expected.empty() ? "" : ", ") + name;
        ASSERT_EQ(names_on(*network, a, b), expected) << text;
      }
    if (network->nodes() < 2) continue;
    expect_consistent(*network, static_cast<std::uint64_t>(i));
    expect_minimal(*network, static_cast<std::uint64_t>(i));
    const NetworkShape shape = network->shape();
    EXPECT_EQ(std::accumulate(shape.arity.begin(), shape.arity.end(), 1, std::multiplies<>()),
              network->nodes());
  }
}

// What all nodes send to all others crosses no cut faster than the cut says.
TEST(Switches, CutsHoldForWhatCrossesThem) {
  Random random(12);
  int cuts = 0;
  for (int i = 0; i < 60; ++i) {
    Hosts hosts;
    const std::string text = random_tree(random, 2 + static_cast<int>(random.below(8)), hosts);
    const std::shared_ptr<const Network> network = joined(text, hosts).network;
    const NodeId nodes = network->nodes();
    std::vector<double> loads(static_cast<std::size_t>(network->links()), 0);
    for (NodeId a = 0; a < nodes; ++a)
      for (NodeId b = 0; b < nodes; ++b)
        if (a != b) network->add_load(a, b, 1, loads);
    double busiest = 0;
    for (LinkId link = 0; link < network->links(); ++link)
      busiest = std::max(busiest, loads[static_cast<std::size_t>(link)] /
                                      static_cast<double>(network->link(link).bytes_per_second));
    for (const NetworkCut& cut : network->cuts()) {
      ++cuts;
      // Of a node's nodes - 1 messages, cut.nodes - 1 at most stay inside its block.
      const double leaving =
          std::max(0, nodes - cut.nodes) * static_cast<double>(nodes) / cut.count;
      EXPECT_LE(leaving / cut.bytes_per_second, busiest * (1 + 1e-12)) << text;
    }
  }
  EXPECT_GT(cuts, 10);
}

}  // namespace
}  // namespace rankmap::test
