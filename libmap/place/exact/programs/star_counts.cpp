// A hub with x double, y single and z PCIe leaves exists exactly where its slot has as many partners.
#include "libmap/place/exact/programs/star_counts.hpp"

#include <algorithm>
#include <array>

#include "libmap/model/effbw.hpp"
#include "libmap/place/exact/search/guards.hpp"

namespace rankmap {
namespace {

// The hub of a star with equal weights, or none.
Rank hub_of(const CommGraph& app) {
  const auto pairs = app.pairs();
  if (app.ranks() < 3 || std::ssize(pairs) != app.ranks() - 1) return none;
  for (const Rank hub : {pairs[0].low, pairs[0].high})
    if (std::ranges::all_of(pairs, [&](const Pair& pair) {
          return (pair.low == hub || pair.high == hub) && pair.weight == pairs[0].weight;
        }))
      return hub;
  return none;
}

bool plain(const Instance& instance) {
  for (int slot = 0; slot < instance.slots(); ++slot)
    if (instance.capacity(slot) != 1) return false;
  return !instance.any_fixed();
}

struct Choice {
  int hub = none;
  std::array<int, 3> leaves{};  // on double, single, PCIe partners
  double value = 0;
};

void try_hub(int slot, const std::array<int, 3>& partners, int leaves, int weight, Choice& best) {
  for (int x = 0; x <= std::min(partners[0], leaves); ++x) {
    for (int y = 0; y <= std::min(partners[1], leaves - x); ++y) {
      const int z = leaves - x - y;
      if (z > partners[2]) continue;
      const double value = mapa2021(weight * x, weight * y, weight * z);
      if (best.hub == none || value > best.value) best = {slot, {x, y, z}, value};
    }
  }
}

}  // namespace

std::optional<std::vector<int>> best_star_counts(const Instance& instance) {
  const Rank hub = hub_of(instance.app());
  if (hub == none || !plain(instance)) return std::nullopt;
  const std::vector<int> kinds = link_kinds(instance);
  const auto kind = [&](int a, int b) {
    return static_cast<std::size_t>(kinds[static_cast<std::size_t>(a * instance.slots() + b)]);
  };
  const int weight = static_cast<int>(instance.app().pairs()[0].weight);
  Choice best;
  for (int slot = 0; slot < instance.slots(); ++slot) {
    std::array<int, 3> partners{};
    for (int other = 0; other < instance.slots(); ++other)
      if (other != slot) ++partners[kind(slot, other)];
    try_hub(slot, partners, instance.ranks() - 1, weight, best);
  }
  std::vector<int> slot_of(static_cast<std::size_t>(instance.ranks()), best.hub);
  Rank rank = 0;
  for (int other = 0; other < instance.slots(); ++other) {
    if (other == best.hub || best.leaves[kind(best.hub, other)]-- <= 0) continue;
    rank += rank == hub ? 1 : 0;
    slot_of[static_cast<std::size_t>(rank++)] = other;
  }
  return slot_of;
}

}  // namespace rankmap
