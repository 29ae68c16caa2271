#include "libmap/place/near_map.hpp"

#include <algorithm>
#include <limits>
#include <map>

#include "libmap/base/error.hpp"
#include "libmap/machine/near_cores.hpp"
#include "libmap/place/near.hpp"

namespace rankmap {
namespace {

std::size_t at(int index) {
  return static_cast<std::size_t>(index);
}

using Cores = std::vector<const Core*>;

void take(MapRow& row, Cores::const_iterator begin, Cores::const_iterator end) {
  row.cpus = CpuSet();
  row.cores = CpuSet();
  for (auto core = begin; core != end; ++core) {
    row.cpus = row.cpus.united((*core)->cpus);
    if ((*core)->logical >= 0) row.cores.add((*core)->logical);
  }
}

// Even contiguous shares of the cores, remainder spread; fewer cores than rows: some get the same one.
void divide(const Cores& cores, const std::vector<MapRow*>& rows) {
  const std::size_t parts = rows.size(), count = cores.size();
  for (std::size_t i = 0; i < parts; ++i) {
    const std::size_t begin = i * count / parts;
    const std::size_t end = std::max((i + 1) * count / parts, begin + 1);
    take(*rows[i], cores.begin() + static_cast<std::ptrdiff_t>(begin),
         cores.begin() + static_cast<std::ptrdiff_t>(end));
  }
}

// With CPUs that are known, by their first OS number.
Cores ordered_cores(const NodeModel& model) {
  Cores cores;
  for (const Core& core : model.cores)
    if (!core.cpus.empty()) cores.push_back(&core);
  std::sort(cores.begin(), cores.end(), [](const Core* a, const Core* b) {
    return a->cpus.numbers().front() < b->cpus.numbers().front();
  });
  return cores;
}

// Ranks whose GPUs have the same near cores divide these, all of them, also where GPUs stay unused.
void share_gpu_cores(const Machine& machine, const std::vector<int>& slots,
                     std::vector<MapRow>& rows) {
  const std::vector<SlotCores> pools = near_cores(machine.model(), NearCores::shared);
  const Cores all = ordered_cores(machine.model());
  std::map<std::vector<int>, std::vector<MapRow*>> users;
  for (std::size_t i = 0; i < rows.size(); ++i)
    users[pools[at(slots[i])].cpus.numbers()].push_back(&rows[i]);
  for (const auto& [cpus, of_pool] : users) {
    Cores cores;
    for (const Core* core : all)
      if (std::includes(cpus.begin(), cpus.end(), core->cpus.numbers().begin(),
                        core->cpus.numbers().end()))
        cores.push_back(core);
    if (cores.size() >= of_pool.size()) {
      divide(cores, of_pool);
    } else {
      for (MapRow* row : of_pool) take(*row, cores.begin(), cores.end());
    }
  }
}

// The cores of every NUMA node, in the order of their first core.
std::vector<Cores> by_numa(const Cores& cores) {
  std::vector<Cores> nodes;
  std::map<int, std::size_t> index_of;
  for (const Core* core : cores) {
    const auto [place, fresh] = index_of.emplace(core->numa, nodes.size());
    if (fresh) nodes.emplace_back();
    nodes[place->second].push_back(core);
  }
  return nodes;
}

void take_memory(MapRow& row, const Cores& cores) {
  row.memory_nodes = CpuSet();
  for (const Core* core : cores)
    if (core->numa != none && row.cpus.contains_all(core->cpus)) row.memory_nodes.add(core->numa);
  row.memory_policy = row.memory_nodes.empty() ? "" : "preferred";
}

void share_all_cores(const Machine& machine, std::vector<MapRow>& rows) {
  const Cores cores = ordered_cores(machine.model());
  if (cores.empty()) return;
  std::vector<MapRow*> all;
  for (MapRow& row : rows) all.push_back(&row);
  const std::vector<Cores> nodes = by_numa(cores);
  if (rows.size() % nodes.size() == 0) {
    const auto each = static_cast<std::ptrdiff_t>(rows.size() / nodes.size());
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const auto first = all.begin() + static_cast<std::ptrdiff_t>(i) * each;
      divide(nodes[i], {first, first + each});
    }
  } else {
    Cores joined;  // whole NUMA nodes where their number divides, else across their borders
    for (const Cores& node : nodes) joined.insert(joined.end(), node.begin(), node.end());
    divide(joined, all);
  }
  for (MapRow& row : rows) take_memory(row, cores);
}

std::vector<MapRow> rows_of(const JobNode& node, const std::string& host) {
  const Machine machine(node.model, 1);
  const int ranks = static_cast<int>(node.ranks.size());
  const std::vector<int> places(at(machine.slots_per_node()), std::numeric_limits<int>::max());
  const std::vector<int> slots = near_slots(machine, ranks, places);
  Mapping mapping;
  mapping.slot_of.assign(slots.begin(), slots.end());
  std::vector<MapRow> rows = map_file_of(mapping, machine, "near").rows;
  if (machine.has_gpus()) {
    share_gpu_cores(machine, slots, rows);
  } else {
    share_all_cores(machine, rows);
  }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows[i].rank = node.ranks[i];
    rows[i].host = host;
  }
  return rows;
}

std::string name_of(const std::vector<JobNode>& nodes) {
  const std::string& first = nodes.front().model.name;
  return nodes.size() == 1 ? first : "job of " + std::to_string(nodes.size()) + " nodes, " + first;
}

}  // namespace

MapFile near_map(const std::vector<JobNode>& nodes) {
  if (nodes.empty()) throw InputError({"job", 0, 0}, "no host has a rank");
  MapFile map{name_of(nodes), "near", false, {}};
  for (const JobNode& node : nodes) {
    if (node.ranks.empty()) continue;
    const std::vector<MapRow> rows = rows_of(node, node.host);
    map.rows.insert(map.rows.end(), rows.begin(), rows.end());
  }
  std::sort(map.rows.begin(), map.rows.end(),
            [](const MapRow& a, const MapRow& b) { return a.rank < b.rank; });
  for (std::size_t i = 0; i < map.rows.size(); ++i)
    if (map.rows[i].rank != static_cast<Rank>(i))
      throw InputError({"job", 0, 0}, "the ranks are not 0 to " +
                                          std::to_string(map.rows.size() - 1) + ", each once");
  return map;
}

}  // namespace rankmap
