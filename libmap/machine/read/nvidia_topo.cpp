#include "libmap/machine/read/nvidia_topo.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "libmap/base/error.hpp"
#include "libmap/base/text.hpp"
#include "libmap/machine/link_speeds.hpp"
#include "libmap/machine/read/affinity.hpp"
#include "libmap/machine/read/nvidia_topo_nvlink.hpp"
#include "libmap/machine/read/nvidia_topo_table.hpp"
#include "libmap/machine/read/nvlink_status.hpp"
#include "libmap/machine/read/path_tree.hpp"
#include "libmap/machine/read/source_name.hpp"

namespace rankmap {
namespace {

constexpr int pcie_width = 16;

void fill_gpus(NodeModel& model, const TopoTable& table) {
  for (std::size_t i = 0; i < table.gpus; ++i) {
    const TopoRow& row = table.rows[i];
    Gpu gpu;
    gpu.cpu_affinity = row.cpu_affinity;
    gpu.numa_affinity = row.numa_affinity;
    gpu.gpu_numa_id = row.gpu_numa_id;
    const std::optional<std::int64_t> number = parse_integer(table.devices[i].substr(3));
    if (number && *number != static_cast<std::int64_t>(i)) gpu.device = static_cast<int>(*number);
    model.gpus.push_back(std::move(gpu));
    const auto cells = row.cells.begin();
    const auto gpus = static_cast<std::ptrdiff_t>(table.gpus);
    model.gpu_matrix.emplace_back(cells, cells + gpus);
    if (table.nics() > 0) model.gpu_nic_matrix.emplace_back(cells + gpus, row.cells.end());
  }
}

void fill_nics(NodeModel& model, const TopoTable& table) {
  std::vector<std::string> nameless;
  std::vector<std::string> missing;
  std::set<std::string> names(table.devices.begin(), table.devices.end());
  for (std::size_t i = table.gpus; i < table.devices.size(); ++i) {
    const std::string& id = table.devices[i];
    const auto legend = table.legend.find(id);
    const bool named = legend != table.legend.end() && names.insert(legend->second).second;
    if (!named && id.starts_with("NIC")) nameless.push_back(id);
    model.nics.push_back({named ? legend->second : id, "", none, 0});
    if (!table.rows[i].found) missing.push_back(id);
  }
  if (!nameless.empty())
    model.warn("the NIC legend does not name " + join(nameless, ", ") +
               ": the launchers will not know these names");
  if (missing.empty()) return;
  model.partial = true;
  model.warn("the text was cut: no rows for " + join(missing, ", "));
}

// Rows of `nvidia-smi nvlink -s` by GPU number.
std::map<int, NvlinkStatus> status_by_gpu(NodeModel& model, std::string_view text,
                                          const ReaderOptions& options) {
  const std::vector<NvlinkStatus> rows =
      options.nvlink_text.empty() ? find_nvlink_status(text)
                                  : parse_nvlink_status(options.nvlink_text, options.nvlink_source);
  std::map<int, NvlinkStatus> by_gpu;
  std::set<std::string> uuids;
  bool doubled = false;
  for (const NvlinkStatus& row : rows) {
    if (row.gpu == none || !by_gpu.emplace(row.gpu, row).second) continue;
    doubled = doubled || (!row.uuid.empty() && !uuids.insert(row.uuid).second);
  }
  if (by_gpu.size() > model.gpus.size() && !options.nvlink_text.empty())
    throw InputError({options.nvlink_source, 0, 0}, "tells of " + std::to_string(by_gpu.size()) +
                                                        " GPUs, but the matrix of " +
                                                        std::to_string(model.gpus.size()) +
                                                        ", expected output of the same machine");
  if (!by_gpu.empty() && by_gpu.size() < model.gpus.size())
    model.warn("the nvlink text tells of " + std::to_string(by_gpu.size()) + " of " +
               std::to_string(model.gpus.size()) + " GPUs only");
  if (!doubled) return by_gpu;
  model.warn("several GPUs have the same UUID: the UUIDs were left out");
  for (auto& [gpu, row] : by_gpu) row.uuid.clear();
  return by_gpu;
}

std::vector<NvlinkFacts> apply_status(NodeModel& model, const TopoTable& table,
                                      const std::map<int, NvlinkStatus>& status) {
  std::vector<NvlinkFacts> facts(model.gpus.size());
  for (std::size_t i = 0; i < model.gpus.size(); ++i) {
    const auto number = parse_integer(table.devices[i].substr(3));
    const auto row = number ? status.find(static_cast<int>(*number)) : status.end();
    if (row == status.end()) continue;
    model.gpus[i].name = row->second.name;
    model.gpus[i].uuid = row->second.uuid;
    facts[i].gbps = row->second.gbps;
    if (!row->second.cut) facts[i].links = row->second.active_links;
    const std::vector<std::string>& cells = model.gpu_matrix[i];
    const bool shown = std::any_of(cells.begin(), cells.end(), [](const std::string& token) {
      return nvlink_lanes(token) > 0;
    });
    if (row->second.active_links > 0 && !shown && model.gpus.size() > 1)
      model.warn("GPU" + std::to_string(i) +
                 " has NVLinks that the matrix does not show "
                 "(output of `topo -mp`?)");
  }
  return facts;
}

// The PCIe level of a pair whose token tells the NVLinks instead; nullopt: nothing tells it.
std::optional<PathLevel> level_behind_nvlink(const NodeModel& model, std::size_t a, std::size_t b,
                                             bool one_node) {
  const Gpu& first = model.gpus[a];
  const Gpu& second = model.gpus[b];
  if (first.numa != none && second.numa != none)
    return first.numa == second.numa ? PathLevel::numa_node : PathLevel::system;
  if (first.cpus && second.cpus)
    return first.cpus == second.cpus ? PathLevel::numa_node : PathLevel::system;
  if (one_node) return PathLevel::numa_node;
  return std::nullopt;
}

bool crosses_nodes(const NodeModel& model) {
  const auto crosses = [](const std::vector<std::vector<std::string>>& matrix) {
    return std::any_of(matrix.begin(), matrix.end(), [](const std::vector<std::string>& row) {
      return std::any_of(row.begin(), row.end(), [](const std::string& token) {
        return path_level_of(token) == PathLevel::system;
      });
    });
  };
  return crosses(model.gpu_matrix) || crosses(model.gpu_nic_matrix);
}

std::vector<DevicePath> paths_of(NodeModel& model, const TopoTable& table) {
  std::vector<DevicePath> paths;
  const bool one_node = !crosses_nodes(model);
  bool unknown = false;
  for (std::size_t a = 0; a < table.devices.size(); ++a) {
    if (!table.rows[a].found) continue;
    for (std::size_t b = a < table.gpus ? a + 1 : table.gpus; b < table.devices.size(); ++b) {
      const std::string& token = table.rows[a].cells[b];
      std::optional<PathLevel> level = path_level_of(token);
      if (a == b) continue;
      if (!level && b < table.gpus) {
        level = level_behind_nvlink(model, a, b, one_node);
        unknown = unknown || token == "N/A";
      }
      if (level) paths.push_back({a, b, *level});
    }
  }
  if (unknown) model.warn("the path of some GPU pairs is N/A: it was told from their NUMA nodes");
  return paths;
}

void add_host_tree(NodeModel& model, const TopoTable& table, int nvlink_board_generation) {
  int generation = nvlink_board_generation;
  bool named = false;
  for (const Gpu& gpu : model.gpus) {
    const int own = pcie_generation_of_gpu(gpu.name);
    if (own != 0) generation = named ? std::min(generation, own) : own;
    named = named || own != 0;
  }
  if (generation == 0) generation = 3;
  const LinkSpeed pcie = pcie_speed(generation, pcie_width);
  const LinkSpeed cpu = cpu_link_speed("", 0, 0);
  const std::vector<DevicePath> paths = paths_of(model, table);
  build_path_tree(model, paths,
                  {from_gbps(pcie.gbps), from_gbps(cpu.gbps), from_gbps(cpu.nccl_gbps)});
  model.warn("speeds of PCIe and of the CPU link are not in the text: " + format_real(pcie.gbps) +
             " GB/s (x16 gen" + std::to_string(generation) + ") and " + format_real(cpu.gbps) +
             " GB/s assumed");
}

std::vector<int> nearest_nics(const NodeModel& model, std::size_t gpu, PathLevel& best) {
  std::vector<int> nearest;
  const std::vector<std::string>& tokens = model.gpu_nic_matrix[gpu];
  for (std::size_t nic = 0; nic < tokens.size(); ++nic) {
    const std::optional<PathLevel> level = path_level_of(tokens[nic]);
    if (!level || (!nearest.empty() && *level > best)) continue;
    if (!nearest.empty() && *level < best) nearest.clear();
    best = *level;
    nearest.push_back(static_cast<int>(nic));
  }
  return nearest;
}

// GPUs with the same nearest NICs take turns among them, in index order.
void choose_nics(NodeModel& model) {
  std::map<std::vector<int>, std::size_t> turns;
  for (std::size_t gpu = 0; gpu < model.gpu_nic_matrix.size(); ++gpu) {
    PathLevel level = PathLevel::system;
    const std::vector<int> nearest = nearest_nics(model, gpu, level);
    if (nearest.empty()) continue;
    model.gpus[gpu].nic = nearest[turns[nearest]++ % nearest.size()];
    if (level > PathLevel::numa_node) continue;
    for (const int nic : nearest) {
      int& numa = model.nics[static_cast<std::size_t>(nic)].numa;
      if (numa == none) numa = model.gpus[gpu].numa;
    }
  }
}

void warn_of_origin(NodeModel& model, const TopoTable& table) {
  for (const std::string& warning : table.warnings) model.warn(warning);
  if (table.pcie_only)
    model.warn(
        "this is the output of `topo -mp`, which hides NVLink: paths are PCIe only; "
        "`topo -m` tells the best ones");
  if (table.further_tables > 0)
    model.warn("the text holds " + std::to_string(table.further_tables) +
               " more tables: only the one of line " + std::to_string(table.line) + " was read");
}

}  // namespace

bool recognises_nvidia_topo(std::string_view text) {
  return has_topo_table(text);
}

NodeModel read_nvidia_topo(std::string_view text, const std::string& source,
                           const ReaderOptions& options) {
  const TopoTable table = parse_topo_table(text, source);
  NodeModel model;
  model.name = name_of_source(source);
  model.source_format = "nvidia-smi-topo";
  warn_of_origin(model, table);
  fill_gpus(model, table);
  fill_nics(model, table);
  const std::vector<NvlinkFacts> facts =
      apply_status(model, table, status_by_gpu(model, text, options));
  apply_affinity(model);
  const int board_generation = add_nvlinks(model, facts);
  add_host_tree(model, table, board_generation);
  choose_nics(model);
  return model;
}

}  // namespace rankmap
