// The tables of slot pairs of one node: dedicated lanes, switch lanes, the highest bandwidth.
#include <algorithm>
#include <limits>

#include "libmap/machine/machine.hpp"

namespace rankmap {

void Machine::build_pairs() {
  const auto slots = static_cast<std::size_t>(model_->slots());
  direct_.assign(slots * slots, none);
  lanes_.assign(slots * slots, 0);
  switch_link_.assign(slots, none);
  switch_lanes_.assign(slots, 0);
  for (std::size_t i = 0; i < model_->connections.size(); ++i) {
    const Connection& row = model_->connections[i];
    if (is_tree_connection(*model_, row)) continue;
    const VertexId low = std::min(row.a, row.b);
    const VertexId high = std::max(row.a, row.b);
    if (high < model_->slots()) {
      for (const std::size_t at : {index(low, high), index(high, low)}) {
        direct_[at] = static_cast<std::int32_t>(i);
        lanes_[at] = row.count;
      }
    } else if (low < model_->slots()) {
      switch_link_[static_cast<std::size_t>(low)] = static_cast<std::int32_t>(i);
      switch_lanes_[static_cast<std::size_t>(low)] = row.count;
    }
  }
  pair_bandwidth_.assign(slots * slots, 0);
  std::vector<LinkId> way;
  for (int a = 0; a < model_->slots(); ++a) {
    for (int b = 0; b < model_->slots(); ++b) {
      way.clear();
      if (a != b) append_inner_way(a, b, way);
      BytesPerSecond least = std::numeric_limits<BytesPerSecond>::max();
      for (const LinkId link : way)
        least = std::min(least,
                         model_->connections[static_cast<std::size_t>(link / 2)].bytes_per_second);
      pair_bandwidth_[index(a, b)] = way.empty() ? 0 : least;
    }
  }
  uplink_of_.assign(slots, none);
  for (VertexId slot = 0; slot < model_->slots() && !model_->bare; ++slot) {
    way.clear();
    const VertexId away =
        ports_.front().vertex != none
            ? ports_[static_cast<std::size_t>(port_of_[static_cast<std::size_t>(slot)])].vertex
            : model_->slots();
    append_tree_way(slot, away, way);
    if (way.size() >= 2) uplink_of_[static_cast<std::size_t>(slot)] = way[1] / 2;
  }
}

BytesPerSecond Machine::bandwidth_between(SlotId a, SlotId b) const {
  std::vector<LinkId> room;
  return bandwidth_between(a, b, room);
}

BytesPerSecond Machine::bandwidth_between(SlotId a, SlotId b, std::vector<LinkId>& room) const {
  if (node_of(a) == node_of(b)) return pair_bandwidth(local_of(a), local_of(b));
  room.clear();
  append_route(a, b, room);
  BytesPerSecond least = std::numeric_limits<BytesPerSecond>::max();
  for (const LinkId link : room) least = std::min(least, this->link(link).bytes_per_second);
  return least;
}

bool Machine::all_alike() const {
  const int slots = model_->slots();
  if (!has_gpus() || slots < 2) return false;
  const auto achieved = [&](int a, int b) {
    const std::int32_t dedicated = direct_[index(a, b)];
    const std::int32_t connection =
        dedicated != none ? dedicated : switch_link_[static_cast<std::size_t>(a)];
    return connection == none
               ? BytesPerSecond{0}
               : model_->connections[static_cast<std::size_t>(connection)].nccl_bytes_per_second;
  };
  for (int a = 0; a < slots; ++a) {
    for (int b = 0; b < slots; ++b) {
      if (a == b) continue;
      const bool joined = lanes_[index(a, b)] > 0 || (switch_lanes(a) > 0 && switch_lanes(b) > 0);
      if (!joined || lanes_[index(a, b)] != lanes_[index(0, 1)] ||
          switch_lanes(a) != switch_lanes(0) || achieved(a, b) != achieved(0, 1) ||
          pair_bandwidth(a, b) != pair_bandwidth(0, 1))
        return false;
    }
  }
  return true;
}

}  // namespace rankmap
