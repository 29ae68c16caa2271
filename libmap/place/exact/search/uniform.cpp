// Chooses among the sets of a uniform node by what they share.
#include "libmap/place/exact/search/uniform.hpp"

#include <algorithm>
#include <tuple>

namespace rankmap {
namespace {

constexpr std::size_t most_steps = 2'000'000;
std::size_t at(std::int32_t index) {
  return static_cast<std::size_t>(index);
}

class UniformSearch {
 public:
  explicit UniformSearch(const Search& search)
      : search_(search),
        instance_(search.instance),
        on_nic_(at(instance_.slots()), 0),
        on_uplink_(at(instance_.slots()), 0),
        on_numa_(at(instance_.slots()), 0) {}

  UniformChoice run() {
    int open = instance_.ranks();
    for (int slot = 0; slot < instance_.slots(); ++slot) {
      if (instance_.room(slot) == instance_.capacity(slot)) continue;
      add(slot);
      --open;
    }
    const bool complete = choose(0, open);
    if (!best_key_) return {std::nullopt, complete};
    return {best_, complete};
  }

 private:
  // NIC, uplink, NUMA nodes: grows with every slot added.
  using Key = std::tuple<int, int, int>;

  bool choose(int slot, int open) {
    if (best_key_ && key_ >= *best_key_) return true;  // sets come in ascending order
    if (open == 0) {
      keep();
      return true;
    }
    for (; slot + open <= instance_.slots(); ++slot) {
      if (++steps_ > most_steps) return false;
      if (instance_.room(slot) == 0) continue;
      const Key before = key_;
      add(slot);
      chosen_.push_back(slot);
      const bool go_on = choose(slot + 1, open - 1);
      chosen_.pop_back();
      remove(slot);
      key_ = before;
      if (!go_on) return false;
    }
    return true;
  }

  void add(int slot) {
    auto& [on_nic, on_uplink, numa_nodes] = key_;
    const int nic = instance_.nic(slot), uplink = instance_.uplink(slot);
    if (nic != none) on_nic = std::max(on_nic, ++on_nic_[at(nic)]);
    if (uplink != none) on_uplink = std::max(on_uplink, ++on_uplink_[at(uplink)]);
    if (on_numa_[at(instance_.numa(slot))]++ == 0) ++numa_nodes;
  }

  void remove(int slot) {
    const int nic = instance_.nic(slot), uplink = instance_.uplink(slot);
    if (nic != none) --on_nic_[at(nic)];
    if (uplink != none) --on_uplink_[at(uplink)];
    --on_numa_[at(instance_.numa(slot))];
  }

  void keep() {
    std::vector<int> slot_of;
    std::size_t next = 0;
    for (Rank rank = 0; rank < instance_.ranks(); ++rank)
      slot_of.push_back(instance_.fixed(rank) == none ? chosen_[next++] : instance_.fixed(rank));
    if (!search_.usable(slot_of)) return;
    best_ = std::move(slot_of);
    best_key_ = key_;
  }

  const Search& search_;
  const Instance& instance_;
  Key key_{0, 0, 0};
  std::vector<int> on_nic_, on_uplink_, on_numa_;
  std::vector<int> chosen_;
  std::vector<int> best_;
  std::optional<Key> best_key_;
  std::size_t steps_ = 0;
};

}  // namespace

bool is_uniform(const Instance& instance) {
  if (!instance.problem().machine.uniform()) return false;
  for (int slot = 0; slot < instance.slots(); ++slot)
    if (instance.capacity(slot) != 1 || instance.node(slot) != instance.node(0)) return false;
  return true;
}

UniformChoice best_of_uniform(const Search& search) {
  return UniformSearch(search).run();
}

}  // namespace rankmap
