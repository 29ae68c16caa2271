#include "libmap/report/html/traffic.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "libmap/base/error.hpp"
#include "libmap/model/objective.hpp"

namespace rankmap {
namespace {

using PairBytes = std::map<std::pair<Rank, Rank>, double>;

std::size_t at(LinkId link) {
  return static_cast<std::size_t>(link);
}

std::vector<HotLink> busiest_links(const Machine& machine, const std::vector<double>& total,
                                   std::size_t count) {
  std::vector<HotLink> busy;
  for (LinkId link = 0; link < machine.links(); ++link) {
    const double bytes = total[at(link)];
    if (bytes <= 0) continue;
    const auto speed = static_cast<double>(machine.link(link).bytes_per_second);
    busy.push_back({link, bytes, bytes / speed, {}, 0});
  }
  const auto busier = [](const HotLink& a, const HotLink& b) {
    return a.seconds != b.seconds ? a.seconds > b.seconds : a.link < b.link;
  };
  const std::size_t kept = std::min(count, busy.size());
  std::partial_sort(busy.begin(), busy.begin() + static_cast<std::ptrdiff_t>(kept), busy.end(),
                    busier);
  busy.resize(kept);
  return busy;
}

std::vector<GuiltyPair> heaviest(const PairBytes& bytes, std::size_t count) {
  std::vector<GuiltyPair> pairs;
  for (const auto& [pair, sum] : bytes) pairs.push_back({pair.first, pair.second, sum});
  std::stable_sort(pairs.begin(), pairs.end(),
                   [](const GuiltyPair& a, const GuiltyPair& b) { return a.bytes > b.bytes; });
  if (pairs.size() > count) pairs.resize(count);
  return pairs;
}

// Each edge is laid on the machine by itself; what the hot links then carry more is its share.
void find_guilty(const CommGraph& app, const Machine& machine, const Mapping& mapping,
                 std::size_t count, std::vector<HotLink>& hottest) {
  std::vector<double> loads(at(machine.links()), 0);
  std::vector<PairBytes> shares(hottest.size());
  for (const Edge& edge : app.edges()) {
    machine.add_load(mapping[edge.source], mapping[edge.destination],
                     static_cast<double>(edge.bytes), loads);
    for (std::size_t i = 0; i < hottest.size(); ++i) {
      double& load = loads[at(hottest[i].link)];
      if (load > 0) shares[i][{edge.source, edge.destination}] += load;
      load = 0;
    }
  }
  for (std::size_t i = 0; i < hottest.size(); ++i) {
    hottest[i].pairs = heaviest(shares[i], count);
    hottest[i].all_pairs = shares[i].size();
  }
}

}  // namespace

MappingTraffic traffic_of(const CommGraph& app, const Machine& machine, const NamedMapping& named,
                          std::size_t links, std::size_t pairs) {
  MappingTraffic traffic;
  constexpr std::int64_t most_numbers = std::int64_t{1} << 26;  // 512 MiB
  if (std::int64_t{app.phases()} > most_numbers / std::max(1, machine.links()))
    throw Infeasible("no page about " + app.name + ": " + std::to_string(app.phases()) +
                     " phases on " + std::to_string(machine.links()) +
                     " links, expected at most 2^26 of both multiplied");
  traffic.name = named.name;
  traffic.mapping = named.mapping;
  traffic.loads = link_loads(app, machine, named.mapping);
  traffic.total.assign(at(machine.links()), 0);
  for (const std::vector<double>& phase : traffic.loads) {
    traffic.phase_seconds.push_back(machine.busiest_seconds(phase));
    for (std::size_t link = 0; link < phase.size(); ++link) traffic.total[link] += phase[link];
  }
  traffic.hop_bytes = hop_bytes(app, machine, named.mapping);
  traffic.off_node_bytes = off_node_bytes(app, machine, named.mapping);
  traffic.max_dilation = max_dilation(app, machine, named.mapping);
  traffic.hottest = busiest_links(machine, traffic.total, links);
  find_guilty(app, machine, named.mapping, pairs, traffic.hottest);
  return traffic;
}

}  // namespace rankmap
