// Free places, and mappings made from them in order.
#include "libmap/place/places.hpp"

#include <algorithm>

namespace rankmap {
namespace {

std::size_t at(std::int32_t index) {
  return static_cast<std::size_t>(index);
}

}  // namespace

std::vector<SlotId> free_places(const Problem& problem) {
  std::vector<int> left = problem.capacity;
  for (SlotId slot : problem.fixed)
    if (slot != none) --left[at(slot)];
  std::vector<SlotId> places;
  for (SlotId slot = 0; slot < problem.machine.slots(); ++slot)
    for (int i = 0; i < left[at(slot)]; ++i) places.push_back(slot);
  return places;
}

Problem on_first_node(const Problem& problem) {
  return problem.within_one_node() ? problem.on_node(problem.nodes_with_room().front()) : problem;
}

Mapping fill_in_order(const Problem& problem, std::span<const SlotId> places) {
  Mapping mapping{problem.fixed};
  auto next = places.begin();
  for (SlotId& slot : mapping.slot_of)
    if (slot == none) slot = *next++;
  return mapping;
}

}  // namespace rankmap
