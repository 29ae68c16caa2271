// Ring packing: exact search over the multisets of Hamiltonian cycles.
#include "libmap/model/ring_packing.hpp"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "libmap/base/random.hpp"
#include "libmap/model/hamilton.hpp"

namespace rankmap {
namespace {

constexpr std::size_t most_cycles = 50'000;
constexpr std::int64_t most_rings = 256;  // depth of the search; more are packed in bundles
using CycleId = std::uint32_t;

// Looks for `wanted` cycles that together use no arc more often than it has lanes.
class PackingSearch {
 public:
  PackingSearch(const LaneMatrix& lanes, const CycleList& cycles)
      : size_(static_cast<std::size_t>(lanes.size())),
        cycles_(cycles),
        left_(size_ * size_),
        usable_(size_ * size_) {
    for (std::size_t a = 0; a < size_; ++a) {
      for (std::size_t b = 0; b < size_; ++b) {
        left_[a * size_ + b] = lanes.at(static_cast<int>(a), static_cast<int>(b));
      }
    }
  }

  // Takes the cycle with the most lanes left on its scarcest arc, as long as there is one.
  std::int64_t greedy() {
    std::int64_t rings = 0;
    for (;;) {
      std::int64_t most = 0;
      CycleId best = 0;
      for (CycleId cycle = 0; cycle < cycles_.count(); ++cycle) {
        if (scarcest(cycle) <= most) continue;
        most = scarcest(cycle);
        best = cycle;
      }
      if (most == 0) return rings;
      change(best, -1);
      ++rings;
    }
  }

  enum class Outcome { found, none, budget_ended };

  Outcome run(std::int64_t wanted, std::uint64_t budget) {
    steps_left_ = budget;
    budget_ended_ = false;
    std::vector<CycleId> all(cycles_.count());
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<CycleId>(i);
    const bool found = extend(wanted, std::move(all));
    return found ? Outcome::found : budget_ended_ ? Outcome::budget_ended : Outcome::none;
  }

 private:
  // Cycles one of which every completion must contain.
  struct Branch {
    bool possible = true;
    std::vector<std::size_t> arcs;
    std::int64_t cycles = -1;  // through these arcs; -1: no branch yet
  };

  std::int64_t scarcest(CycleId cycle) const {
    const std::uint8_t* next = cycles_.row(cycle);
    std::int64_t least = left_[next[0]];
    for (std::size_t v = 1; v < size_; ++v) least = std::min(least, left_[v * size_ + next[v]]);
    return least;
  }

  void change(CycleId cycle, int lanes) {
    const std::uint8_t* next = cycles_.row(cycle);
    for (std::size_t v = 0; v < size_; ++v) left_[v * size_ + next[v]] += lanes;
  }

  void count_usable(const std::vector<CycleId>& candidates) {
    std::fill(usable_.begin(), usable_.end(), 0);
    for (const CycleId cycle : candidates) {
      const std::uint8_t* next = cycles_.row(cycle);
      for (std::size_t v = 0; v < size_; ++v) ++usable_[v * size_ + next[v]];
    }
  }

  // Every cycle still wanted leaves (and enters) a vertex once. Of the lanes on its usable arcs at
  // most `spare` stay unused, so any arcs with more lanes than that must be met by some cycle.
  void consider(std::size_t vertex, bool leaving, std::int64_t wanted, Branch& branch) {
    std::int64_t spare = -wanted;
    arcs_.clear();
    for (std::size_t other = 0; other < size_; ++other) {
      const std::size_t arc = leaving ? vertex * size_ + other : other * size_ + vertex;
      if (usable_[arc] == 0) continue;
      spare += left_[arc];
      arcs_.push_back(arc);
    }
    if (spare < 0) {
      branch.possible = false;
      return;
    }
    std::sort(arcs_.begin(), arcs_.end(), [this](std::size_t a, std::size_t b) {
      return std::pair(usable_[a] * left_[b], a) < std::pair(usable_[b] * left_[a], b);
    });
    std::size_t used = 0;
    std::int64_t cycles = 0;
    while (spare >= 0) {
      cycles += usable_[arcs_[used]];
      spare -= left_[arcs_[used++]];
    }
    if (branch.cycles >= 0 && branch.cycles <= cycles) return;
    branch.cycles = cycles;
    branch.arcs.assign(arcs_.begin(), arcs_.begin() + static_cast<std::ptrdiff_t>(used));
  }

  Branch choose_branch(std::int64_t wanted) {
    Branch branch;
    for (std::size_t v = 0; v < size_ && branch.possible; ++v) {
      consider(v, true, wanted, branch);
      if (branch.possible) consider(v, false, wanted, branch);
    }
    return branch;
  }

  std::vector<CycleId> cycles_through(const std::vector<std::size_t>& arcs,
                                      const std::vector<CycleId>& candidates) const {
    std::vector<CycleId> through;
    for (const std::size_t arc : arcs) {
      for (const CycleId cycle : candidates) {
        if (cycles_.row(cycle)[arc / size_] == arc % size_) through.push_back(cycle);
      }
    }
    return through;
  }

  bool spend(std::size_t steps) {
    budget_ended_ = budget_ended_ || steps_left_ < steps;
    if (!budget_ended_) steps_left_ -= steps;
    return !budget_ended_;
  }

