// Dragonflies against routes counted one by one on their explicit links.
#include "libmap/machine/network/dragonfly.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "link_graph.hpp"

namespace rankmap::test {
namespace {

const std::vector<std::string> shapes = {
    "dragonfly:groups=5,routers=4,nodes=2,global=1",
    "dragonfly:groups=3,routers=4,nodes=1,global=2",
    "dragonfly:groups=4,routers=3x2,nodes=2,global=1",
    "dragonfly:groups=3,routers=3x3,nodes=1,links=4,local=1:3",
    "dragonfly:groups=2,routers=1,nodes=3,global=2",
    "dragonfly:groups=1,routers=2x3,nodes=2",
};

struct Sizes {
  int groups, rows, columns, ports;
  int lanes[2];
};

// Of the shapes above, in their order.
const std::vector<Sizes> sizes = {{5, 4, 1, 2, {1, 1}}, {3, 4, 1, 1, {1, 1}}, {4, 3, 2, 2, {1, 1}},
                                  {3, 3, 3, 1, {1, 3}}, {2, 1, 1, 3, {1, 1}}, {1, 2, 3, 2, {1, 1}}};

struct At {
  int group;
  int router;
};

At at(EndpointId endpoint, const Sizes& s) {
  const int all = endpoint / s.ports;
  return {all / (s.rows * s.columns), all % (s.rows * s.columns)};
}

std::string name(At place) {
  return "g" + std::to_string(place.group) + "r" + std::to_string(place.router);
}

// The slow twin: finds links by their ends, tries both corners, and every link of a pair of groups.
class Twin {
 public:
  Twin(const Network& network, const Sizes& s) : s_(s) {
    for (LinkId link = 0; link < network.links(); ++link) {
      const auto ends = dragonfly_ends(network.link_name(link), {});
      links_[{ends.from, ends.to}].push_back(link);
    }
  }

  void add_minimal(At from, At to, double bytes, std::vector<double>& loads) const {
    if (from.group == to.group) return add_local(from, to, bytes, loads);
    struct Crossing {
      At out, in;
      LinkId link;
    };
    std::vector<Crossing> crossings;
    for (int a = 0; a < s_.rows * s_.columns; ++a)
      for (int b = 0; b < s_.rows * s_.columns; ++b)
        for (const LinkId link : between({from.group, a}, {to.group, b}))
          crossings.push_back({{from.group, a}, {to.group, b}, link});
    for (const Crossing& crossing : crossings) {
      const double part = bytes / static_cast<double>(crossings.size());
      add_local(from, crossing.out, part, loads);
      loads[static_cast<std::size_t>(crossing.link)] += part;
      add_local(crossing.in, to, part, loads);
    }
  }

  // Every group, then every router of it, as the middle.
  void add_valiant(At from, At to, double bytes, std::vector<double>& loads) const {
    if (from.group == to.group) return add_local(from, to, bytes, loads);
    for (int group = 0; group < s_.groups; ++group) {
      const double part = bytes / s_.groups;
      if (group == from.group || group == to.group) {
        add_minimal(from, to, part, loads);
        continue;
      }
      const int routers = s_.rows * s_.columns;
      for (int r = 0; r < routers; ++r) {
        add_minimal(from, {group, r}, part / routers, loads);
        add_minimal({group, r}, to, part / routers, loads);
      }
    }
  }

 private:
  std::vector<LinkId> between(At from, At to) const {
    const auto found = links_.find({name(from), name(to)});
    return found == links_.end() ? std::vector<LinkId>{} : found->second;
  }

  void add_local(At from, At to, double bytes, std::vector<double>& loads) const {
    if (from.router == to.router) return;
    if (const auto direct = between(from, to); !direct.empty()) {
      ASSERT_EQ(direct.size(), 1U);
      loads[static_cast<std::size_t>(direct[0])] += bytes;
      return;
    }
    // Through each router joined to both; the weight is that of the first hop's dimension.
    double total = 0;
    std::vector<std::pair<int, double>> corners;
    for (int r = 0; r < s_.rows * s_.columns; ++r) {
      if (between(from, {from.group, r}).empty() || between({from.group, r}, to).empty()) continue;
      const bool changes_row = r / s_.columns != from.router / s_.columns;
      corners.emplace_back(r, s_.lanes[changes_row ? 0 : 1]);
      total += corners.back().second;
    }
    ASSERT_EQ(corners.size(), 2U);
    for (const auto& [r, weight] : corners) {
      loads[static_cast<std::size_t>(between(from, {from.group, r})[0])] += bytes * weight / total;
      loads[static_cast<std::size_t>(between({from.group, r}, to)[0])] += bytes * weight / total;
    }
  }

