// EffBW models: predicted bus bandwidth of a set of GPUs on one node, or of a mapping (mapa2021).
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "libmap/graph/comm_graph.hpp"
#include "libmap/machine/machine.hpp"
#include "libmap/mapping/mapping.hpp"

namespace rankmap {

enum class EffbwModel { ring, tree, mapa2021 };
EffbwModel effbw_model_of(std::string_view name);  // UsageError lists the names
const char* name_of(EffbwModel model);

// GB/s (10^9 bytes/s). value == nullopt: one rank, no link is used. bound >= value; equal when
// proven.
struct EffbwValue {
  std::optional<double> value;
  std::optional<double> bound;
  bool proven = true;
  std::string note;  // "packed at the slowest lane speed of ..." or ""
};

// What both models do with a set (distinct local slot indices of one node, any order):
// - one slot: no value;
// - every member has lanes to the link switch: the fewest lanes of a member x the slowest achieved lane
//   speed, for rings (each takes one lane in and one out of every member) and for trees (a tree of n
//   members takes 2(n-1) of the n x lanes lane ends, so lanes x n / (2(n-1)) trees fit);
// - else packed in the dedicated lanes; of unequal lane speeds, the best threshold counts: only lanes of
//   at least that speed, each at that speed, told in `note`;
// - nothing can be packed (ring: no Hamiltonian cycle of lanes; tree: lanes do not join the set): the
//   largest over single rings, over whatever routes join the members, of the least over their links of
//   achieved bandwidth / uses, all lanes of a link together; told in `note`.

// R x lane speed: R arc-disjoint directed Hamiltonian cycles, one lane an arc (2 slots: R = lanes).
// step_budget limits the packing search (some 10 ns a step); beyond it proven is false and bound the
// partition bound.
EffbwValue ring_effbw(const Machine& machine, std::span<const int> set,
                      std::uint64_t step_budget = 20'000'000);
// An upper limit in microseconds: lane speed x floor(min over partitions into p >= 2 parts of
// 2 x crossing lanes / p), which is the minimum cut; at least the fallback where no ring may exist.
// 0 for one slot.
double ring_effbw_bound(const Machine& machine, std::span<const int> set);

// Fractional spanning-tree packing x lane speed x 2(n-1)/n. Exact; at most some 100 microseconds for 16.
EffbwValue tree_effbw(const Machine& machine, std::span<const int> set);
// The same over two kinds of partition only: all singletons, and two parts. 0 for one slot.
double tree_effbw_bound(const Machine& machine, std::span<const int> set);

// Pattern edges by the lanes of their pair: two or more, one, none (PCIe); each pair `weight`
// times.
struct LinkCounts {
  int doubles = 0;
  int singles = 0;
  int pcie = 0;
  int widest = 0;  // most lanes of any pair counted
  friend bool operator==(const LinkCounts&, const LinkCounts&) = default;
};
LinkCounts count_links(const CommGraph& app, const Machine& machine, const Mapping& mapping);

// Equation 2 of the MAPA paper (arXiv 2110.03214) with the published full-precision coefficients.
double mapa2021(int x, int y, int z);
// Its range: 2..5 ranks (and 1, f(0,0,0), as the paper's program) and at most 2 lanes a pair of the
// machine, dedicated or to a switch; otherwise the reason, "" inside. O(slots^2).
std::string mapa2021_out_of_range(Rank ranks, const Machine& machine);

}  // namespace rankmap
