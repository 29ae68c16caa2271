#include "link_graph.hpp"

#include <gtest/gtest.h>

#include <deque>

#include "libmap/base/error.hpp"
#include "libmap/base/random.hpp"

namespace rankmap::test {

std::shared_ptr<const Network> network(const std::string& text) {
  return parse_network(text).network;
}

std::string refusal(const std::string& text) {
  try {
    parse_network(text);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

LinkGraph::LinkGraph(const Network& network, EndsOf ends_of, std::vector<int> sizes) {
  for (LinkId link = 0; link < network.links(); ++link)
    links_.push_back(ends_of(network.link_name(link), sizes));
}

std::map<std::string, int> LinkGraph::distances_to(const std::string& to) const {
  std::map<std::string, int> left = {{to, 0}};
  std::deque<std::string> queue = {to};
  for (; !queue.empty(); queue.pop_front())
    for (const Ends& link : links_)
      if (link.to == queue.front() && left.emplace(link.from, left[link.to] + 1).second)
        queue.push_back(link.from);
  return left;
}

int LinkGraph::distance(const std::string& from, const std::string& to) const {
  return distances_to(to).at(from);
}

void LinkGraph::collect(const std::string& at, const std::string& to,
                        const std::map<std::string, int>& left, std::vector<LinkId>& path,
                        std::vector<std::vector<LinkId>>& paths) const {
  if (at == to) {
    paths.push_back(path);
    return;
  }
  for (std::size_t link = 0; link < links_.size(); ++link) {
    if (links_[link].from != at || left.at(links_[link].to) != left.at(at) - 1) continue;
    path.push_back(static_cast<LinkId>(link));
    collect(links_[link].to, to, left, path, paths);
    path.pop_back();
  }
}

void LinkGraph::add_shortest(const std::string& from, const std::string& to, double bytes,
                             std::vector<double>& loads) const {
  std::vector<LinkId> path;
  std::vector<std::vector<LinkId>> paths;
  collect(from, to, distances_to(to), path, paths);
  for (const auto& links : paths)
    for (const LinkId link : links)
      loads[static_cast<std::size_t>(link)] += bytes / static_cast<double>(paths.size());
}

bool LinkGraph::leads(const std::vector<LinkId>& route, const std::string& from,
                      const std::string& to) const {
  std::string at = from;
  for (const LinkId link : route) {
    if (links_.at(static_cast<std::size_t>(link)).from != at) return false;
    at = links_[static_cast<std::size_t>(link)].to;
  }
  return at == to;
}

std::string torus_node(NodeId node, const std::vector<int>& extents) {
  std::string name = ")";
  for (std::size_t d = extents.size(); d-- > 0; node /= extents[d])
    name = (d == 0 ? "(" : ",") + std::to_string(node % extents[d]) + name;
  return name;
}

LinkGraph::Ends torus_ends(const std::string& name, const std::vector<int>& extents) {
  const std::size_t close = name.find(')');
  std::vector<int> place;
  for (std::size_t at = 0; at < close; at = name.find_first_of(",)", at + 1))
    place.push_back(std::stoi(name.substr(at + 1)));
  const std::size_t d = std::string("xyztuv").find(name.at(close + 3));
  place[d] = (place[d] + (name.at(close + 2) == '+' ? 1 : extents[d] - 1)) % extents[d];
  std::string to;
  for (const int coordinate : place) to += (to.empty() ? "(" : ",") + std::to_string(coordinate);
  return {name.substr(0, close + 1), to + ")"};
}

LinkGraph::Ends dragonfly_ends(const std::string& name, const std::vector<int>&) {
  const std::string ends = name.substr(0, name.find(' '));
  const std::size_t arrow = ends.find('>');
  return {ends.substr(0, arrow), ends.substr(arrow + 1)};
}

std::vector<NodeFlow> random_flows(const Network& network, int count, std::uint64_t seed) {
  Random random(seed);
  const auto endpoints = static_cast<std::uint64_t>(network.endpoints());
  std::vector<NodeFlow> flows;
  while (static_cast<int>(flows.size()) < count && endpoints > 1) {
    const auto from = static_cast<EndpointId>(random.below(endpoints));
    const auto to = static_cast<EndpointId>(random.below(endpoints));
    if (from != to) flows.push_back({from, to, 1.0 + static_cast<double>(random.below(1000))});
  }
  return flows;
}

void expect_same(const std::vector<double>& found, const std::vector<double>& expected,
                 const Network& network) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t link = 0; link < found.size(); ++link)
    EXPECT_NEAR(found[link], expected[link], 1e-9 * (1 + expected[link]))
        << network.text() << " " << network.link_name(static_cast<LinkId>(link));
}

void expect_consistent(const Network& network, std::uint64_t seed) {
  const auto links = static_cast<std::size_t>(network.links());
  // Few flows and many: a torus adds few of them one by one.
  for (const int count : {1, 2, 500}) {
    const std::vector<NodeFlow> flows = random_flows(network, count, seed);
    std::vector<double> batched(links, 0), single(links, 0);
    network.add_loads(flows, batched);
    for (const NodeFlow& flow : flows) network.add_load(flow.from, flow.to, flow.bytes, single);
    expect_same(batched, single, network);
    for (const NodeFlow& flow : flows) {
      std::vector<LinkId> route;
      network.append_route(flow.from, flow.to, route);
      EXPECT_EQ(network.hops(flow.from, flow.to), static_cast<int>(route.size()));
      for (const LinkId link : route) EXPECT_GT(single[static_cast<std::size_t>(link)], 0);
    }
  }
}

void expect_minimal(const Network& network, std::uint64_t seed) {
  std::vector<double> loads(static_cast<std::size_t>(network.links()), 0);
  double hop_bytes = 0, sum = 0;
  const std::vector<NodeFlow> flows = random_flows(network, 300, seed);
  for (const NodeFlow& flow : flows) hop_bytes += flow.bytes * network.hops(flow.from, flow.to);
  network.add_loads(flows, loads);
  for (const double load : loads) sum += load;
  EXPECT_NEAR(sum, hop_bytes, 1e-9 * hop_bytes) << network.text();
}

}  // namespace rankmap::test
