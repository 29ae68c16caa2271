#include "libmap/machine/complete_model.hpp"

#include <map>
#include <set>

#include "libmap/base/error.hpp"
#include "libmap/base/text.hpp"
#include "libmap/machine/tree_routes.hpp"

namespace rankmap {
namespace {

constexpr int most_slots_of_a_node = 2048;
constexpr std::size_t most_hubs_of_a_node = 2048;

std::vector<VertexId> slots_outside_the_tree(const NodeModel& model) {
  std::vector<bool> joined(static_cast<std::size_t>(model.vertices()), false);
  for (const Connection& row : model.connections) {
    if (!is_tree_connection(model, row)) continue;
    joined[static_cast<std::size_t>(row.a)] = true;
    joined[static_cast<std::size_t>(row.b)] = true;
  }
  std::vector<VertexId> outside;
  for (VertexId slot = 0; slot < model.slots(); ++slot)
    if (!joined[static_cast<std::size_t>(slot)]) outside.push_back(slot);
  return outside;
}

std::string unused_name(const NodeModel& model, const std::string& wish) {
  std::set<std::string> names;
  for (const Hub& hub : model.hubs) names.insert(hub.name);
  std::string name = wish;
  for (int i = 0; names.contains(name); ++i) name = wish + "_" + std::to_string(i);
  return name;
}

VertexId root_hub(NodeModel& model) {
  for (std::size_t i = 0; i < model.hubs.size(); ++i)
    if (model.hubs[i].kind == HubKind::system) return model.hub_vertex(i);
  const VertexId root = model.add_hub(HubKind::system, unused_name(model, "system"));
  return root;
}

void join_gpus(NodeModel& model, const std::vector<VertexId>& outside) {
  const VertexId root = root_hub(model);
  for (const VertexId gpu : outside)
    model.connections.push_back({LinkKind::pcie, gpu, root, 1, from_gbps(assumed_pcie_gbps), 0});
  model.warn("PCIe structure unknown: " + format_real(assumed_pcie_gbps) +
             " GB/s assumed for each GPU on a common hub");
}

void join_cores(NodeModel& model, const std::vector<VertexId>& outside) {
  const VertexId root = root_hub(model);
  std::map<int, VertexId> hub_of_numa;
  for (const VertexId core : outside) {
    const int numa = model.cores[static_cast<std::size_t>(core)].numa;
    if (!hub_of_numa.contains(numa)) {
      const std::string name = numa == none ? std::string("memory") : "numa" + std::to_string(numa);
      const VertexId hub = model.add_hub(HubKind::numa, unused_name(model, name));
      hub_of_numa[numa] = hub;
      model.connections.push_back({LinkKind::cpu, hub, root, 1, from_gbps(assumed_cpu_gbps),
                                   from_gbps(assumed_cpu_achieved_gbps)});
    }
    model.connections.push_back(
        {LinkKind::memory, core, hub_of_numa[numa], 1, from_gbps(assumed_core_gbps), 0});
  }
  model.warn("memory and CPU link speeds unknown: " + format_real(assumed_core_gbps) +
             " GB/s a core and " + format_real(assumed_cpu_gbps) +
             " GB/s between NUMA nodes assumed");
}

[[noreturn]] void refuse(const NodeModel& model, const std::string& what) {
  throw InputError({model.name, 0, 0}, what);
}

void check_connection(const NodeModel& model, const Connection& row) {
  if (row.a < 0 || row.b < 0 || row.a >= model.vertices() || row.b >= model.vertices() ||
      row.a == row.b)
    refuse(model, "a link joins something that does not exist, or a thing with itself");
  if (row.bytes_per_second == 0 || row.count < 1)
    refuse(model, "the link " + model.vertex_name(row.a) + " - " + model.vertex_name(row.b) +
                      " has no bandwidth or no lanes");
}

}  // namespace

void complete_tree(NodeModel& model) {
  if (model.bare) return;
  const std::vector<VertexId> outside = slots_outside_the_tree(model);
  if (outside.empty()) return;
  if (model.gpus.empty()) {
    join_cores(model, outside);
  } else {
    join_gpus(model, outside);
  }
}

void check_tables(const NodeModel& model) {
  if (model.slots() < 1) refuse(model, "neither a GPU nor a core was found, expected at least one");
  if (model.slots() > most_slots_of_a_node || model.hubs.size() > most_hubs_of_a_node)
    refuse(model, "more than " + std::to_string(most_slots_of_a_node) + " slots or hubs in a node");
  std::set<std::string> names;
  for (const Hub& hub : model.hubs)
    if (!names.insert(hub.name).second) refuse(model, "two hubs are named " + quoted(hub.name));
  for (const Connection& row : model.connections) check_connection(model, row);
  for (const Gpu& gpu : model.gpus)
    if (gpu.nic < none || gpu.nic >= static_cast<int>(model.nics.size()))
      refuse(model, "a GPU names a NIC that does not exist");
}

void check_joined(const NodeModel& model) {
  if (model.bare) return;
  const TreeRoutes routes(model);
  for (VertexId slot = 1; slot < model.slots(); ++slot)
    if (routes.next(slot, 0) == none)
      refuse(model, "no route joins " + model.vertex_name(0) + " and " + model.vertex_name(slot) +
                        ", expected a way through the host for every two slots");
}

}  // namespace rankmap
