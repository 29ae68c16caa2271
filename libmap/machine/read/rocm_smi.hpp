// `rocm-smi --showtopo` (or --showtopotype, --showtopoweight): its tables, plain or in markdown.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "libmap/machine/reader.hpp"

namespace rankmap {

inline constexpr std::size_t most_rocm_gpus = 256;

using TokenMatrix = std::vector<std::vector<std::string>>;

struct RocmTopology {
  std::size_t gpus = 0;
  TokenMatrix weight;  // empty: no such table
  TokenMatrix hops;
  TokenMatrix link_type;             // "XGMI", "PCIE", the diagonal "0"
  std::map<int, int> numa_node;      // by GPU, as printed
  std::map<int, int> numa_affinity;  // -1: unknown to the driver
  bool cut = false;                  // the last table was cut and left out
};

// InputError: no weight or link type table, tables of different sizes, a row that is damaged or
// missing (named by its GPU), several tables side by side. O(text).
RocmTopology parse_rocm_topology(std::string_view text, const std::string& source);

bool recognises_rocm_smi(std::string_view text);
NodeModel read_rocm_smi(std::string_view text, const std::string& source,
                        const ReaderOptions& options);

}  // namespace rankmap