  Sizes s_;
  std::map<std::pair<std::string, std::string>, std::vector<LinkId>> links_;
};

TEST(Dragonfly, MinimalAndValiantLoadsAreThoseOfTheirRoutesOneByOne) {
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    for (const bool valiant : {false, true}) {
      const auto fly = network(shapes[i] + (valiant ? ",routing=valiant" : ""));
      const Twin twin(*fly, sizes[i]);
      const std::vector<NodeFlow> flows = random_flows(*fly, 50, 2);
      std::vector<double> found(static_cast<std::size_t>(fly->links()), 0), expected = found;
      fly->add_loads(flows, found);
      for (const NodeFlow& flow : flows) {
        const At from = at(flow.from, sizes[i]), to = at(flow.to, sizes[i]);
        if (valiant)
          twin.add_valiant(from, to, flow.bytes, expected);
        else
          twin.add_minimal(from, to, flow.bytes, expected);
      }
      expect_same(found, expected, *fly);
      expect_consistent(*fly, 9);
    }
  }
}

TEST(Dragonfly, RoutesAreWalksOverOneGlobalLink) {
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    const auto fly = network(shapes[i]);
    const LinkGraph graph(*fly, dragonfly_ends, {});
    for (const NodeFlow& flow : random_flows(*fly, 80, 4)) {
      std::vector<LinkId> route;
      fly->append_route(flow.from, flow.to, route);
      const At from = at(flow.from, sizes[i]), to = at(flow.to, sizes[i]);
      EXPECT_TRUE(graph.leads(route, name(from), name(to))) << shapes[i];
      const auto global = std::count_if(route.begin(), route.end(), [&](LinkId link) {
        return fly->link(link).kind == LinkKind::global;
      });
      EXPECT_EQ(global, from.group == to.group ? 0 : 1);
      EXPECT_EQ(fly->hops(flow.from, flow.to), static_cast<int>(route.size()));
    }
  }
}

TEST(Dragonfly, ParallelLinksAreSpreadOverTheRouters) {
  // 96 routers with 4 global ports each for 8 other groups: 48 links a pair, as on a Cray XC40 of
  // nine groups, and no router holds more than 4 of all.
  const auto fly = network("dragonfly:groups=9,routers=16x6,nodes=4,global=4");
  std::map<std::string, int> ends;
  std::map<std::string, int> pairs;
  for (LinkId link = 0; link < fly->links(); ++link) {
    if (fly->link(link).kind != LinkKind::global) continue;
    const auto [from, to] = dragonfly_ends(fly->link_name(link), {});
    ++ends[from];
    ++pairs[from.substr(0, from.find('r')) + to.substr(0, to.find('r'))];
  }
  EXPECT_EQ(ends.size(), 9U * 96);
  for (const auto& [router, count] : ends) EXPECT_EQ(count, 4) << router;
  EXPECT_EQ(pairs.size(), 9U * 8);
  for (const auto& [pair, count] : pairs) EXPECT_EQ(count, 48) << pair;
}

TEST(Dragonfly, BothDirectionsOfAGlobalLinkJoinTheSameRouters) {
  const auto fly = network("dragonfly:groups=4,routers=5,nodes=1,global=3");
  std::map<std::pair<std::string, std::string>, int> there, back;
  for (LinkId link = 0; link < fly->links(); ++link) {
    const auto [from, to] = dragonfly_ends(fly->link_name(link), {});
    ++there[{from, to}];
    ++back[{to, from}];
  }
  EXPECT_EQ(there, back);
}

double busiest(const Network& fly, const std::vector<double>& loads) {
  double worst = 0;
  for (std::size_t link = 0; link < loads.size(); ++link)
    worst = std::max(
        worst,
        loads[link] / static_cast<double>(fly.link(static_cast<LinkId>(link)).bytes_per_second));
  return worst;
}

TEST(Dragonfly, UgalTakesTheSplitThatMakesTheBusiestLinkLeastBusy) {
  for (const std::uint64_t seed : {1, 2, 3, 4, 5}) {
    const std::string shape = "dragonfly:groups=5,routers=4,nodes=2,global=1,gbps=10:4:2";
    const auto ugal = network(shape + ",routing=ugal");
    const auto minimal = network(shape), valiant = network(shape + ",routing=valiant");
    // All of one group send to the next: minimal crowds one global link.
    std::vector<NodeFlow> flows = random_flows(*ugal, static_cast<int>(3 * seed), seed);
    for (EndpointId from = 0; from < 8; ++from)
      flows.push_back({from, 8 + (from + static_cast<EndpointId>(seed)) % 8, 700});
    const auto links = static_cast<std::size_t>(ugal->links());
    std::vector<double> found(links, 0), m(links, 0), v(links, 0);
    ugal->add_loads(flows, found);
    minimal->add_loads(flows, m);
    valiant->add_loads(flows, v);
    double best = busiest(*ugal, m);
    for (int step = 0; step <= 10000; ++step) {
      std::vector<double> mixed(links);
      for (std::size_t link = 0; link < links; ++link)
        mixed[link] = m[link] * step / 10000 + v[link] * (10000 - step) / 10000;
      best = std::min(best, busiest(*ugal, mixed));
    }
    EXPECT_LE(busiest(*ugal, found), best * (1 + 1e-9));
    EXPECT_GE(busiest(*ugal, found), best * (1 - 1e-3));
    EXPECT_LT(busiest(*ugal, found), busiest(*minimal, m));
  }
}

TEST(Dragonfly, HasItsBandwidths) {
  const auto fly =
      network("dragonfly:groups=3,routers=3x2,nodes=1,global=1,local=1:3,gbps=8:5:4:2");
  EXPECT_EQ(fly->port_bytes_per_second(), from_gbps(8));
  std::map<BytesPerSecond, int> counts;
  for (LinkId link = 0; link < fly->links(); ++link) ++counts[fly->link(link).bytes_per_second];
  // 18 routers: two links of 5 in the first dimension, one of three lanes of 4; three links a pair.
  EXPECT_EQ(counts[from_gbps(5)], 36);
  EXPECT_EQ(counts[from_gbps(12)], 18);
  EXPECT_EQ(counts[from_gbps(2)], 3 * 2 * 3);
}

}  // namespace
}  // namespace rankmap::test
