// Formats that are lists: ranks by process, hosts by rank, coordinates by rank.
#include <algorithm>

#include "libmap/base/text.hpp"
#include "libmap/mapping/formats/grid.hpp"
#include "libmap/mapping/read/items.hpp"
#include "libmap/mapping/read/readers.hpp"

namespace rankmap {
namespace {

std::int64_t number_of(const Item& item, const std::string& source, const char* expected) {
  const std::optional<std::uint64_t> number = parse_unsigned(item.text);
  if (!number || *number >= static_cast<std::uint64_t>(most_ranks))
    throw InputError(item.where(source), "found " + quoted(item.text) + ", expected " + expected);
  return static_cast<std::int64_t>(*number);
}

// "7" or "4-7"; at most `most` numbers.
std::pair<std::int64_t, std::int64_t> range_of(const Item& item, const std::string& source,
                                               std::int64_t most) {
  constexpr const char* expected = "a rank or a range of ranks, as in 0,2-5";
  const std::size_t dash = item.text.find('-');
  const std::int64_t first =
      number_of({item.text.substr(0, dash), item.line, item.column}, source, expected);
  if (dash == item.text.npos) return {first, first};
  const std::int64_t last =
      number_of({item.text.substr(dash + 1), item.line, item.column + dash + 1}, source, expected);
  if (last < first || last - first >= most)
    throw InputError(item.where(source), "found " + quoted(item.text) +
                                             ", expected a range that goes up and has at most " +
                                             std::to_string(most) + " ranks, one a slot");
  return {first, last};
}

// Processes per node: even where that is possible, else nodes are filled.
SlotId processes_per_node(std::size_t processes, const Machine& machine) {
  const auto nodes = static_cast<std::size_t>(machine.nodes());
  const auto slots = static_cast<std::size_t>(machine.slots_per_node());
  const bool even = processes % nodes == 0 && processes / nodes <= slots;
  return static_cast<SlotId>(even ? processes / nodes : slots);
}

}  // namespace

ForeignMap read_rank_order(std::string_view text, const std::string& source,
                           const Machine& machine) {
  ForeignMap map{source, {}};
  std::vector<ForeignRank*> by_process;
  for (const Item& item : items_of(text)) {
    const auto [first, last] = range_of(item, source, machine.slots());
    for (std::int64_t rank = first; rank <= last; ++rank) {
      if (by_process.size() == static_cast<std::size_t>(machine.slots()))
        throw InputError(item.where(source), "more ranks than the machine " + machine.name() +
                                                 " has slots (" + std::to_string(machine.slots()) +
                                                 ")");
      by_process.push_back(&add_rank(map, rank, item.where(source)));
    }
  }
  const SlotId per_node = std::max(processes_per_node(by_process.size(), machine), SlotId{1});
  for (std::size_t process = 0; process < by_process.size(); ++process) {
    by_process[process]->node = static_cast<NodeId>(process) / per_node;
    by_process[process]->slot = static_cast<int>(process) % per_node;
  }
  return map;
}

ForeignMap read_task_hosts(std::string_view text, const std::string& source,
                           const Machine& machine) {
  ForeignMap map{source, {}};
  for (const Item& item : items_of(text)) {
    const std::size_t star = item.text.find('*');
    const std::int64_t count =
        star == item.text.npos
            ? 1
            : number_of({item.text.substr(star + 1), item.line, item.column + star + 1}, source,
                        "the number of ranks behind *, as in n0*2");
    const std::string host(item.text.substr(0, star));
    if (host.empty() || host.find_first_of("[]=:\"") != host.npos ||
        std::any_of(host.begin(), host.end(), [](char c) { return c <= ' ' || c > '~'; }))
      throw InputError(item.where(source),
                       "found " + quoted(item.text) + ", expected a host a rank, as in n0 or n0*2");
    if (count < 1 || count > machine.slots_per_node())
      throw InputError(item.where(source),
                       std::to_string(count) + " ranks on one node, but " + machine.name() +
                           " has " + std::to_string(machine.slots_per_node()) + " slots a node");
    for (std::int64_t i = 0; i < count; ++i)
      add_rank(map, static_cast<std::int64_t>(map.ranks.size()), item.where(source)).host = host;
  }
  return map;
}

namespace {

std::vector<std::size_t> extents_of(const Machine& machine, const std::string& source) {
  std::vector<std::size_t> extents = grid_extents(machine.name());
  if (extents.empty() && machine.network() != nullptr)
    extents = grid_extents(machine.network()->text());
  if (extents.empty())
    throw InputError({source, 0, 0}, "coordinates of a torus, but the machine is " +
                                         quoted(machine.name()) +
                                         ", expected torus:AxB... or mesh:AxB...");
  return extents;
}

void read_place(const std::vector<Item>& numbers, const std::vector<std::size_t>& extents,
                const std::string& source, ForeignRank& rank) {
  std::vector<std::size_t> place;
  for (std::size_t i = 0; i < extents.size(); ++i) {
    const std::int64_t value = number_of(numbers[i], source, "a coordinate");
    if (static_cast<std::size_t>(value) >= extents[i])
      throw InputError(numbers[i].where(source), "coordinate " + std::to_string(value) +
                                                     ", expected 0 to " +
                                                     std::to_string(extents[i] - 1));
    place.push_back(static_cast<std::size_t>(value));
  }
  rank.node = static_cast<NodeId>(node_at(place, extents));
  rank.slot = numbers.size() == extents.size()
                  ? 0
                  : static_cast<int>(number_of(numbers.back(), source, "T, the slot of the node"));
}

}  // namespace

ForeignMap read_bluegene_map(std::string_view text, const std::string& source,
                             const Machine& machine) {
  const std::vector<std::size_t> extents = extents_of(machine, source);
  ForeignMap map{source, {}};
  std::vector<Item> numbers;
  const std::vector<Item> items = items_of(text);
  for (std::size_t i = 0; i < items.size(); ++i) {
    numbers.push_back(items[i]);
    if (i + 1 < items.size() && items[i + 1].line == items[i].line) continue;
    if (numbers.size() != extents.size() && numbers.size() != extents.size() + 1)
      throw InputError(numbers.front().where(source),
                       "found " + std::to_string(numbers.size()) + " numbers, expected " +
                           std::to_string(extents.size()) + " coordinates and T");
    read_place(
        numbers, extents, source,
        add_rank(map, static_cast<std::int64_t>(map.ranks.size()), numbers.front().where(source)));
    numbers.clear();
  }
  return map;
}

}  // namespace rankmap