  // Branches of one node exclude each other: after cycle c was tried, c is used no more.
  bool extend(std::int64_t wanted, std::vector<CycleId> candidates) {
    if (wanted == 0) return true;
    if (!spend(candidates.size() + 1)) return false;
    std::erase_if(candidates, [this](CycleId cycle) { return scarcest(cycle) == 0; });
    count_usable(candidates);
    const Branch branch = choose_branch(wanted);
    if (!branch.possible) return false;
    for (const CycleId cycle : cycles_through(branch.arcs, candidates)) {
      change(cycle, -1);
      const bool found = extend(wanted - 1, candidates);
      change(cycle, 1);
      if (found || budget_ended_) return found;
      std::erase(candidates, cycle);
    }
    return false;
  }

  std::size_t size_;
  const CycleList& cycles_;
  std::vector<std::int64_t> left_;    // lanes of every arc not yet used
  std::vector<std::int64_t> usable_;  // candidates through every arc
  std::vector<std::size_t> arcs_;
  std::uint64_t steps_left_ = 0;
  bool budget_ended_ = false;
};

Followers followers_of(const LaneMatrix& lanes) {
  Followers followers(static_cast<std::size_t>(lanes.size()), 0);
  for (int a = 0; a < lanes.size(); ++a) {
    for (int b = 0; b < lanes.size(); ++b) {
      if (lanes.at(a, b) > 0) followers[static_cast<std::size_t>(a)] |= 1U << b;
    }
  }
  return followers;
}

// Rings of the lanes with the members renumbered, each the first that the lanes left allow.
std::int64_t first_come_in(const LaneMatrix& lanes, const std::vector<int>& order) {
  const std::size_t size = order.size();
  std::vector<int> left;
  Followers followers(size, 0);
  for (std::size_t a = 0; a < size; ++a) {
    for (std::size_t b = 0; b < size; ++b) {
      left.push_back(lanes.at(order[a], order[b]));
      if (left.back() > 0) followers[a] |= 1U << b;
    }
  }
  for (std::int64_t rings = 0;; ++rings) {
    const CycleList first = list_cycles(followers, 1);
    if (first.count() == 0) return rings;
    for (std::size_t v = 0; v < size; ++v) {
      const std::size_t next = first.row(0)[v];
      if (--left[v * size + next] == 0) followers[v] &= ~(1U << next);
    }
  }
}

// Where there are too many cycles to list: takes the first cycle of what is left, in several orders of
// the members.
std::int64_t first_come(const LaneMatrix& lanes, std::int64_t enough, std::uint64_t budget) {
  const auto size = static_cast<std::size_t>(lanes.size());
  const std::uint64_t table_steps = (std::uint64_t{1} << (size - 1)) * size / 2;
  std::int64_t most = 0;
  std::uint64_t spent = 0;
  for (std::uint64_t seed = 0; spent < budget && most < enough; ++seed) {
    std::vector<int> order(size);
    std::iota(order.begin(), order.end(), 0);
    Random(seed).shuffle(order);
    const std::int64_t rings = first_come_in(lanes, order);
    most = std::max(most, rings);
    spent += table_steps * (static_cast<std::uint64_t>(rings) + 1);
  }
  return most;
}

// From the bound downwards; each try may use half of what is left of the budget.
RingPacking search_packing(const LaneMatrix& lanes, std::int64_t bound, std::uint64_t budget) {
  const CycleList cycles = list_cycles(followers_of(lanes), most_cycles);
  if (cycles.count() == 0) return {0, 0};
  RingPacking packing{PackingSearch(lanes, cycles).greedy(), bound};
  if (!cycles.complete)
    packing.rings = std::max(packing.rings, first_come(lanes, bound, budget / 4));
  bool exact = cycles.complete;
  for (std::int64_t wanted = bound; wanted > packing.rings && budget > cycles.count(); --wanted) {
    budget /= 2;
    const auto outcome = PackingSearch(lanes, cycles).run(wanted, budget);
    if (outcome == PackingSearch::Outcome::found) packing.rings = wanted;
    exact = exact && outcome == PackingSearch::Outcome::none;
    if (exact) packing.bound = wanted - 1;
  }
  return packing;
}

// Lanes by the bundle, rounded down: rings of bundles are that many rings each.
LaneMatrix bundled(const LaneMatrix& lanes, std::int64_t bundle) {
  LaneMatrix bundles(lanes.size());
  for (int a = 0; a < lanes.size(); ++a) {
    for (int b = a + 1; b < lanes.size(); ++b) {
      bundles.set(a, b, static_cast<int>(lanes.at(a, b) / bundle));
    }
  }
  return bundles;
}

}  // namespace

RingPacking pack_rings(const LaneMatrix& lanes, std::uint64_t step_budget) {
  const std::int64_t bound = minimum_cut(lanes);
  if (bound == 0) return {0, 0};
  // Every complete directed graph of 7 or more vertices decomposes into Hamiltonian cycles (Tillson
  // 1980), so copies of it do.
  if (lanes.size() >= 7 && lanes.complete()) return {bound, bound};
  if (static_cast<std::size_t>(lanes.size()) > Completions::most_vertices) return {0, bound};
  const std::int64_t bundle = (bound + most_rings - 1) / most_rings;
  if (bundle == 1) return search_packing(lanes, bound, step_budget);
  const LaneMatrix bundles = bundled(lanes, bundle);
  return {search_packing(bundles, minimum_cut(bundles), step_budget).rings * bundle, bound};
}

}  // namespace rankmap
