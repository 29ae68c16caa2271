// The 68 cases of tests/golden/traffic: every metric of every case, within 1e-9.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "libmap/machine/machine_spec.hpp"
#include "libmap/machine/network/torus.hpp"
#include "libmap/model/objective.hpp"
#include "traffic_apps.hpp"

namespace rankmap::test {
namespace {

using nlohmann::json;

json read(const std::string& name) {
  std::ifstream file(std::string(RANKMAP_SOURCE_DIR) + "/tests/golden/traffic/" + name);
  return json::parse(file);
}

std::string joined(const std::vector<int>& numbers) {
  std::string text;
  for (const int number : numbers) text += (text.empty() ? "" : "x") + std::to_string(number);
  return text;
}

// The machine's text, so that its reading is tested too: torus:8x8x8,slots=2,routing=dor,order=xyz.
std::string spec_of(const json& one) {
  const auto extents = one.at("torus_dims").get<std::vector<int>>();
  const json& routing = one.at("routing");
  std::string text = "torus:" + joined(extents) +
                     ",routing=" + routing.at("mode").get<std::string>() +
                     ",tie=" + routing.at("tie").get<std::string>();
  std::string open;
  for (std::size_t d = 0; d < extents.size(); ++d)
    if (!one.at("wrap")[d].get<bool>()) open += torus_letters[d];
  if (!open.empty()) text += ",mesh=" + open;
  if (routing.contains("order") && routing.at("mode") == "dor") {
    text += ",order=";
    for (const std::size_t d : routing.at("order")) text += torus_letters[d];
  }
  int slots = 1;
  for (std::size_t d = extents.size(); d < one.at("net_dims").size(); ++d)
    slots *= one.at("net_dims")[d].get<int>();
  return text + ",slots=" + std::to_string(slots);
}

Mapping mapping_of(const json& one, const json& mappings) {
  for (const json& row : mappings.at("mappings")) {
    if (row.at("id") != one.at("mapping")) continue;
    EXPECT_EQ(row.at("dims"), one.at("net_dims"));
    return {row.at("rank_to_pos").get<std::vector<SlotId>>()};
  }
  throw std::runtime_error("no such mapping");
}

void expect_near(const json& expected, double found, const std::string& what) {
  const double value = expected.get<double>();
  EXPECT_NEAR(found, value, 1e-9 * std::max(1.0, std::abs(value))) << what;
}

// [node, dimension, +1 or -1] of every link, in this order, with its load.
struct NamedLoad {
  NodeId node;
  int dimension;
  int direction;
  double bytes;
};

std::vector<NamedLoad> named_loads(const Machine& machine, const std::vector<double>& loads,
                                   const std::vector<bool>& wrap) {
  const auto& torus = dynamic_cast<const Torus&>(*machine.network());
  std::vector<NamedLoad> named;
  const std::vector<int>& extents = torus.extents();
  for (NodeId node = 0; node < machine.nodes(); ++node) {
    NodeId stride = machine.nodes();
    for (std::size_t d = 0; d < extents.size(); ++d) {
      stride /= extents[d];
      const int at = node / stride % extents[d];
      for (const int direction : {1, -1}) {
        const bool edge = direction == 1 ? at == extents[d] - 1 : at == 0;
        if (extents[d] == 1 || (edge && !wrap[d])) continue;
        const LinkId link = torus.link_from(node, d, direction == 1 ? 0 : 1);
        named.push_back({node, static_cast<int>(d), direction, loads.at(std::size_t(link))});
      }
    }
  }
  return named;
}

struct Sums {
  std::uint64_t messages = 0, inside_messages = 0;
  double bytes = 0, inside_bytes = 0, message_hops = 0;
};

Sums sums_of(const CommGraph& app, const Machine& machine, const Mapping& mapping) {
  Sums sums;
  for (const Edge& edge : app.edges()) {
    const SlotId from = mapping[edge.source], to = mapping[edge.destination];
    const bool inside = machine.node_of(from) == machine.node_of(to);
    sums.messages += edge.messages;
    sums.bytes += static_cast<double>(edge.bytes);
    if (inside) sums.inside_messages += edge.messages;
    if (inside) sums.inside_bytes += static_cast<double>(edge.bytes);
    sums.message_hops += static_cast<double>(edge.messages) * machine.hops(from, to);
  }
  return sums;
}

void check_sums(const json& metrics, const Sums& sums, const Score& scored) {
  const auto hop_bytes = static_cast<double>(scored.hop_bytes);
  const double outside = static_cast<double>(sums.messages - sums.inside_messages);
  expect_near(metrics.at("messages"), static_cast<double>(sums.messages), "messages");
  expect_near(metrics.at("total_bytes"), sums.bytes, "total_bytes");
  expect_near(metrics.at("intranode_messages"), static_cast<double>(sums.inside_messages),
              "inside");
  expect_near(metrics.at("intranode_bytes"), sums.inside_bytes, "intranode_bytes");
  expect_near(metrics.at("network_bytes"), static_cast<double>(scored.off_node_bytes), "network");
  expect_near(metrics.at("hop_bytes"), hop_bytes, "hop_bytes");
  expect_near(metrics.at("max_dilation"), scored.max_dilation, "max_dilation");
  expect_near(metrics.at("avg_hops_per_network_message"), sums.message_hops / outside, "hops");
  expect_near(metrics.at("avg_hops_per_message_all"),
              sums.message_hops / static_cast<double>(sums.messages), "hops of all");
  expect_near(metrics.at("avg_hops_per_network_byte"),
              hop_bytes / static_cast<double>(scored.off_node_bytes), "hops a byte");
}

void check_loads(const json& metrics, const std::vector<NamedLoad>& loads) {
  double sum = 0, most = 0;
  int used = 0;
  for (const NamedLoad& load : loads) {
    sum += load.bytes;
    used += load.bytes > 0 ? 1 : 0;
    most = std::max(most, load.bytes);
  }
  expect_near(metrics.at("hop_bytes"), sum, "the sum of the loads");
  expect_near(metrics.at("links"), static_cast<double>(loads.size()), "links");
  expect_near(metrics.at("links_used"), used, "links_used");
  expect_near(metrics.at("avg_bytes_per_link"), sum / static_cast<double>(loads.size()), "average");
  expect_near(metrics.at("avg_bytes_per_used_link"), sum / used, "average of used");
  expect_near(metrics.at("max_bytes_link"), most, "max_bytes_link");
  const auto first = std::find_if(loads.begin(), loads.end(), [&](const NamedLoad& load) {
    return load.bytes >= most * (1 - 1e-12);
  });
  EXPECT_EQ(metrics.at("max_link"), json({first->node, first->dimension, first->direction}));
}

void check_directions(const json& rows, const std::vector<NamedLoad>& loads, bool cut) {
  for (const json& row : rows) {
    double sum = 0, most = 0;
    int used = 0;
    for (const NamedLoad& load : loads) {
      if (load.dimension != row.at("dim") || load.direction != row.at("dir")) continue;
      sum += load.bytes;
      most = std::max(most, load.bytes);
      used += load.bytes > 0 ? 1 : 0;
    }
    // The sums are whole numbers there, cut off where a path share left a residue.
    EXPECT_GT(sum, row.at("sum").get<double>() - 1e-3) << "sum of " << row;
    EXPECT_LT(sum, row.at("sum").get<double>() + (cut ? 1 + 1e-3 : 1e-3)) << "sum of " << row;
    expect_near(row.at("max"), most, "max of " + row.dump());
    expect_near(row.at("used"), used, "used of " + row.dump());
  }
}

void check_links(const json& links, const std::vector<NamedLoad>& loads) {
  std::map<std::vector<int>, double> expected;
  for (const json& row : links)
    expected[{row[0].get<int>(), row[1].get<int>(), row[2].get<int>()}] = row[3].get<double>();
  for (const NamedLoad& load : loads)
    EXPECT_NEAR(load.bytes, (expected[{load.node, load.dimension, load.direction}]), 1e-6)
        << load.node << " " << load.dimension << " " << load.direction;
}

void check_groups(const json& metrics, const json& pattern, const Machine& machine,
                  const Mapping& mapping) {
  int fewest = machine.links(), most = 0, groups = 0;
  double sum = 0, busiest = 0;
  for (const CommGraph& group : traffic_groups(pattern)) {
    const std::vector<double> loads = link_loads(group, machine, mapping).front();
    const int used = static_cast<int>(
        std::count_if(loads.begin(), loads.end(), [](double load) { return load > 0; }));
    fewest = std::min(fewest, used);
    most = std::max(most, used);
    sum += used;
    ++groups;
    busiest = std::max(busiest, *std::max_element(loads.begin(), loads.end()));
  }
  expect_near(metrics.at("groups"), groups, "groups");
  expect_near(metrics.at("links_min"), fewest, "links_min");
  expect_near(metrics.at("links_max"), most, "links_max");
  expect_near(metrics.at("links_avg"), sum / groups, "links_avg");
  expect_near(metrics.at("max_bytes_link_one_group"), busiest, "max_bytes_link_one_group");
}

TEST(TrafficGolden, EveryMetricOfEveryCase) {
  const json mappings = read("mappings.json");
  const json golden = read("golden_metrics.json");
  int cases = 0, with_links = 0, with_groups = 0;
  for (const json& one : golden.at("cases")) {
    SCOPED_TRACE(one.at("id").get<std::string>());
    const Machine machine = read_machine(spec_of(one), {});
    const Mapping mapping = mapping_of(one, mappings);
    const CommGraph app = traffic_app(one.at("pattern"));
    const json& metrics = one.at("metrics");
    const Score scored = score(app, machine, mapping);
    check_sums(metrics, sums_of(app, machine, mapping), scored);
    const std::vector<double> loads = link_loads(app, machine, mapping).front();
    const std::vector<NamedLoad> named =
        named_loads(machine, loads, one.at("wrap").get<std::vector<bool>>());
    check_loads(metrics, named);
    check_directions(metrics.at("by_dim_dir"), named, one.at("routing").at("mode") == "minpath");
    if (metrics.contains("link_bytes")) check_links(metrics.at("link_bytes"), named);
    if (one.contains("group_metrics"))
      check_groups(one.at("group_metrics"), one.at("pattern"), machine, mapping);
    ++cases;
    with_links += metrics.contains("link_bytes") ? 1 : 0;
    with_groups += one.contains("group_metrics") ? 1 : 0;
  }
  EXPECT_EQ(cases, 68);
  EXPECT_GT(with_links, 5);
  EXPECT_GT(with_groups, 5);
}

}  // namespace
}  // namespace rankmap::test
