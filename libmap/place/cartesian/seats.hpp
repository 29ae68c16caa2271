// The machine's side of a Cartesian mapping: which slots take how many ranks, in which order.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "libmap/place/problem.hpp"

namespace rankmap {

// One way to fill the machine: leaf l is the slot slot_of[l] and takes count[l] ranks, fixed ones
// included; the counts add up to the ranks of the app. Leaves are nested blocks, outermost first.
struct Seats {
  std::string name;
  std::vector<int> arity;
  std::vector<SlotId> slot_of;
  std::vector<std::int64_t> count;

  std::int64_t most_on_a_node(const Machine& machine) const;
  // The slot of the first, second ... rank of an order.
  std::vector<SlotId> in_order() const;
};

// Leaf after leaf filled, along the network's own blocks and by the numbers of the slots; and all slots
// alike, where there are more places than ranks. O(slots).
std::vector<Seats> ways_to_fill(const Problem& problem);

// A valid mapping close to the wanted one: fixed ranks sit where they are fixed, the others where they
// are wanted while there is room, the rest on what is left, in the order of the slots.
// O(ranks log ranks + slots).
Mapping seated(const Problem& problem, const std::vector<SlotId>& wanted);

}  // namespace rankmap
