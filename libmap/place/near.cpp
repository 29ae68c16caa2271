#include "libmap/place/near.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <numeric>

#include "libmap/base/error.hpp"
#include "libmap/place/places.hpp"
#include "libmap/place/strategies.hpp"
#include "libmap/place/trivial_bound.hpp"

namespace rankmap {
namespace {

std::size_t at(int index) {
  return static_cast<std::size_t>(index);
}

// What the slots of a node share, from the widest: two ranks rather differ in the first.
constexpr std::size_t sharings = 4;
using Shared = std::array<int, sharings>;

int package_of(const NodeModel& model, int numa) {
  for (const Core& core : model.cores)
    if (core.numa == numa && numa != none) return core.package;
  return none;
}

Shared shared_by(const Machine& machine, int slot) {
  const int numa = machine.slot(machine.slot_at(0, slot)).numa;
  return {package_of(machine.model(), numa), machine.nic_of(slot), numa, machine.uplink_of(slot)};
}

// Takes one slot after the other, each time the one whose shared things are used least.
class Spread {
 public:
  Spread(const Machine& machine, std::vector<int> slots) : slots_(std::move(slots)) {
    for (const int slot : slots_) shared_.push_back(shared_by(machine, slot));
    taken_.assign(slots_.size(), false);
  }

  void take_one() {
    std::size_t best = slots_.size();
    for (std::size_t i = 0; i < slots_.size(); ++i)
      if (!taken_[i] && (best == slots_.size() || load_of(i) < load_of(best))) best = i;
    taken_[best] = true;
    for (std::size_t kind = 0; kind < sharings; ++kind) ++used_[kind][shared_[best][kind]];
  }

  std::vector<int> taken() const {
    std::vector<int> result;
    for (std::size_t i = 0; i < slots_.size(); ++i)
      if (taken_[i]) result.push_back(slots_[i]);
    return result;
  }

 private:
  Shared load_of(std::size_t i) const {
    Shared load{};
    for (std::size_t kind = 0; kind < sharings; ++kind) {
      const auto found = used_[kind].find(shared_[i][kind]);
      load[kind] = found == used_[kind].end() ? 0 : found->second;
    }
    return load;
  }

  std::vector<int> slots_;
  std::vector<Shared> shared_;
  std::vector<bool> taken_;
  std::array<std::map<int, int>, sharings> used_;
};

// Even shares of the slots in their order, remainder spread; what a slot has no place for goes to the
// next ones that have.
std::vector<int> even_shares(const std::vector<int>& slots, int ranks,
                             std::span<const int> places) {
  const auto count = static_cast<std::int64_t>(slots.size());
  std::vector<int> share(slots.size(), 0);
  for (std::int64_t i = 0; i < ranks; ++i) ++share[static_cast<std::size_t>(i * count / ranks)];
  int homeless = 0;
  for (std::size_t i = 0; i < slots.size(); ++i) {
    const int over = std::max(0, share[i] - places[at(slots[i])]);
    share[i] -= over;
    homeless += over;
  }
  while (homeless > 0) {
    const int before = homeless;
    for (std::size_t i = 0; i < slots.size() && homeless > 0; ++i) {
      if (share[i] >= places[at(slots[i])]) continue;
      ++share[i];
      --homeless;
    }
    if (homeless == before) throw Bug("more ranks than places on a node");
  }
  std::vector<int> result;
  for (std::size_t i = 0; i < slots.size(); ++i)
    result.insert(result.end(), at(share[i]), slots[i]);
  return result;
}

}  // namespace

std::vector<int> near_order(const Machine& machine) {
  std::vector<int> order(at(machine.slots_per_node()));
  std::iota(order.begin(), order.end(), 0);
  std::vector<int> first;
  for (const int slot : order) {
    const SlotRow row = machine.slot(machine.slot_at(0, slot));
    first.push_back(row.cpus.empty() ? std::numeric_limits<int>::max()
                                     : row.cpus.numbers().front());
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](int a, int b) { return first[at(a)] < first[at(b)]; });
  return order;
}

std::vector<int> near_slots(const Machine& machine, int ranks, std::span<const int> places) {
  std::vector<int> slots = near_order(machine);
  std::erase_if(slots, [&](int slot) { return places[at(slot)] == 0; });
  if (ranks >= static_cast<int>(slots.size())) return even_shares(slots, ranks, places);
  Spread spread(machine, std::move(slots));
  for (int i = 0; i < ranks; ++i) spread.take_one();
  return spread.taken();
}

// Nodes are filled in order, as launchers do, each one as far as it goes.
PlaceResult place_near(const Problem& whole) {
  const Problem problem = on_first_node(whole);
  const Machine& machine = problem.machine;
  const int per_node = machine.slots_per_node();
  std::vector<int> left = problem.capacity;
  Rank waiting = 0;
  for (const SlotId slot : problem.fixed) {
    if (slot != none) --left[at(slot)];
    waiting += slot == none ? 1 : 0;
  }
  std::vector<SlotId> places;
  for (NodeId node = 0; node < machine.nodes() && waiting > 0; ++node) {
    const std::span<const int> of_node(&left[at(machine.slot_at(node, 0))], at(per_node));
    const Rank ranks =
        std::min(waiting, static_cast<Rank>(std::accumulate(of_node.begin(), of_node.end(), 0)));
    if (ranks > 0)
      for (const int local : near_slots(machine, ranks, of_node))
        places.push_back(machine.slot_at(node, local));
    waiting -= ranks;
  }
  PlaceResult result;
  result.mapping = fill_in_order(problem, places);
  result.value = problem.value(result.mapping);
  result.bound = trivial_bound(whole);
  return result;
}

}  // namespace rankmap
