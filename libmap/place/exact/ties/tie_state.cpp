// Partial tie keys with undo.
#include "libmap/place/exact/ties/tie_state.hpp"

#include <algorithm>
#include <functional>

namespace rankmap {
namespace {
std::size_t at(std::int32_t index) {
  return static_cast<std::size_t>(index);
}

// Ranks that fit on the slots of every group; none of a group: those in no group.
struct GroupRoom {
  std::vector<int> of_group;
  int outside = 0;
};
template <typename GroupOf>
GroupRoom room_of_groups(const Instance& instance, GroupOf group_of) {
  GroupRoom room{std::vector<int>(at(instance.slots()), 0), 0};
  for (int slot = 0; slot < instance.slots(); ++slot)
    (group_of(slot) == none ? room.outside : room.of_group[at(group_of(slot))]) +=
        instance.capacity(slot);
  return room;
}

// The least number m such that groups of at most m ranks hold all ranks.
int least_per_group(const GroupRoom& room, int ranks) {
  for (int most = 0;; ++most) {
    int held = room.outside;
    for (int places : room.of_group) held += std::min(places, most);
    if (held >= ranks || most >= ranks) return most;
  }
}

// The fewest groups that hold all ranks.
int fewest_groups(GroupRoom room, int ranks) {
  std::sort(room.of_group.begin(), room.of_group.end(), std::greater<>());
  int groups = 0;
  for (int places : room.of_group) {
    if (ranks <= 0) break;
    ranks -= places;
    ++groups;
  }
  return groups;
}

}  // namespace

TieState::TieState(const Instance& instance)
    : instance_(instance),
      loads_(instance),
      neighbours_(at(instance.ranks())),
      on_nic_(at(instance.slots()), 0),
      on_uplink_(at(instance.slots()), 0),
      on_numa_(at(instance.slots()), 0),
      ranks_per_nic_(
          least_per_group(room_of_groups(instance, [&](int slot) { return instance.nic(slot); }),
                          instance.ranks())),
      ranks_per_uplink_(
          least_per_group(room_of_groups(instance, [&](int slot) { return instance.uplink(slot); }),
                          instance.ranks())),
      least_numa_nodes_(
          fewest_groups(room_of_groups(instance, [&](int slot) { return instance.numa(slot); }),
                        instance.ranks())) {
  for (const Pair& pair : instance.app().pairs()) {
    neighbours_[at(pair.low)].push_back({pair.high, pair.weight});
    neighbours_[at(pair.high)].push_back({pair.low, pair.weight});
    open_ += pair.weight;
  }
  for (int a = 0; a < instance.slots(); ++a)
    for (int b = 0; b < a; ++b)
      widest_ = std::max(widest_, static_cast<std::int64_t>(instance.bandwidth(a, b)));
}

void TieState::place(Rank rank, int slot) {
  placed_.push_back({rank, slot, sum_, open_, ranks_per_nic_, ranks_per_uplink_});
  for (const Neighbour& neighbour : neighbours_[at(rank)]) {
    const int other = loads_.slot_of(neighbour.other);
    if (other == none) continue;
    sum_ += static_cast<std::int64_t>(neighbour.weight * instance_.bandwidth(slot, other));
    open_ -= neighbour.weight;
  }
  loads_.place(rank, slot);
  const int nic = instance_.nic(slot), uplink = instance_.uplink(slot);
  if (nic != none) ranks_per_nic_ = std::max(ranks_per_nic_, ++on_nic_[at(nic)]);
  if (uplink != none) ranks_per_uplink_ = std::max(ranks_per_uplink_, ++on_uplink_[at(uplink)]);
  if (on_numa_[at(instance_.numa(slot))]++ == 0) ++numa_nodes_;
}

void TieState::remove_last() {
  const Undo undo = placed_.back();
  placed_.pop_back();
  loads_.remove_last();
  sum_ = undo.sum;
  open_ = undo.open;
  ranks_per_nic_ = undo.ranks_per_nic;
  ranks_per_uplink_ = undo.ranks_per_uplink;
  const int nic = instance_.nic(undo.slot), uplink = instance_.uplink(undo.slot);
  if (nic != none) --on_nic_[at(nic)];
  if (uplink != none) --on_uplink_[at(uplink)];
  if (--on_numa_[at(instance_.numa(undo.slot))] == 0) --numa_nodes_;
}

PartialKey TieState::key() const {
  return {loads_.seconds(), -std::min(sum_ + open_ * widest_, most_aggbw_), ranks_per_nic_,
          ranks_per_uplink_, std::max(numa_nodes_, least_numa_nodes_)};
}

}  // namespace rankmap
