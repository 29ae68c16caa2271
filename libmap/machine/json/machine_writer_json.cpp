// Writes a machine as JSON in the format that machine_json.hpp describes.
#include <nlohmann/json.hpp>

#include "libmap/machine/json/gpu_tokens.hpp"
#include "libmap/machine/json/hub_names.hpp"
#include "libmap/machine/json/machine_json.hpp"

namespace rankmap {
namespace {

using Json = nlohmann::ordered_json;

Json text_or_null(const std::string& text) {
  return text.empty() ? Json() : Json(text);
}
Json number_or_null(int number) {
  return number == none ? Json() : Json(number);
}
Json cpus_or_null(const CpuSet& cpus) {
  return text_or_null(cpus.to_string());
}
Json gbps_or_null(BytesPerSecond bandwidth) {
  return bandwidth == 0 ? Json() : Json(to_gbps(bandwidth));
}

Json gpu_row(const NodeModel& model, std::size_t index) {
  const Gpu& gpu = model.gpus[index];
  const std::string nic = gpu.nic == none ? "" : model.nics[static_cast<std::size_t>(gpu.nic)].name;
  return {{"index", index},
          {"name", text_or_null(gpu.name)},
          {"bus_id", text_or_null(gpu.bus_id)},
          {"uuid", text_or_null(gpu.uuid)},
          {"device", number_or_null(gpu.device)},
          {"cpus", gpu.cpus ? cpus_or_null(*gpu.cpus) : Json()},
          {"cpu_affinity", text_or_null(gpu.cpu_affinity)},
          {"numa", number_or_null(gpu.numa)},
          {"numa_affinity", text_or_null(gpu.numa_affinity)},
          {"gpu_numa_id", text_or_null(gpu.gpu_numa_id)},
          {"nic", text_or_null(nic)},
          {"package", number_or_null(gpu.package)},
          {"vendor", text_or_null(gpu.vendor)}};
}

// A slot by its number, a hub by its name.
Json link_end(const NodeModel& model, VertexId vertex) {
  return vertex < model.slots() ? Json(vertex) : Json(model.vertex_name(vertex));
}

Json link_row(const NodeModel& model, const Connection& link) {
  return {{"kind", name_of(link.kind)},   {"a", link_end(model, link.a)},
          {"b", link_end(model, link.b)}, {"gbps", to_gbps(link.bytes_per_second)},
          {"count", link.count},          {"nccl_gbps", gbps_or_null(link.nccl_bytes_per_second)}};
}

Json nic_row(const Nic& nic) {
  return {{"name", text_or_null(nic.name)},
          {"numa", number_or_null(nic.numa)},
          {"gbps", gbps_or_null(nic.bytes_per_second)},
          {"bus_id", text_or_null(nic.bus_id)}};
}

Json numa_row(const NumaNode& node) {
  return {{"id", node.id},
          {"cpus", cpus_or_null(node.cpus)},
          {"memory_bytes", node.memory_bytes == 0 ? Json() : Json(node.memory_bytes)},
          {"subtype", text_or_null(node.subtype)}};
}

Json core_row(const Core& core) {
  return {{"logical", core.logical},
          {"cpus", cpus_or_null(core.cpus)},
          {"numa", number_or_null(core.numa)},
          {"package", number_or_null(core.package)}};
}

CpuSet all_cpus(const NodeModel& model) {
  CpuSet cpus;
  for (const NumaNode& node : model.numa_nodes) cpus = cpus.united(node.cpus);
  for (const Core& core : model.cores) cpus = cpus.united(core.cpus);
  return cpus;
}

Json body(const Machine& machine) {
  const NodeModel& model = machine.model();
  Json out = {{"schema_version", machine_schema_version},
              {"name", machine.name()},
              {"source_format", model.source_format},
              {"nodes", machine.nodes()},
              {"slots", machine.slots()},
              {"index_base", 0}};
  const auto list = [&](const char* key, const auto& rows, const auto& row) {
    out[key] = Json::array();
    for (const auto& element : rows) out[key].push_back(row(element));
  };
  out["gpus"] = Json::array();
  for (std::size_t i = 0; i < model.gpus.size(); ++i) out["gpus"].push_back(gpu_row(model, i));
  out["gpu_matrix"] = gpu_tokens(machine);
  list("links", model.connections, [&](const Connection& link) { return link_row(model, link); });
  list("hubs", model.hubs, [](const Hub& hub) {
    return Json{{"name", hub.name}, {"kind", name_of(hub.kind)}};
  });
  list("nics", model.nics, nic_row);
  out["cpus"] = cpus_or_null(all_cpus(model));
  list("numa_nodes", model.numa_nodes, numa_row);
  out["threads_per_core"] = model.threads_per_core;
  list("cores", model.cores, core_row);
  out["warnings"] = model.warnings;
  out["partial"] = model.partial;
  return out;
}

}  // namespace

std::string machine_json(const Machine& machine) {
  return body(machine).dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace rankmap
