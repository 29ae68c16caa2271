// A problem on its free slots only, numbered 0.. in the machine's order, with the tables that every
// exact search reads: routes, bandwidths, and who shares a NIC, an uplink, a NUMA node.
#pragma once

#include <span>
#include <vector>

#include "libmap/place/problem.hpp"

namespace rankmap {

// One message stream between a rank and `other`.
struct Talk {
  Rank other;
  std::int32_t phase;
  Bytes bytes;
  bool outgoing;
};

class Instance {
 public:
  // InputError where the app's weights leave 62 bits. O(slots^2 x hops). Meant for at most `most_slots` free slots.
  static constexpr int most_slots = 64;
  explicit Instance(const Problem& problem);

  const Problem& problem() const { return *problem_; }
  const CommGraph& app() const { return problem_->app; }
  int ranks() const { return problem_->app.ranks(); }
  int slots() const { return static_cast<int>(ids_.size()); }
  SlotId id(int slot) const { return ids_[static_cast<std::size_t>(slot)]; }
  int fixed(Rank rank) const { return fixed_[static_cast<std::size_t>(rank)]; }  // or none
  bool any_fixed() const { return any_fixed_; }
  // Ranks the slot may hold, and how many of these are not taken by fixed ranks.
  int capacity(int slot) const { return capacity_[static_cast<std::size_t>(slot)]; }
  int room(int slot) const { return room_[static_cast<std::size_t>(slot)]; }

  int links() const { return static_cast<int>(link_bandwidth_.size()); }
  double link_bandwidth(int link) const { return link_bandwidth_[static_cast<std::size_t>(link)]; }
  LinkId link_id(int link) const { return link_ids_[static_cast<std::size_t>(link)]; }
  std::span<const int> route(int from, int to) const {
    const std::size_t begin = route_begin_[pair(from, to)];
    return {hops_.data() + begin, route_begin_[pair(from, to) + 1] - begin};
  }
  BytesPerSecond bandwidth(int a, int b) const { return bandwidth_[pair(a, b)]; }
  NodeId node(int slot) const { return problem_->machine.node_of(id(slot)); }
  int local(int slot) const { return problem_->machine.local_of(id(slot)); }

  // Numbers of what a slot shares with others; none: nothing that counts.
  int nic(int slot) const { return nic_[static_cast<std::size_t>(slot)]; }
  int uplink(int slot) const { return uplink_[static_cast<std::size_t>(slot)]; }
  int numa(int slot) const { return numa_[static_cast<std::size_t>(slot)]; }

  std::span<const Talk> talks(Rank rank) const { return talks_[static_cast<std::size_t>(rank)]; }
  Mapping mapping(std::span<const int> slot_of) const;  // in the machine's numbers

 private:
  std::size_t pair(int a, int b) const {
    return static_cast<std::size_t>(a) * ids_.size() + static_cast<std::size_t>(b);
  }
  void build_slots();
  void build_routes();
  void build_sharing();
  void check_weights() const;

  const Problem* problem_;
  std::vector<SlotId> ids_;
  std::vector<int> capacity_;
  std::vector<int> room_;
  std::vector<int> fixed_;
  bool any_fixed_ = false;
  std::vector<LinkId> link_ids_;
  std::vector<double> link_bandwidth_;
  std::vector<int> hops_;
  std::vector<std::size_t> route_begin_;
  std::vector<BytesPerSecond> bandwidth_;
  std::vector<int> nic_;
  std::vector<int> uplink_;
  std::vector<int> numa_;
  std::vector<std::vector<Talk>> talks_;
};

}  // namespace rankmap
