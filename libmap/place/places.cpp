// Free places, mappings made from them in order, and the bound that needs no search.
#include "libmap/place/places.hpp"

#include <algorithm>

namespace rankmap {
namespace {

std::size_t at(std::int32_t index) {
  return static_cast<std::size_t>(index);
}

BytesPerSecond widest_pair(const Machine& machine) {
  BytesPerSecond widest = 0;
  for (int a = 0; a < machine.slots_per_node(); ++a)
    for (int b = 0; b < a; ++b) widest = std::max(widest, machine.pair_bandwidth(a, b));
  return widest;
}

// Of aggbw: every pair on the widest pair of slots, or on the widest link between nodes.
double aggbw_bound(const Problem& problem) {
  BytesPerSecond widest = widest_pair(problem.machine);
  if (problem.machine.nodes() > 1)
    for (LinkId link = 0; link < problem.machine.links(); ++link)
      widest = std::max(widest, problem.machine.link(link).bytes_per_second);
  double pairs = 0;
  for (const Pair& pair : problem.app.pairs()) pairs += pair.weight;
  return pairs * to_gbps(widest);
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

Mapping fill_in_order(const Problem& problem, std::span<const SlotId> places) {
  Mapping mapping{problem.fixed};
  auto next = places.begin();
  for (SlotId& slot : mapping.slot_of)
    if (slot == none) slot = *next++;
  return mapping;
}

std::optional<double> trivial_bound(const Problem& problem) {
  if (!problem.maximise()) return 0.0;
  if (problem.objective.kind == ObjectiveKind::aggbw) return aggbw_bound(problem);
  return std::nullopt;
}

}  // namespace rankmap
