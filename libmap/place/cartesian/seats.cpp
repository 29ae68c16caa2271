// Fills machines, and seats ranks near to where they are wanted.
#include "libmap/place/cartesian/seats.hpp"

#include <algorithm>
#include <numeric>

#include "libmap/place/multilevel/machine_tree.hpp"

namespace rankmap {
namespace {

std::size_t at(std::int64_t index) {
  return static_cast<std::size_t>(index);
}

std::vector<std::int64_t> packed(const Problem& problem, const std::vector<SlotId>& slot_of) {
  std::int64_t left = problem.app.ranks();
  std::vector<std::int64_t> count;
  for (const SlotId slot : slot_of) {
    count.push_back(std::min<std::int64_t>(left, problem.capacity[at(slot)]));
    left -= count.back();
  }
  return count;
}

// In proportion to the capacities: after every leaf as many ranks as its share of the places is.
std::vector<std::int64_t> spread(const Problem& problem, const std::vector<SlotId>& slot_of,
                                 std::int64_t places) {
  std::int64_t before = 0, taken = 0;
  std::vector<std::int64_t> count;
  for (const SlotId slot : slot_of) {
    before += problem.capacity[at(slot)];
    const std::int64_t share = before * problem.app.ranks() / places;
    count.push_back(share - taken);
    taken = share;
  }
  return count;
}

}  // namespace

std::int64_t Seats::most_on_a_node(const Machine& machine) const {
  std::vector<std::int64_t> ranks(at(machine.nodes()), 0);
  for (std::size_t l = 0; l < count.size(); ++l) ranks[at(machine.node_of(slot_of[l]))] += count[l];
  return *std::max_element(ranks.begin(), ranks.end());
}

std::vector<SlotId> Seats::in_order() const {
  std::vector<SlotId> slots;
  for (std::size_t l = 0; l < count.size(); ++l)
    slots.insert(slots.end(), at(count[l]), slot_of[l]);
  return slots;
}

std::vector<Seats> ways_to_fill(const Problem& problem) {
  const Machine& machine = problem.machine;
  MachineTree tree = machine_tree(machine, problem.objective.kind);
  const std::int64_t places =
      std::accumulate(problem.capacity.begin(), problem.capacity.end(), std::int64_t{0});
  std::vector<Seats> ways;
  if (!std::is_sorted(tree.slot_of.begin(), tree.slot_of.end())) {
    Seats plain{"by number", {machine.nodes(), machine.slots_per_node()}, tree.slot_of, {}};
    std::iota(plain.slot_of.begin(), plain.slot_of.end(), 0);
    plain.count = packed(problem, plain.slot_of);
    ways.push_back(std::move(plain));
  }
  Seats nested{"by blocks", std::move(tree.arity), std::move(tree.slot_of), {}};
  nested.count = packed(problem, nested.slot_of);
  ways.push_back(nested);
  if (places == problem.app.ranks()) return ways;
  nested.name = "spread";
  nested.count = spread(problem, nested.slot_of, places);
  ways.push_back(std::move(nested));
  return ways;
}

Mapping seated(const Problem& problem, const std::vector<SlotId>& wanted) {
  Mapping mapping{problem.fixed};
  std::vector<int> left = problem.capacity;
  for (const SlotId slot : problem.fixed)
    if (slot != none) --left[at(slot)];
  std::vector<Rank> standing;
  for (Rank rank = 0; rank < problem.app.ranks(); ++rank) {
    if (mapping[rank] != none) continue;
    if (--left[at(wanted[at(rank)])] >= 0) {
      mapping.slot_of[at(rank)] = wanted[at(rank)];
    } else {
      ++left[at(wanted[at(rank)])];
      standing.push_back(rank);
    }
  }
  std::stable_sort(standing.begin(), standing.end(),
                   [&](Rank a, Rank b) { return wanted[at(a)] < wanted[at(b)]; });
  SlotId slot = 0;
  for (const Rank rank : standing) {
    while (left[at(slot)] == 0) ++slot;
    --left[at(slot)];
    mapping.slot_of[at(rank)] = slot;
  }
  return mapping;
}

}  // namespace rankmap
