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

// DESIGN section 4, `ring`: R arc-disjoint directed Hamiltonian cycles inside the set, one lane an
// arc, times nccl bandwidth per lane. `set`: distinct local slot indices of one node, any order.
// node_budget limits the packing search (search nodes); beyond it proven is false.
EffbwValue ring_effbw(const Machine& machine, std::span<const int> set,
                      std::uint64_t node_budget = 20'000'000);
// The bound alone: lane speed x floor(min over partitions into p >= 2 parts of 2 x crossing lanes /
// p); for sets without a full NVLink ring an upper limit of the fallback value. Cheap
// (microseconds).
double ring_effbw_bound(const Machine& machine, std::span<const int> set);

// DESIGN section 4, `tree`: min over partitions of crossing lanes / (parts - 1), reported as bus
// bandwidth = packing x lane speed x 2(n-1)/n. Exact, polynomial or subset DP.
EffbwValue tree_effbw(const Machine& machine, std::span<const int> set);
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
// Its range: 2..5 ranks and at most 2 lanes a pair; otherwise the reason, "" inside.
std::string mapa2021_out_of_range(Rank ranks, const Machine& machine);

}  // namespace rankmap
