// What it costs to send one byte between two blocks: classes with
//   Weight operator()(Block a, Block b)   0 for a == b, symmetric
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "libmap/place/multilevel/weighted_graph.hpp"

namespace rankmap {

using Block = std::int32_t;

// The cut: every other block is equally far.
class CutDistance {
 public:
  Weight operator()(Block a, Block b) const { return a == b ? 0 : 1; }
};

// Nested blocks: levels from the innermost; the distance of two blocks is that of the innermost level
// that holds both. A table of all pairs where that is small; else from codes, one a block.
class TreeDistance {
 public:
  // arity[0] blocks make a group of level 1, and so on; distance[0] is that inside such a group.
  // distance ascends.
  TreeDistance(std::vector<int> arity, std::vector<Weight> distance);

  Block blocks() const { return blocks_; }
  Weight operator()(Block a, Block b) const {
    if (!table_.empty())
      return table_[static_cast<std::size_t>(a) * static_cast<std::size_t>(blocks_) +
                    static_cast<std::size_t>(b)];
    if (!code_.empty())
      return by_bits_[static_cast<std::size_t>(
          std::bit_width(code_[static_cast<std::size_t>(a)] ^ code_[static_cast<std::size_t>(b)]))];
    return by_levels(a, b);
  }
  std::size_t levels() const { return distance_.size(); }
  Weight distance(std::size_t level) const { return distance_[level]; }
  // The blocks inside one group of level `level` (0: those at distance[0]).
  Block group_size(std::size_t level) const { return group_size_[level]; }

 private:
  Weight by_levels(Block a, Block b) const {
    if (a == b) return 0;
    std::size_t level = 0;
    while (level + 1 < group_size_.size() && a / group_size_[level] != b / group_size_[level])
      ++level;
    return distance_[level];
  }

  void make_codes(const std::vector<int>& arity);

  Block blocks_ = 1;
  std::vector<Block> group_size_;
  std::vector<Weight> distance_;
  std::vector<std::int32_t> table_;  // empty: too many blocks, or distances beyond 32 bits
  // Of each block its number within its group at every level, the innermost in the lowest bits: the
  // highest bit in which two codes differ tells the level. Empty: a table is there, or 32 bits are
  // too few.
  std::vector<std::uint32_t> code_;
  std::array<Weight, 33> by_bits_{};  // the distance by the bits that hold the difference
};

// Are the blocks equally far from all others, so that exchanging them changes nothing?
template <class Distance>
bool alike(const Distance&, Block a, Block b) {
  return a == b;
}
inline bool alike(const TreeDistance& distance, Block a, Block b) {
  return a / distance.group_size(0) == b / distance.group_size(0);
}

}  // namespace rankmap
