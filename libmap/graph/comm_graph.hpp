// What communicates: ranks and directed edges with bytes and messages. Immutable; made by
// GraphBuilder.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "libmap/base/ids.hpp"
#include "libmap/base/units.hpp"

namespace rankmap {

// One directed message stream. All edges of a graph with the same (phase, group, source,
// destination) are one row.
struct Edge {
  Rank source;
  Rank destination;  // never the source
  Bytes bytes;       // all messages together
  std::uint64_t messages;
  std::uint32_t weight;  // how often aggbw and mapa2021 count the pair; default 1
  std::int32_t phase;    // index into phases()
  std::int32_t group;    // index into groups(), or none: a plain point-to-point edge
};

// A communicator whose traffic the edges that name it belong to.
struct Group {
  std::string name;
  std::vector<Rank> ranks;  // in communicator order
  std::int32_t phase;
};

// Two ranks with traffic in any direction, in any phase. low < high.
struct Pair {
  Rank low;
  Rank high;
  std::uint32_t weight;  // the largest weight of their edges
};

class CommGraph {
 public:
  CommGraph() = default;

  std::string name;  // the pattern text or the file
  Rank ranks() const { return ranks_; }
  std::span<const Edge> edges() const { return edges_; }  // by phase, source, destination, group
  std::span<const Edge> edges_of_phase(std::int32_t phase) const;
  std::int32_t phases() const { return static_cast<std::int32_t>(phase_begin_.size()) - 1; }
  std::span<const Group> groups() const { return groups_; }
  std::span<const Pair> pairs() const { return pairs_; }  // by low, high; each once
  Bytes total_bytes() const { return total_bytes_; }
  // What each rank computes, in any unit; balanced where a place holds several ranks. One entry a
  // rank, or empty: all 1. The sum is within 63 bits.
  std::span<const std::uint64_t> work() const { return work_; }

 private:
  friend class GraphBuilder;
  Rank ranks_ = 0;
  std::vector<Edge> edges_;
  std::vector<std::size_t> phase_begin_{0, 0};  // phases + 1 offsets into edges_
  std::vector<Group> groups_;
  std::vector<Pair> pairs_;
  std::vector<std::uint64_t> work_;
  Bytes total_bytes_ = 0;
};

// Collects edges in any order; build() merges equal ones: bytes and messages add up, the larger
// weight stays. Edges of a rank to itself are dropped. Throws InputError{name} when a sum of bytes,
// messages or work leaves 63 bits, UsageError beyond the limits, Bug for edges that name what is
// not there.
class GraphBuilder {
 public:
  static constexpr Rank most_ranks = 1 << 24;
  static constexpr std::size_t most_edges = std::size_t{1} << 26;  // 2.7 GB of edges
  static constexpr std::int32_t most_phases = 1 << 20;

  explicit GraphBuilder(Rank ranks);    // 1..most_ranks, else UsageError
  void reserve(std::size_t edges);      // room for so many add() calls; only speed
  void add(Edge edge);                  // ranks, phase, group in range, else Bug
  std::int32_t add_group(Group group);  // its index; ranks in range, one at least, else Bug
  std::int32_t add_phase();             // there is one phase (0) from the start
  void set_work(std::vector<std::uint64_t> work);  // one entry a rank, else Bug
  // Fewer ranks, for those who learn their number last; Bug if one in use is left out, or work set.
  void keep_ranks(Rank ranks);
  CommGraph build(std::string name) &&;  // O(edges * log ranks), in place

 private:
  CommGraph graph_;
  std::int32_t phases_ = 1;
};

}  // namespace rankmap
