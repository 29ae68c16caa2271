// Mapping + Machine <-> the rows of a map file, and the names of its hosts.
#include "libmap/mapping/map_file.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>

#include "libmap/base/error.hpp"
#include "libmap/base/text.hpp"

namespace rankmap {
namespace {

// As the GPUs say, else as link kinds tell; NVIDIA, the default, is "".
std::string vendor_of(const NodeModel& model) {
  for (const Gpu& gpu : model.gpus)
    if (!gpu.vendor.empty()) return gpu.vendor == "nvidia" ? "" : gpu.vendor;
  for (const Connection& connection : model.connections) {
    if (connection.kind == LinkKind::nvlink) return "";
    if (connection.kind == LinkKind::xgmi) return "amd";
    if (connection.kind == LinkKind::xelink) return "intel";
  }
  if (model.source_format.rfind("rocm", 0) == 0) return "amd";
  return model.source_format.rfind("xpu", 0) == 0 ? "intel" : "";
}

// Intel's tiles as "device.tile", from the package that they share.
std::string tile_of(const NodeModel& model, int gpu) {
  const int package = gpu == none ? none : model.gpus[static_cast<std::size_t>(gpu)].package;
  if (package == none) return "";
  int tile = 0;
  for (int other = 0; other < gpu; ++other)
    tile += model.gpus[static_cast<std::size_t>(other)].package == package ? 1 : 0;
  return std::to_string(package) + "." + std::to_string(tile);
}

// The cores of the node that lie wholly within the slot's cpus, in logical order.
std::vector<const Core*> whole_cores(const SlotRow& slot, const NodeModel& model) {
  std::vector<const Core*> cores;
  for (const Core& core : model.cores)
    if (!core.cpus.empty() && slot.cpus.contains_all(core.cpus)) cores.push_back(&core);
  return cores;
}

// Gives the part-th of `parts` ranks on a slot its share of the slot's cores.
void take_share(MapRow& row, const SlotRow& slot, const NodeModel& model, std::size_t part,
                std::size_t parts) {
  row.cpus = slot.cpus;
  row.cores = slot.cores;
  const std::vector<const Core*> cores =
      parts > 1 ? whole_cores(slot, model) : std::vector<const Core*>();
  if (parts <= 1 || cores.size() < parts) return;
  const std::size_t each = cores.size() / parts, more = cores.size() % parts;
  const std::size_t first = part * each + std::min(part, more);
  const std::size_t count = each + (part < more ? 1 : 0);
  row.cpus = CpuSet();
  row.cores = CpuSet();
  for (std::size_t i = first; i < first + count; ++i) {
    row.cpus = row.cpus.united(cores[i]->cpus);
    row.cores.add(cores[i]->logical);
  }
}

// A host's list that would crowd the line is left out: then its ranks cannot share one list of GPUs.
void fill_node_gpus(MapFile& map) {
  constexpr std::size_t longest = 64;
  std::unordered_map<std::string_view, std::vector<int>> gpus;
  for (const MapRow& row : map.rows) gpus[row.host].push_back(row.gpu);
  for (MapRow& row : map.rows) {
    const std::vector<int>& of_host = gpus[row.host];
    if (of_host.size() <= longest &&
        std::find(of_host.begin(), of_host.end(), none) == of_host.end())
      row.node_gpus = of_host;
  }
}

[[noreturn]] void refuse(const MapRow& row, const std::string& why) {
  throw InputError({"map", static_cast<std::size_t>(row.rank) + 2, 0},
                   "rank " + std::to_string(row.rank) + ": " + why);
}

// host -> node: the machine's own names where both have names, else the order of appearance; the
// stand-ins node0, node1 ... keep their numbers.
std::map<std::string, NodeId> nodes_by_host(const MapFile& map, const Machine& machine) {
  std::map<std::string, NodeId> nodes;
  for (NodeId node = 0; node < machine.nodes(); ++node) nodes[machine.host(node)] = node;
  const std::vector<std::string> hosts = hosts_of(map);
  const bool known = std::all_of(hosts.begin(), hosts.end(),
                                 [&](const std::string& host) { return nodes.contains(host); });
  if (known) return nodes;
  if (machine.hosts_named() && !map.hosts_unnamed && hosts.front() != "*") return nodes;
  nodes.clear();
  for (std::size_t i = 0; i < hosts.size(); ++i) nodes[hosts[i]] = static_cast<NodeId>(i);
  return nodes;
}

// The slot of a node that a row means; none: no such slot.
int local_slot(const MapRow& row, const std::vector<SlotRow>& slots) {
  for (const SlotRow& slot : slots)
    if (row.gpu != none && slot.gpu == row.gpu) return slot.local;
  if (row.gpu != none) return none;
  for (const SlotRow& slot : slots)
    if (row.slot != none && slot.local == row.slot) return slot.local;
  for (const SlotRow& slot : slots)
    if (row.slot == none && !row.cpus.empty() && slot.cpus.contains_all(row.cpus))
      return slot.local;
  return none;
}

std::vector<SlotRow> slots_of_first_node(const Machine& machine) {
  std::vector<SlotRow> slots;
  for (int local = 0; local < machine.slots_per_node(); ++local)
    slots.push_back(machine.slot(machine.slot_at(0, local)));
  return slots;
}

void check_hosts(const std::vector<std::string>& hosts) {
  std::set<std::string> seen;
  for (const std::string& host : hosts) {
    const bool printable =
        std::all_of(host.begin(), host.end(), [](char c) { return c > ' ' && c < 127; });
    if (host.empty() || !printable || host == "-" || host == "*")
      throw UsageError("bad host name " + quoted(host) + ", expected a name without blanks");
    if (!seen.insert(host).second)
      throw UsageError("host " + quoted(host) + " is given twice, expected different names");
  }
}

// "node12" -> 12, "*" -> 0.
std::size_t stand_in_number(const MapRow& row) {
  if (row.host == "*") return 0;
  const std::optional<std::uint64_t> number =
      row.host.rfind("node", 0) == 0 ? parse_unsigned(row.host.substr(4)) : std::nullopt;
  if (!number) refuse(row, "host " + quoted(row.host) + ", expected node0, node1 ...");
  return static_cast<std::size_t>(*number);
}

}  // namespace

MapFile map_file_of(const Mapping& mapping, const Machine& machine, const std::string& objective,
                    Rank most_rows) {
  MapFile map{machine.name(), objective, machine.nodes() > 1 && !machine.hosts_named(), {}};
  const std::string vendor = machine.has_gpus() ? vendor_of(machine.model()) : "";
  std::vector<std::uint32_t> ranks_on(static_cast<std::size_t>(machine.slots()), 0);
  std::vector<std::uint32_t> taken = ranks_on;
  for (const SlotId slot : mapping.slot_of) {
    if (slot < 0 || slot >= machine.slots()) throw Bug("a mapping outside its machine");
    ++ranks_on[static_cast<std::size_t>(slot)];
  }
  const Rank rows = std::min(most_rows, mapping.ranks());
  map.rows.reserve(static_cast<std::size_t>(rows));
  for (Rank rank = 0; rank < rows; ++rank) {
    const SlotRow slot = machine.slot(mapping[rank]);
    const auto place = static_cast<std::size_t>(mapping[rank]);
    MapRow row;
    row.rank = rank;
    row.host = slot.host;
    row.gpu = slot.gpu;
    row.gpu_id = slot.gpu_id;
    row.nic = slot.nic;
    row.vendor = vendor;
    if (vendor == "intel") row.tile = tile_of(machine.model(), slot.gpu);
    if (slot.gpu == none) row.slot = slot.local;
    take_share(row, slot, machine.model(), taken[place]++, ranks_on[place]);
    if (slot.numa != none) {
      row.memory_nodes.add(slot.numa);
      row.memory_policy = "preferred";
    }
    map.rows.push_back(std::move(row));
  }
  if (machine.has_gpus()) fill_node_gpus(map);
  return map;
}

Mapping mapping_of(const MapFile& map, const Machine& machine) {
  Mapping mapping;
  if (map.rows.empty()) return mapping;
  const std::map<std::string, NodeId> nodes = nodes_by_host(map, machine);
  const std::vector<SlotRow> slots = slots_of_first_node(machine);
  for (const MapRow& row : map.rows) {
    const auto node = nodes.find(row.host);
    if (node == nodes.end())
      refuse(row, "host " + quoted(row.host) + " is not in the machine " + machine.name());
    if (node->second >= machine.nodes())
      refuse(row, "the map has more hosts than the machine " + machine.name() + " has nodes (" +
                      std::to_string(machine.nodes()) + ")");
    const int local = local_slot(row, slots);
    if (local == none)
      refuse(row, (row.gpu != none ? "GPU " + std::to_string(row.gpu) : "its slot") +
                      " is not in the machine " + machine.name());
    mapping.slot_of.push_back(machine.slot_at(node->second, local));
  }
  return mapping;
}

std::vector<std::string> hosts_of(const MapFile& map) {
  std::vector<std::string> hosts;
  std::set<std::string> seen;
  for (const MapRow& row : map.rows)
    if (seen.insert(row.host).second) hosts.push_back(row.host);
  return hosts;
}

bool has_nameless_hosts(const MapFile& map) {
  return map.hosts_unnamed;
}

MapFile with_hosts(MapFile map, const std::vector<std::string>& hosts) {
  check_hosts(hosts);
  for (MapRow& row : map.rows) {
    if (!map.hosts_unnamed && row.host != "*")
      throw UsageError("the map already names its hosts (" + row.host +
                       " ...), so it takes no others");
    const std::size_t number = stand_in_number(row);
    if (number >= hosts.size())
      throw UsageError("the map needs at least " + std::to_string(number + 1) + " hosts, got " +
                       std::to_string(hosts.size()));
    row.host = hosts[number];
  }
  map.hosts_unnamed = false;
  return map;
}

}  // namespace rankmap
