#include "libmap/machine/read/nvidia_topo_nvlink.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "libmap/base/text.hpp"
#include "libmap/machine/link_speeds.hpp"

namespace rankmap {
namespace {

constexpr int most_links_of_a_gpu = 18;  // of any generation up to NVLink 5

struct GpuModel {
  std::string_view word;  // in the name, lower case
  int nvlinks;            // 0: none, or unknown
  int pcie_generation;
};
constexpr std::array gpu_models = {
    GpuModel{" ada", 0, 4},     GpuModel{"p100", 4, 3},      GpuModel{"v100", 6, 3},
    GpuModel{"2080", 2, 3},     GpuModel{"titan rtx", 2, 3}, GpuModel{"rtx 8000", 2, 3},
    GpuModel{"rtx 6000", 2, 3}, GpuModel{"a100", 12, 4},     GpuModel{"a800", 8, 4},
    GpuModel{"a30", 4, 4},      GpuModel{"a6000", 4, 4},     GpuModel{"a5000", 4, 4},
    GpuModel{"a40", 4, 4},      GpuModel{"3090", 4, 4},      GpuModel{"h100", 18, 5},
    GpuModel{"h200", 18, 5},    GpuModel{"h800", 18, 5},     GpuModel{"h20", 18, 5},
    GpuModel{"b100", 18, 5},    GpuModel{"b200", 18, 5},     GpuModel{"b300", 18, 6},
    GpuModel{"k80", 0, 3},      GpuModel{"m60", 0, 3},       GpuModel{"p40", 0, 3},
    GpuModel{"p4", 0, 3},       GpuModel{"t4", 0, 3},        GpuModel{"l40", 0, 4},
    GpuModel{"l4", 0, 4},       GpuModel{"a10", 0, 4},       GpuModel{"a2", 0, 4},
    GpuModel{"4090", 0, 4},     GpuModel{"5090", 0, 5},      GpuModel{"blackwell", 0, 5},
};

const GpuModel* model_of(std::string_view gpu_name) {
  const std::string name = to_lower(gpu_name);
  if (name.find("blackwell") != std::string::npos) return &gpu_models.back();
  for (const GpuModel& row : gpu_models)
    if (name.find(row.word) != std::string::npos) return &row;
  return nullptr;
}

// What a number of links says of the generation, when nothing else does.
struct Guess {
  int most_links;
  int generation;  // of NVLink, for nvlink_speed()
  int pcie_generation;
  const char* board;
};
constexpr std::array pair_guesses = {  // one neighbour: a bridge
    Guess{3, 2, 3, "V100-class"}, Guess{4, 0, 4, "A6000-class"}, Guess{6, 2, 3, "V100-class"},
    Guess{12, 3, 4, "A100-class"}, Guess{999, 4, 5, "H100-class"}};
constexpr std::array mesh_guesses = {  // several neighbours
    Guess{6, 2, 3, "V100-class"}, Guess{12, 3, 4, "A100-class"}, Guess{999, 4, 5, "H100-class"}};
constexpr Guess four_single_links = {4, 1, 3, "P100-class"};
constexpr std::array switch_guesses = {Guess{6, 2, 3, "V100-class"}, Guess{12, 3, 4, "A100-class"},
                                       Guess{999, 4, 5, "H100-class"}};

template <typename Guesses>
const Guess& guess_for(const Guesses& guesses, int links) {
  return *std::find_if(guesses.begin(), guesses.end(),
                       [&](const Guess& row) { return links <= row.most_links; });
}

// The figures that `nvidia-smi nvlink -s` prints, and the generation they belong to.
struct Printed {
  double gbps;
  int generation;
  int pcie_generation;
};
constexpr std::array printed_speeds = {Printed{14.062, 0, 4}, Printed{20.0, 1, 3},
                                       Printed{25.781, 2, 3}, Printed{25.0, 3, 4},
                                       Printed{26.562, 4, 5}, Printed{53.125, 5, 5}};

struct Speed {
  LinkSpeed link;
  int pcie_generation = 0;
};

class Nvlinks {
 public:
  Nvlinks(NodeModel& model, const std::vector<NvlinkFacts>& facts) : model_(model), facts_(facts) {
    const std::size_t gpus = model.gpus.size();
    lanes_.assign(gpus, std::vector<int>(gpus, 0));
    for (std::size_t i = 0; i < gpus; ++i)
      for (std::size_t j = 0; j < gpus; ++j)
        if (i != j) lanes_[i][j] = nvlink_lanes(model.gpu_matrix[i][j]);
  }

  int add() {
    std::vector<bool> seen(lanes_.size(), false);
    for (std::size_t i = 0; i < lanes_.size(); ++i) {
      if (seen[i]) continue;
      const std::vector<std::size_t> group = group_of(i);
      for (const std::size_t gpu : group) seen[gpu] = true;
      if (group.size() > 1) add_group(group);
    }
    for (const std::string& warning : warnings_) model_.warn(warning);
    return pcie_generation_;
  }

 private:
  std::vector<std::size_t> group_of(std::size_t first) const {
    std::vector<std::size_t> group = {first};
    std::vector<bool> in(lanes_.size(), false);
    in[first] = true;
    for (std::size_t next = 0; next < group.size(); ++next)
      for (std::size_t j = 0; j < lanes_.size(); ++j)
        if (lanes_[group[next]][j] > 0 && !in[j]) {
          in[j] = true;
          group.push_back(j);
        }
    std::sort(group.begin(), group.end());
    return group;
  }

  int row_sum(std::size_t gpu) const {
    int sum = 0;
    for (const int lanes : lanes_[gpu]) sum += lanes;
    return sum;
  }

