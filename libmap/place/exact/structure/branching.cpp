// Choices of a depth-first search, and its orders of ranks.
#include "libmap/place/exact/structure/branching.hpp"

#include <algorithm>
#include <numeric>

#include "libmap/place/exact/structure/symmetry.hpp"

namespace rankmap {
namespace {
std::size_t at(std::int32_t index) {
  return static_cast<std::size_t>(index);
}
}  // namespace

Branching::Branching(const Instance& instance, std::vector<Rank> order, std::vector<int> twins,
                     std::vector<int> node_twins)
    : instance_(instance),
      order_(std::move(order)),
      above_(rank_symmetry(instance, order_)),
      twins_(std::move(twins)),
      node_twins_(std::move(node_twins)),
      used_(at(instance.slots()), 0),
      used_of_node_(node_twins_.size(), 0),
      slot_of_(at(instance.ranks()), none) {
  for (int slot = 0; slot < instance.slots(); ++slot) {
    left_.push_back(instance.room(slot));
    shared_slots_ |= instance.capacity(slot) > 1;
  }
}

Branching::Branching(const Instance& instance, std::vector<Rank> order)
    : Branching(instance, std::move(order), {}, {}) {}

int Branching::first_slot(Rank rank) const {
  int first = 0;
  for (Rank smaller : above_[at(rank)])
    first = std::max(first, slot_of_[at(smaller)] + (shared_slots_ ? 0 : 1));
  return first;
}

// A slot without ranks is tried only when no earlier twin is without ranks, and a slot of an empty
// node only when no earlier twin of the node is empty.
bool Branching::worth_trying(int slot) const {
  if (left_[at(slot)] == 0) return false;
  if (!twins_.empty() && used_[at(slot)] == 0)
    for (int other = twins_[at(slot)]; other < slot; ++other)
      if (twins_[at(other)] == twins_[at(slot)] && used_[at(other)] == 0) return false;
  if (node_twins_.empty()) return true;
  const NodeId node = instance_.node(slot);
  if (used_of_node_[at(node)] > 0) return true;
  for (NodeId other = node_twins_[at(node)]; other < node; ++other)
    if (node_twins_[at(other)] == node_twins_[at(node)] && used_of_node_[at(other)] == 0)
      return false;
  return true;
}

void Branching::place(Rank rank, int slot, bool takes_room) {
  left_[at(slot)] -= takes_room ? 1 : 0;
  ++used_[at(slot)];
  if (!node_twins_.empty()) ++used_of_node_[at(instance_.node(slot))];
  slot_of_[at(rank)] = slot;
}

void Branching::remove(Rank rank, int slot, bool takes_room) {
  left_[at(slot)] += takes_room ? 1 : 0;
  --used_[at(slot)];
  if (!node_twins_.empty()) --used_of_node_[at(instance_.node(slot))];
  slot_of_[at(rank)] = none;
}

std::vector<Rank> order_by_number(const Instance& instance) {
  std::vector<Rank> order(at(instance.ranks()));
  std::iota(order.begin(), order.end(), Rank{0});
  return order;
}

std::vector<Rank> order_by_traffic(const Instance& instance) {
  std::vector<double> all(at(instance.ranks()), 0.0), known = all;
  for (Rank rank = 0; rank < instance.ranks(); ++rank)
    for (const Talk& talk : instance.talks(rank)) all[at(rank)] += static_cast<double>(talk.bytes);
  std::vector<Rank> order;
  std::vector<char> done(all.size(), 0);
  while (order.size() < all.size()) {
    Rank next = none;
    const auto more = [&](Rank a, Rank b) {
      return known[at(a)] != known[at(b)] ? known[at(a)] > known[at(b)] : all[at(a)] > all[at(b)];
    };
    for (Rank rank = 0; rank < instance.ranks(); ++rank)
      if (!done[at(rank)] && (next == none || more(rank, next))) next = rank;
    done[at(next)] = 1;
    order.push_back(next);
    for (const Talk& talk : instance.talks(next))
      known[at(talk.other)] += static_cast<double>(talk.bytes);
  }
  return order;
}

}  // namespace rankmap
