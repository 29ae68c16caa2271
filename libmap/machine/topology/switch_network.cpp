// SwitchTopology and some of its hosts -> the network that joins them.
#include <algorithm>

#include "libmap/base/error.hpp"
#include "libmap/base/ids.hpp"
#include "libmap/base/text.hpp"
#include "libmap/machine/topology/switches.hpp"

namespace rankmap {
namespace {

constexpr double fastest_gbps = 1e6;

std::size_t at(int index) {
  return static_cast<std::size_t>(index);
}

// The switch of each host; none where it is at no switch.
std::vector<int> switches_of(const SwitchTopology& topology,
                             const std::vector<std::string>& hosts) {
  std::vector<int> numbers;
  for (const std::string& host : hosts) {
    auto found = topology.switch_of.find(host);
    if (found == topology.switch_of.end())
      found = topology.switch_of.find(host.substr(0, host.find('.')));
    numbers.push_back(found == topology.switch_of.end() ? none : found->second);
  }
  return numbers;
}

void note_lost(const std::vector<int>& numbers, const std::vector<std::string>& hosts,
               std::vector<std::string>& notes) {
  const auto lost = std::count(numbers.begin(), numbers.end(), none);
  const auto first = std::find(numbers.begin(), numbers.end(), none) - numbers.begin();
  if (lost == static_cast<std::ptrdiff_t>(hosts.size()))
    throw UsageError("none of the hosts, as " + rankmap::quoted(hosts.front()) +
                     ", is at a switch of the topology");
  if (lost > 0)
    notes.push_back(std::to_string(lost) + " hosts are at no switch, as " +
                    rankmap::quoted(hosts[static_cast<std::size_t>(first)]) +
                    ": taken at the highest");
}

// The lowest switch above all; rows come after their parents.
int lowest_above(const SwitchTopology& topology, const std::vector<int>& numbers) {
  std::vector<std::size_t> below(topology.switches.size(), 0);
  for (const int number : numbers) ++below[at(std::max(number, 0))];
  for (std::size_t i = topology.switches.size(); i-- > 0;) {
    if (below[i] == numbers.size()) return static_cast<int>(i);
    if (i > 0) below[at(topology.switches[i].parent)] += below[i];
  }
  return 0;
}

BytesPerSecond speed_of(const TopologySwitch& row, BytesPerSecond unit) {
  const double speed = static_cast<double>(row.link_speed) * static_cast<double>(unit);
  return speed > fastest_gbps * 1e9 ? from_gbps(fastest_gbps) : unit * row.link_speed;
}

// The switches between `root` and the hosts, numbered anew in the same order.
std::vector<Switches::Row> rows_below(const SwitchTopology& topology, int root,
                                      std::vector<int>& numbers, BytesPerSecond unit) {
  std::vector<int> position(topology.switches.size(), none);
  for (int& number : numbers) {
    number = number == none ? root : number;
    for (int above = number; position[at(above)] == none;
         above = topology.switches[at(above)].parent) {
      position[at(above)] = 0;
      if (above == root) break;
    }
  }
  std::vector<Switches::Row> rows;
  for (std::size_t i = 0; i < position.size(); ++i) {
    if (position[i] == none) continue;
    const TopologySwitch& row = topology.switches[i];
    position[i] = static_cast<int>(rows.size());
    rows.push_back({row.name, rows.empty() ? none : position[at(row.parent)], speed_of(row, unit)});
  }
  for (int& number : numbers) number = position[at(number)];
  return rows;
}

}  // namespace

std::shared_ptr<const Network> switch_network(const SwitchTopology& topology,
                                              const std::vector<std::string>& hosts,
                                              const SwitchesOptions& options,
                                              std::vector<std::string>& notes) {
  if (hosts.empty()) throw UsageError("no hosts for the network " + rankmap::quoted(options.text));
  if (topology.flat) return flat_network(static_cast<NodeId>(hosts.size()));
  std::vector<int> numbers = switches_of(topology, hosts);
  note_lost(numbers, hosts, notes);
  notes.insert(notes.end(), topology.notes.begin(), topology.notes.end());
  const int root = lowest_above(topology, numbers);
  std::vector<Switches::Row> rows = rows_below(topology, root, numbers, options.unit);
  return std::make_shared<Switches>(options.text, std::move(rows), std::move(numbers),
                                    options.port);
}

}  // namespace rankmap