  int row_most(std::size_t gpu) const {
    return *std::max_element(lanes_[gpu].begin(), lanes_[gpu].end());
  }

  int links_of(std::size_t gpu) const {
    const int known = nvlinks_of_gpu(model_.gpus[gpu].name);
    if (known > 0) return known;
    return facts_[gpu].links > 0 ? facts_[gpu].links : most_links_of_a_gpu;
  }

  bool is_shared(const std::vector<std::size_t>& group) {
    const bool too_many = std::any_of(
        group.begin(), group.end(), [&](std::size_t gpu) { return row_sum(gpu) > links_of(gpu); });
    if (!too_many) return false;
    for (const std::size_t a : group)
      for (const std::size_t b : group)
        if (a != b && lanes_[a][b] == 0) {
          warnings_.insert("GPU" + std::to_string(a) +
                           " has more NVLinks in its row than a GPU "
                           "has, but not to every GPU: taken as links of their own");
          return false;
        }
    return true;
  }

  void add_group(const std::vector<std::size_t>& group) {
    if (is_shared(group)) {
      add_switch(group);
      return;
    }
    for (const std::size_t a : group)
      for (const std::size_t b : group)
        if (a < b && lanes_[a][b] > 0) {
          const bool bridge = group.size() == 2;
          const int links = std::max(row_sum(a), row_sum(b));
          const Guess& guess = bridge ? guess_for(pair_guesses, links) : mesh_guess(group);
          connect(static_cast<VertexId>(a), static_cast<VertexId>(b), lanes_[a][b],
                  slower(speed_of(a, guess), speed_of(b, guess)));
        }
  }

  const Guess& mesh_guess(const std::vector<std::size_t>& group) const {
    int links = 0;
    int most = 0;
    for (const std::size_t gpu : group) {
      links = std::max(links, row_sum(gpu));
      most = std::max(most, row_most(gpu));
    }
    if (links == four_single_links.most_links && most == 1) return four_single_links;
    return guess_for(mesh_guesses, links);
  }

  void add_switch(const std::vector<std::size_t>& group) {
    const std::string number = switches_ == 0 ? "" : std::to_string(switches_);
    ++switches_;
    const VertexId hub = model_.add_hub(HubKind::link_switch, "nvswitch" + number);
    for (const std::size_t gpu : group) {
      const int lanes = row_most(gpu);
      connect(static_cast<VertexId>(gpu), hub, lanes,
              speed_of(gpu, guess_for(switch_guesses, lanes)));
    }
  }

  void connect(VertexId a, VertexId b, int lanes, const Speed& speed) {
    pcie_generation_ = std::max(pcie_generation_, speed.pcie_generation);
    model_.connections.push_back({LinkKind::nvlink, a, b, lanes, from_gbps(speed.link.gbps * lanes),
                                  from_gbps(speed.link.nccl_gbps)});
  }

  static Speed slower(const Speed& a, const Speed& b) { return a.link.gbps <= b.link.gbps ? a : b; }

  // The printed figure counts what the wire carries, a few percent more than the nominal one.
  static bool near(double printed, double nominal) {
    return std::abs(printed - nominal) <= 0.1 * nominal;
  }

  Speed speed_of(std::size_t gpu, const Guess& guess) {
    const std::string& name = model_.gpus[gpu].name;
    const double printed = facts_[gpu].gbps;
    const LinkSpeed named = nvlink_speed_of_gpu(name);
    const int pcie = pcie_generation_of_gpu(name);
    if (named.gbps > 0 && (printed == 0 || near(printed, named.gbps))) return {named, pcie};
    if (printed > 0) return printed_speed(printed, named, pcie);
    warnings_.insert("NVLink speed assumed: " + format_real(nvlink_speed(guess.generation).gbps) +
                     " GB/s a lane (" + guess.board +
                     ", from the number of lanes); "
                     "the output of `nvidia-smi nvlink -s` given with --nvlink tells the real one");
    return {nvlink_speed(guess.generation), guess.pcie_generation};
  }

  Speed printed_speed(double printed, const LinkSpeed& named, int pcie) {
    for (const Printed& row : printed_speeds)
      if (named.gbps == 0 && std::abs(printed - row.gbps) < 0.3)
        return {nvlink_speed(row.generation), pcie != 0 ? pcie : row.pcie_generation};
    const double ratio = named.gbps > 0 ? named.nccl_gbps / named.gbps : 0.8;
    warnings_.insert("NVLink runs at " + format_real(printed) +
                     " GB/s a lane, which is not this GPU's usual speed: taken as printed");
    return {{printed, printed * ratio}, pcie};
  }

  NodeModel& model_;
  const std::vector<NvlinkFacts>& facts_;
  std::vector<std::vector<int>> lanes_;
  std::set<std::string> warnings_;
  int switches_ = 0;
  int pcie_generation_ = 0;
};

}  // namespace

int pcie_generation_of_gpu(std::string_view gpu_name) {
  const GpuModel* row = model_of(gpu_name);
  return row == nullptr ? 0 : row->pcie_generation;
}

int nvlinks_of_gpu(std::string_view gpu_name) {
  const GpuModel* row = model_of(gpu_name);
  return row == nullptr ? 0 : row->nvlinks;
}

int nvlink_lanes(std::string_view token) {
  if (!token.starts_with("NV")) return 0;
  const std::optional<std::int64_t> lanes = parse_integer(token.substr(2));
  return lanes && *lanes > 0 && *lanes < 1000 ? static_cast<int>(*lanes) : 0;
}

int add_nvlinks(NodeModel& model, const std::vector<NvlinkFacts>& facts) {
  return Nvlinks(model, facts).add();
}

}  // namespace rankmap
