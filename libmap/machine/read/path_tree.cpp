#include "libmap/machine/read/path_tree.hpp"

#include <array>
#include <numeric>
#include <set>
#include <string>

namespace rankmap {
namespace {

struct LevelToken {
  std::string_view token;
  PathLevel level;
};
constexpr std::array level_tokens = {
    LevelToken{"PIX", PathLevel::one_switch}, LevelToken{"PSB", PathLevel::one_switch},
    LevelToken{"PXB", PathLevel::switches},   LevelToken{"PHB", PathLevel::host_bridge},
    LevelToken{"NODE", PathLevel::numa_node}, LevelToken{"SYS", PathLevel::system},
    LevelToken{"SOC", PathLevel::system},
};

struct LevelHub {
  PathLevel level;
  HubKind kind;
  const char* name;
};
constexpr std::array level_hubs = {
    LevelHub{PathLevel::one_switch, HubKind::pcie_switch, "pcie"},
    LevelHub{PathLevel::switches, HubKind::pcie_switch, "pcie-upper"},
    LevelHub{PathLevel::host_bridge, HubKind::host_bridge, "bridge"},
    LevelHub{PathLevel::numa_node, HubKind::numa, "numa"},
    LevelHub{PathLevel::system, HubKind::system, "system"},
};

// Disjoint sets; the least member stands for its set.
class Sets {
 public:
  explicit Sets(std::size_t size) : parent_(size) {
    std::iota(parent_.begin(), parent_.end(), std::size_t{0});
  }
  std::size_t find(std::size_t member) {
    while (parent_[member] != member) member = parent_[member] = parent_[parent_[member]];
    return member;
  }
  void unite(std::size_t a, std::size_t b) {
    a = find(a);
    b = find(b);
    parent_[a < b ? b : a] = a < b ? a : b;
  }

 private:
  std::vector<std::size_t> parent_;
};

// The top of what has been built so far of one set of devices.
struct Branch {
  VertexId top;
  LinkKind kind;           // of the connection upwards
  BytesPerSecond upwards;  // and its bandwidth
  int numa;                // of its GPUs, where they agree on one that is known
};

class Builder {
 public:
  Builder(NodeModel& model, TreeSpeeds speeds) : model_(model), speeds_(speeds) {
    for (VertexId gpu = 0; gpu < model.slots(); ++gpu)
      add_device(gpu, model.gpus[static_cast<std::size_t>(gpu)].numa);
    for (const Nic& nic : model.nics)
      add_device(model.add_hub(HubKind::nic, "nic:" + nic.name), none);
  }

  void join(const LevelHub& row, Sets& sets) {
    std::vector<std::vector<std::size_t>> children(branches_.size());
    std::size_t groups = 0;
    for (const std::size_t branch : alive_) {
      std::vector<std::size_t>& list = children[sets.find(branch)];
      groups += list.empty() ? 1 : 0;
      list.push_back(branch);
    }
    std::vector<std::size_t> tops;
    int number = 0;
    for (const std::vector<std::size_t>& list : children) {
      if (list.empty()) continue;
      tops.push_back(list.front());
      const bool always = row.kind == HubKind::numa && groups > 1;
      if (list.size() > 1 || always) add_hub(row, number++, list);
    }
    alive_ = std::move(tops);
  }

  std::size_t devices() const { return branches_.size(); }

 private:
  void add_device(VertexId vertex, int numa) {
    alive_.push_back(branches_.size());
    branches_.push_back({vertex, LinkKind::pcie, speeds_.pcie, numa});
  }

  void add_hub(const LevelHub& row, int number, const std::vector<std::size_t>& children) {
    const int numa = common_numa(children);
    const VertexId hub = model_.add_hub(row.kind, name_of_hub(row, number, numa));
    BytesPerSecond below = 0;
    for (const std::size_t child : children) {
      const Branch& branch = branches_[child];
      const BytesPerSecond achieved = branch.kind == LinkKind::cpu ? speeds_.cpu_achieved : 0;
      model_.connections.push_back({branch.kind, branch.top, hub, 1, branch.upwards, achieved});
      below += branch.upwards;
    }
    const bool is_numa = row.kind == HubKind::numa;
    const BytesPerSecond as_wide = row.kind == HubKind::host_bridge ? below : speeds_.pcie;
    branches_[children.front()] = {hub, is_numa ? LinkKind::cpu : LinkKind::pcie,
                                   is_numa ? speeds_.cpu : as_wide, numa};
  }

  // Children without a known node agree with any; none when two differ.
  int common_numa(const std::vector<std::size_t>& children) const {
    int common = none;
    for (const std::size_t child : children) {
      const int numa = branches_[child].numa;
      if (numa != none && common != none && numa != common) return none;
      if (numa != none) common = numa;
    }
    return common;
  }

  // NUMA hubs carry the node's number where it is known and no hub has it yet.
  std::string name_of_hub(const LevelHub& row, int number, int numa) {
    if (row.kind == HubKind::system) return row.name;
    if (row.kind != HubKind::numa) return row.name + std::to_string(number);
    const bool known = numa != none && named_nodes_.insert(numa).second;
    return known ? row.name + std::to_string(numa) : "domain" + std::to_string(number);
  }

  NodeModel& model_;
  TreeSpeeds speeds_;
  std::vector<Branch> branches_;    // by device; the first of a set carries its top
  std::vector<std::size_t> alive_;  // the first devices of the sets
  std::set<int> named_nodes_;
};

}  // namespace

std::optional<PathLevel> path_level_of(std::string_view token) {
  for (const LevelToken& row : level_tokens)
    if (row.token == token) return row.level;
  return std::nullopt;
}

void build_path_tree(NodeModel& model, const std::vector<DevicePath>& paths, TreeSpeeds speeds) {
  Builder builder(model, speeds);
  Sets sets(builder.devices());
  for (const LevelHub& row : level_hubs) {
    const bool everything = row.level == PathLevel::system;
    for (const DevicePath& path : paths)
      if (path.level == row.level) sets.unite(path.a, path.b);
    for (std::size_t i = 1; everything && i < builder.devices(); ++i) sets.unite(0, i);
    builder.join(row, sets);
  }
}

}  // namespace rankmap
