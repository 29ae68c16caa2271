#include "libmap/machine/read/rocm_smi.hpp"

#include <algorithm>

#include "libmap/base/error.hpp"
#include "libmap/base/text.hpp"
#include "libmap/machine/link_speeds.hpp"
#include "libmap/machine/read/path_tree.hpp"
#include "libmap/machine/read/source_name.hpp"

namespace rankmap {
namespace {

// Weights that the kernel driver gives to paths (AMD's documentation of rocm-smi).
constexpr std::string_view weight_of_one_xgmi_hop = "15";
constexpr std::string_view weight_across_sockets = "72";
constexpr int assumed_pcie_generation = 4;

// One xGMI link, one direction: AMD's figure and what RCCL counts with.
struct Board {
  std::size_t full_mesh_of;  // 0: any other shape
  LinkSpeed link;
  const char* name;
};
constexpr Board mi300 = {8, {64, 48}, "MI300X-class"};
constexpr Board mi200 = {0, {50, 36}, "MI200-class"};

bool is_cell(const TokenMatrix& matrix, std::size_t a, std::size_t b, std::string_view token) {
  return !matrix.empty() && matrix[a][b] == token;
}

class Reader {
 public:
  Reader(const RocmTopology& topology, const std::string& source)
      : topology_(topology), source_(source) {
    model_.name = name_of_source(source);
    model_.source_format = "rocm-smi";
    model_.partial = topology.cut;
  }

  NodeModel read() {
    fill_gpus();
    check_symmetry();
    add_xgmi();
    add_host_tree();
    return std::move(model_);
  }

 private:
  void fill_gpus() {
    const bool typed = !topology_.link_type.empty();
    model_.gpu_matrix = typed ? topology_.link_type : topology_.weight;
    for (std::size_t i = 0; i < topology_.gpus; ++i) {
      model_.gpu_matrix[i][i] = "X";
      model_.gpus.push_back(gpu(static_cast<int>(i)));
    }
    if (topology_.cut) model_.warn("the text was cut: its last table was left out");
  }

  Gpu gpu(int index) const {
    Gpu gpu;
    const auto affinity = topology_.numa_affinity.find(index);
    const auto node = topology_.numa_node.find(index);
    if (affinity != topology_.numa_affinity.end()) {
      gpu.numa_affinity = std::to_string(affinity->second);
      gpu.numa = affinity->second;  // -1 is none
    } else if (node != topology_.numa_node.end()) {
      gpu.numa = node->second;
    }
    return gpu;
  }

  void check_symmetry() const {
    for (std::size_t a = 0; a < topology_.gpus; ++a)
      for (std::size_t b = 0; b < a; ++b)
        if (model_.gpu_matrix[a][b] != model_.gpu_matrix[b][a])
          throw InputError({source_, 0, 0},
                           "row GPU" + std::to_string(a) + ", column GPU" + std::to_string(b) +
                               ": found " + quoted(model_.gpu_matrix[a][b]) +
                               ", but the other way round " + quoted(model_.gpu_matrix[b][a]) +
                               "; expected a symmetric matrix");
  }

  bool xgmi(std::size_t a, std::size_t b) const {
    if (!topology_.link_type.empty()) return topology_.link_type[a][b] == "XGMI";
    return is_cell(topology_.weight, a, b, weight_of_one_xgmi_hop);
  }

  bool one_hop(std::size_t a, std::size_t b) const {
    if (!topology_.hops.empty()) return topology_.hops[a][b] == "1";
    if (!topology_.weight.empty()) return is_cell(topology_.weight, a, b, weight_of_one_xgmi_hop);
    return true;
  }

  void add_xgmi() {
    std::vector<std::pair<VertexId, VertexId>> pairs;
    bool farther = false;
    for (std::size_t a = 0; a < topology_.gpus; ++a)
      for (std::size_t b = a + 1; b < topology_.gpus; ++b) {
        if (!xgmi(a, b)) continue;
        farther = farther || !one_hop(a, b);
        if (one_hop(a, b)) pairs.emplace_back(static_cast<VertexId>(a), static_cast<VertexId>(b));
      }
    if (farther)
      model_.warn("xGMI paths of several hops were left out: such pairs are joined over PCIe here");
    if (pairs.empty()) return;
    const std::size_t mesh = topology_.gpus * (topology_.gpus - 1) / 2;
    const bool is_mi300 = topology_.gpus == mi300.full_mesh_of && pairs.size() == mesh;
    const Board& board = is_mi300 ? mi300 : mi200;
    for (const auto& [a, b] : pairs)
      model_.connections.push_back(
          {LinkKind::xgmi, a, b, 1, from_gbps(board.link.gbps), from_gbps(board.link.nccl_gbps)});
    model_.warn(
        "rocm-smi does not print the number of xGMI links of a pair, nor their speed: one "
        "link of " +
        format_real(board.link.gbps) + " GB/s (" + board.name +
        ") assumed; RCCL's topology XML has both");
  }

  PathLevel level(std::size_t a, std::size_t b) const {
    if (is_cell(topology_.weight, a, b, weight_across_sockets)) return PathLevel::system;
    const int first = model_.gpus[a].numa;
    const int second = model_.gpus[b].numa;
    const bool apart = first != none && second != none && first != second;
    const bool pcie = is_cell(topology_.link_type, a, b, "PCIE") && !topology_.weight.empty();
    return apart && !pcie ? PathLevel::system : PathLevel::numa_node;
  }

  void add_host_tree() {
    std::vector<DevicePath> paths;
    for (std::size_t a = 0; a < topology_.gpus; ++a)
      for (std::size_t b = a + 1; b < topology_.gpus; ++b) paths.push_back({a, b, level(a, b)});
    const LinkSpeed pcie = pcie_speed(assumed_pcie_generation, 16);
    const LinkSpeed cpu = cpu_link_speed("AuthenticAMD", 0, 0);
    build_path_tree(model_, paths,
                    {from_gbps(pcie.gbps), from_gbps(cpu.gbps), from_gbps(cpu.nccl_gbps)});
    model_.warn(
        "speeds of PCIe and of the CPU link are not in the text: " + format_real(pcie.gbps) +
        " GB/s (x16 gen4) and " + format_real(cpu.gbps) + " GB/s assumed");
  }

  const RocmTopology& topology_;
  const std::string& source_;
  NodeModel model_;
};

}  // namespace

NodeModel read_rocm_smi(std::string_view text, const std::string& source, const ReaderOptions&) {
  const RocmTopology topology = parse_rocm_topology(text, source);
  return Reader(topology, source).read();
}

}  // namespace rankmap
