// The table that `nvidia-smi topo -m` prints, cut out of whatever text stands around it.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace rankmap {

inline constexpr std::size_t most_topo_gpus = 256;
inline constexpr std::size_t most_topo_devices = 1024;  // GPUs and NICs

struct TopoRow {
  bool found = false;  // false: the text was cut before it
  std::size_t line = 0;
  std::vector<std::string> cells;  // one a device, as read, trimmed
  std::string cpu_affinity;
  std::string numa_affinity;
  std::string gpu_numa_id;
};

struct TopoTable {
  std::size_t line = 0;              // of the header
  std::vector<std::string> devices;  // header order: GPUs, then NICs
  std::size_t gpus = 0;
  std::vector<TopoRow> rows;                  // one a device
  std::map<std::string, std::string> legend;  // NIC0 -> mlx5_0
  bool pcie_only = false;                     // the command line above said -mp
  std::size_t further_tables = 0;             // more -m tables behind this one
  std::vector<std::string> warnings;

  std::size_t nics() const { return devices.size() - gpus; }
};

// Whether a link matrix or a -p2p matrix of nvidia-smi stands in the text. O(text).
bool has_topo_table(std::string_view text);

// The first -m table (one that shows NVLink before one of -mp). InputError: no table, only -p2p
// tables, more devices than the limits, a damaged row (named by its device), a GPU without a row.
// O(text).
TopoTable parse_topo_table(std::string_view text, const std::string& source);

}  // namespace rankmap
